"""A reader of the canonical text, written from ``proof/FORMAT.md`` and ``proof/Statement.v`` alone."""

from __future__ import annotations

from fractions import Fraction


def parsed(text):
    """The parts of a canonical text; every token of it is read."""
    tokens = iter(text.split())
    take = lambda: next(tokens)  # noqa: E731
    count = lambda: int(take())  # noqa: E731
    numbers = lambda: [int(take()) for _ in range(count())]  # noqa: E731

    def expect(*words):
        for word in words:
            found = take()
            assert found == word, (found, word)

    def literal(kind):
        column = count()
        if kind in ("le", "gt"):
            return kind, column, Fraction(take())
        if kind in ("in", "out"):
            return kind, column, *(None if (end := take()) == "*" else Fraction(end) for _ in range(2))
        if kind in ("eq", "ne"):
            return kind, column, value(take())
        if kind in ("one_of", "none_of"):
            return kind, column, [value(take()) for _ in range(count())]
        assert kind in ("missing", "present"), kind
        return kind, column

    def node():
        kind = take()
        if kind == "split":
            rows = numbers()
            some = node()
            return {"rows": rows, "some": some, "none": node()}
        assert kind == "leaf"
        leaf = {"scale": int(take())}
        expect("prices")
        leaf["prices"] = numbers()
        expect("groups")
        leaf["n_groups"], leaf["groups"] = count(), numbers()
        expect("negatives")
        leaf["n_negatives"], leaf["negatives"] = count(), numbers()
        expect("blame")
        leaf["blame"] = []
        for _ in range(count()):
            group, n = count(), count()
            leaf["blame"].append((group, [(count(), int(take())) for _ in range(n)]))
        return leaf

    out = {}
    expect("laconic-canonical", "2", "classes")
    out["classes"] = count()
    expect("columns")
    n_columns = count()
    expect("features")
    out["features"] = []
    for _ in range(count()):
        expect("feature")
        shown = literal(take())
        out["features"].append((shown, None if (kind := take()) == "none" else literal(kind)))
    expect("rows")
    out["rows"] = []
    for _ in range(count()):
        expect("row")
        out["rows"].append((count(), int(take()), [value(take()) for _ in range(n_columns)]))
    if (last := next(tokens, None)) is None:
        return out
    assert last == "objective"
    out["objective"] = [take()]
    if out["objective"][0] in ("sparse", "every_class", "per_row"):
        out["objective"].append(Fraction(take()))
    expect("otherwise")
    out["otherwise"] = None if (given := take()) == "none" else int(given)
    expect("rules")
    out["rules"] = []
    for _ in range(count()):
        expect("rule")
        out["rules"].append([count(), *numbers()])
    expect("cost")
    out["cost"] = int(take())
    expect("bound")
    out["bound"] = int(take())
    expect("proofs")
    out["proofs"] = []
    for _ in range(count()):
        expect("proof")
        out["proofs"].append((count(), int(take()), node()))
    expect("end")
    assert next(tokens, None) is None
    return out


def value(token):
    """A cell: None, a fraction or a text."""
    if token == "-":
        return None
    return Fraction(token[1:]) if token[0] == "n" else bytes.fromhex(token[1:])


def holds(literal, cells):
    """What ``holds`` of Statement.v says."""
    kind, column, *rest = literal
    x = cells[column]
    if kind in ("missing", "present"):
        return (x is None) == (kind == "missing")
    if kind in ("eq", "ne"):
        same = type(x) is type(rest[0]) and x == rest[0]
        return x is not None and same == (kind == "eq")
    if kind in ("one_of", "none_of"):
        same = any(type(x) is type(one) and x == one for one in rest[0])
        return x is not None and same == (kind == "one_of")
    if not isinstance(x, Fraction):
        return False
    if kind in ("le", "gt"):
        return (x <= rest[0]) == (kind == "le")
    low, high = rest
    inside = (low is None or x > low) and (high is None or x <= high)
    return inside == (kind == "in")
