"""The objective and the proof of a model, in words without mathematics."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from laconic.data.labels import label_text
from laconic.data.words import number_text
from laconic.model.decision_set import DecisionSet
from laconic.model.proof import Proof
from laconic.model.render import count, gap_text, parts_text, sum_text

MAX_NAMED = 20
"""Number of classes without a rule that are named."""

_SMALLEST = {
    "perfect": "the smallest set of rules (fewest conditions and rules together)",
    "min_rules": "the set with the fewest rules",
    "min_rules_then_literals": "the set with the fewest rules and, among those, the fewest conditions",
}
_MEASURED = {
    "size": "size (conditions and rules)",
    "rules": "number of rules",
    "literals": "number of conditions",
    "longest": "length of the longest rule",
    "features": "number of columns used",
    "average_length": "average length of an explanation",
}
_EXPLAINED = "Classes are explained by rules of their own."
_OTHERWISE = (
    "One class needs no rules of its own, and its rows need none: the OTHERWISE rule gives it to all rows "
    "that no other rule covers. It counts as one rule."
)
_STOPS = {
    "time": "The search was stopped by its time limit.",
    "memory": "The search was stopped for lack of memory.",
    "interrupt": "The search was interrupted.",
    "work": "The search has done the usual amount of work; a time limit may allow more.",
}


@dataclass(frozen=True, slots=True)
class Claim:
    """The proof for a reader.

    Attributes
    ----------
    badge : str
        Two or three words.
    proven : bool
    headline : str
        One sentence.
    objective : str
        What was asked for.
    meaning : tuple of str
        Paragraphs.
    facts : tuple of (str, str)
        Numbers behind it.
    """

    badge: str
    proven: bool
    headline: str
    objective: str
    meaning: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]


def claim(model: DecisionSet) -> Claim:
    """Write the proved statement about the quality of the set."""
    proof = model.proof
    if proof is None:
        return Claim(
            "no proof",
            False,
            "Nothing is proved about this set of rules.",
            "The model carries no record of what was asked for.",
            ("A set saved from a fitted classifier carries its proof facts.",),
            (("Size", _size_text(model)),),
        )
    meaning = [_meaning(proof), _scope(proof)]
    if model.classes_without_rules:
        meaning.append(_silent(model))
    if proof.unavoidable_errors:
        weight = number_text(proof.unavoidable_errors / proof.weight_scale)
        meaning.append(
            f"The training data contradicts itself: rows that look the same have different classes. "
            f"Errors of weight {weight} follow for every possible set of rules."
        )
    return Claim(
        _badge(proof),
        proof.optimal,
        _headline(proof),
        _objective(proof),
        tuple(meaning),
        _facts(model, proof),
    )


def _badge(proof: Proof) -> str:
    if not proof.optimal:
        return f"within {gap_text(proof.gap)}"
    return {"sparse": "proven best", "perfect": "proven smallest"}.get(proof.objective, "proven fewest rules")


def _headline(proof: Proof) -> str:
    if not proof.optimal:
        return f"At most {gap_text(proof.gap)} better is possible: {_open(proof)}"
    if proof.constraints is not None:
        return "No set of rules that meets the constraints is better."
    if proof.size_budget is not None:
        return "No set of rules of this size or less makes fewer errors."
    if proof.max_errors is not None:
        return "No smaller set of rules makes so few errors."
    if proof.objective == "sparse":
        return "No set of rules exists that strikes a better balance of size and errors."
    if proof.objective == "perfect":
        return "No smaller set of rules exists that explains the training data as well."
    return "No set with fewer rules exists that explains the training data as well."


def _open(proof: Proof) -> str:
    if len(proof.parts) > 1:
        return f"this set has {parts_text(proof.parts, proof.cost, proof.lower_bound)}."
    cost, bound = _units(proof, proof.cost), _units(proof, proof.lower_bound)
    return f"this set costs {cost}, and no set costs less than {bound}."


def _demanded(proof: Proof) -> str:
    """Write the objective of a model with constraints or with another measure than size."""
    measures = [_MEASURED[name] for name, _ in proof.measures]
    then = "".join(f", then by {name}" for name in measures[1:])
    if proof.objective != "sparse":
        return f"Asked for: the least {measures[0]}{then}, without avoidable errors on the training data."
    if proof.size_budget is not None:
        by = f", then by {measures[0]}{then}"
        return f"Asked for: the fewest errors with a size of at most {proof.size_budget}{by}."
    if proof.max_errors is not None:
        most = f"with errors of weight at most {proof.max_errors:g}"
        return f"Asked for: the least {measures[0]} {most}{then}, then by errors."
    return f"Asked for: the best balance of errors and {measures[0]} (λ = {proof.regularization:g}){then}."


def _objective(proof: Proof) -> str:
    return f"{_asked(proof)} {_EXPLAINED if proof.otherwise is None else _OTHERWISE}"


def _asked(proof: Proof) -> str:
    if proof.constraints is not None:
        return _demanded(proof)
    if proof.objective != "sparse":
        return f"Asked for: {_SMALLEST[proof.objective]} that makes no avoidable error on the training data."
    if proof.size_budget is not None:
        text = f"Asked for: the fewest errors with a size of at most {proof.size_budget}."
    elif proof.max_errors is not None:
        text = f"Asked for: the smallest set with errors of weight at most {proof.max_errors:g}."
    else:
        price = _units(proof, proof.literal_cost)
        text = (
            f"Asked for: the best balance of errors and size. Each condition and each rule costs as much as "
            f"errors of weight {price} (λ = {proof.regularization:g})."
        )
    if proof.counting == "per_row":
        text += " A row counts as one error if a rule of its own class fails to cover it or any other does."
    else:
        text += (
            " A row counts as an error if no rule of its own class covers it,"
            " and once more for each wrong class whose rules do."
        )
    return text + (" Every class had to get a rule." if proof.every_class else "")


def _meaning(proof: Proof) -> str:
    if not proof.optimal:
        stop = _STOPS.get(proof.stop_reason, f"The search ended: {proof.stop_reason}.")
        return (
            f"{stop} The rules are valid and checked, but a better set may exist; the bound says how much "
            f"better at most. A longer search may close the gap, by better rules or by a higher bound."
        )
    if proof.constraints is not None:
        return (
            "Every other set of rules that respects the constraints costs at least as much. This is not an "
            "estimate; all possibilities have been ruled out. Sets that break a constraint were "
            "not considered."
        )
    if proof.objective == "sparse":
        return (
            "Every other set costs at least as much: one with fewer conditions makes more errors, and one "
            "with fewer errors needs so many more conditions that it does not pay. This is not an estimate; "
            "all possibilities have been ruled out."
        )
    return (
        "Take away a condition or a rule, or try any other combination: the result is either larger or "
        "makes more errors. This is not an estimate; all smaller possibilities have been ruled out."
    )


def _silent(model: DecisionSet) -> str:
    """Name the classes without a rule."""
    known = model.classes_without_rules
    said = [
        f"{label_text(label)} (rows of weight {number_text(weight)})" for label, weight in known[:MAX_NAMED]
    ]
    more = f", and {len(known) - MAX_NAMED} more" if len(known) > MAX_NAMED else ""
    return (
        f"No rule explains {', '.join(said)}{more}. Rows of such a class are predicted right "
        f"only where no rule covers them and the class is the default."
    )


def _scope(proof: Proof) -> str:
    return (
        f"The statement is about the {count(proof.n_samples, 'row')} of the training data and about rules "
        f"made from the {count(proof.n_features, 'condition')} that were offered. It says nothing about "
        f"new rows: how well the rules do there is shown by rows that were not used in training."
    )


def _facts(model: DecisionSet, proof: Proof) -> tuple[tuple[str, str], ...]:
    errors = number_text(proof.errors / proof.weight_scale)
    return (
        ("Size", _size_text(model)),
        *(() if proof.constraints is None else (("Constraint", line) for line in proof.constraints.lines())),
        *(
            (_MEASURED[name].capitalize(), number_text(value))
            for name, value in proof.measures
            if name != "size"
        ),
        ("Errors in training, as the objective counts them", errors),
        *_set_aside(proof),
        ("Cost of this set", sum_text(proof)),
        ("No set costs less than", _units(proof, proof.lower_bound)),
        ("Training rows", f"{proof.n_samples} ({proof.n_rows} different as the conditions see them)"),
        ("Conditions to choose from", str(proof.n_features)),
        ("Searched by", f"engine {proof.engine}, laconic {proof.version}"),
    )


def _set_aside(proof: Proof) -> tuple[tuple[str, str], ...]:
    if not proof.unavoidable_errors:
        return ()
    return (("Set aside, not in the cost", number_text(proof.unavoidable_errors / proof.weight_scale)),)


def _size_text(model: DecisionSet) -> str:
    rules = len(model.rules) + (model.else_rule is not None)
    return f"{model.size} = {count(model.n_literals, 'condition')} + {count(rules, 'rule')}"


def _units(proof: Proof, cost: int) -> str:
    return number_text(Fraction(proof.in_user_units(cost)))
