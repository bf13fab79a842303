"""A model in plain data, for ``--json``, and its proof facts in words, for people."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from laconic.data.literals import literal_to_dict
from laconic.data.words import number_text
from laconic.model.decision_set import DecisionSet
from laconic.model.proof import Proof
from laconic.model.render import cost_terms, count, gap_text, parts_text
from laconic.model.rule import Rule
from laconic.problem.parts import taken_apart
from laconic.runtime.texts import shown, visible

MAX_NAMED = 20
"""Number of classes without a rule that are named; ``--json`` names all."""

_ORDERED = {
    "perfect": "smallest size, without avoidable errors",
    "min_rules": "fewest rules, without avoidable errors",
    "min_rules_then_literals": "fewest rules, then fewest literals, without avoidable errors",
}

_WAYS = {
    "explained": "classes are explained by rules of their own; rows that none covers get the default class",
    "otherwise": "OTHERWISE is a rule of the set, of size 1, for a class that needs no other",
}

_MEASURED = {
    "size": "size",
    "rules": "number of rules",
    "literals": "number of conditions",
    "longest": "length of the longest rule",
    "features": "number of columns",
    "average_length": "average length of explanations",
}


def summary(model: DecisionSet) -> dict[str, Any]:
    """Return rules, default and proof facts in the user's units, as plain data."""
    rules = [_rule(rule) for rule in model.rules]
    data: dict[str, Any] = {
        "rules": rules,
        "else": None if model.else_rule is None else _rule(model.else_rule),
        "default": {
            "class": model.default_class,
            "rows": model.default_rows,
            "way": "otherwise" if model.has_otherwise else "explained",
        },
        "classes": list(model.classes),
        "classes_without_rules": [
            {"class": label, "weight": plain_number(weight)} for label, weight in model.classes_without_rules
        ],
        "columns_used": list(model.used_columns),
        "mispredicted": None if model.mispredicted is None else plain_number(model.mispredicted),
        **({} if model.choice is None else {"choice": model.choice.to_dict()}),
        **({} if model.held_out is None else {"held_out": model.held_out.to_dict()}),
        "n_rules": len(model.rules) + (model.else_rule is not None),
        "size": model.size,
    }
    if model.proof is not None:
        data |= _facts(model.proof)
    return data


def proof_text(model: DecisionSet) -> str:
    """Write the objective, the proof facts and the data, one fact per line."""
    proof = model.facts
    lines = [("minimised", _objective_text(proof))]
    cost, bound = (number_text(Fraction(proof.in_user_units(x))) for x in (proof.cost, proof.lower_bound))
    if proof.optimal:
        what = f"no decision set costs less than {cost}"
        if proof.size_budget is not None:
            what = f"no decision set of size {proof.size_budget} or less makes errors of less than {cost}"
        elif proof.max_errors is not None:
            measure = "size" if not proof.measures else _MEASURED[proof.measures[0][0]]
            what = (
                f"no decision set within errors of {proof.max_errors:g} has a {measure} of less than {cost}"
            )
        lines.append(("proved", what))
    else:
        said = f"cost {cost}, no set below {bound} (gap {gap_text(proof.gap)})"
        if len(proof.parts) > 1:
            said = parts_text(proof.parts, proof.cost, proof.lower_bound)
        lines.append(("proved", f"{said}; {_stop_text(proof)}"))
    if model.choice is not None:
        lines.append(("chosen", model.choice.text))
    lines.append(("uncovered", _WAYS[proof.default]))
    if model.classes_without_rules:
        lines.append(("no rule", f"explains {_named_classes(model)}"))
    if proof.unavoidable_errors:
        weight = number_text(proof.unavoidable_errors / proof.weight_scale)
        lines.append(("set aside", f"errors of weight {weight}: equal rows with different classes"))
    if proof.constraints is not None:
        lines += [("respecting", line) for line in proof.constraints.lines()]
        values = ", ".join(f"{name} {number_text(value)}" for name, value in proof.measures)
        lines.append(("measures", values))
    samples, rows = count(proof.n_samples, "row"), f"{proof.n_rows} different"
    lines.append(("learned on", f"{samples} ({rows}), {count(proof.n_features, 'condition')} to choose from"))
    lines.append(("found by", f"engine {proof.engine} of laconic {proof.version}"))
    return "\n".join(f"{name:<11} {visible(text)}" for name, text in lines)


def _named_classes(model: DecisionSet) -> str:
    """Write the classes without a rule, each with the weight of its training rows."""
    known = model.classes_without_rules
    said = [f"{shown(label)} (rows of weight {number_text(weight)})" for label, weight in known[:MAX_NAMED]]
    more = [f"{len(known) - MAX_NAMED} more"] if len(known) > MAX_NAMED else []
    return ", ".join([*said, *more])


def _objective_text(proof: Proof) -> str:
    measure = proof.measures[0][0] if proof.measures else "size"
    if proof.objective == "perfect" and measure != "size":
        return f"least {_MEASURED[measure]}, without avoidable errors"
    if proof.objective != "sparse":
        return _ORDERED[proof.objective]
    if proof.constraints is not None and not proof.has_budget:
        each = "costs of errors" if _has_costs(proof) else f"errors ({proof.counting.replace('_', ' ')})"
        return f"{each} + Λ × {_MEASURED[measure]}, λ = {proof.regularization:g}"
    faults = "costs of errors" if _has_costs(proof) else "errors (per class)"
    if proof.size_budget is not None:
        return f"{faults}, then {_MEASURED[measure]}, within size {proof.size_budget}"
    if proof.max_errors is not None:
        least = f"errors of weight {proof.max_errors:g}"
        return f"{_MEASURED[measure]}, then {faults}, within {least}"
    price = number_text(Fraction(proof.in_user_units(proof.literal_cost)))
    counting = proof.counting.replace("_", " ")
    every = ", at least one rule per class" if proof.every_class else ""
    return f"errors ({counting}) + {price} × size, λ = {proof.regularization:g}{every}"


def _has_costs(proof: Proof) -> bool:
    said = {} if proof.constraints is None else proof.constraints.to_document()
    return bool({"class_weight", "false_positive_costs", "false_negative_costs"} & set(said))


def _stop_text(proof: Proof) -> str:
    reasons = {
        "time": "stopped by the time limit",
        "work": "stopped after the usual amount of work; a time limit of your own may allow more",
        "memory": "stopped for lack of memory",
    }
    return reasons.get(proof.stop_reason, f"stopped: {proof.stop_reason}")


def _facts(proof: Proof) -> dict[str, Any]:
    return {
        "objective": proof.objective,
        "lambda": proof.regularization,
        "size_budget": proof.size_budget,
        "max_errors": proof.max_errors,
        "counting": proof.counting,
        "every_class": proof.every_class,
        "errors": plain_number((proof.errors + proof.unavoidable_errors) / proof.weight_scale),
        "unavoidable_errors": plain_number(proof.unavoidable_errors / proof.weight_scale),
        "cost": plain_number(proof.in_user_units(proof.cost)),
        "cost_terms": _terms(proof),
        "lower_bound": plain_number(proof.in_user_units(proof.lower_bound)),
        "gap": proof.gap,
        "optimal": proof.optimal,
        "status": proof.status,
        "stop_reason": proof.stop_reason,
        "n_samples": proof.n_samples,
        "n_distinct_rows": proof.n_rows,
        "n_conditions": proof.n_features,
        "engine": proof.engine,
        "version": proof.version,
        "table_digest": proof.table_digest,
        **_demanded(proof),
    }


def _terms(proof: Proof) -> dict[str, Any] | None:
    """Return the terms of the cost: ``errors + price × size``, with unused bare rules in the size."""
    terms = cost_terms(proof)
    if terms is None:
        return None
    return {"errors": plain_number(terms[0]), "price": plain_number(terms[1]), "size": proof.size}


def _demanded(proof: Proof) -> dict[str, Any]:
    if proof.constraints is None:
        return {}
    measures = {name: plain_number(value) for name, value in proof.measures}
    known = [
        {
            "name": one.name,
            "value": plain_number(one.value),
            "lower_bound": None if one.bound is None else plain_number(one.bound),
            "proved": one.proved,
        }
        for one in taken_apart(proof.parts, proof.cost, proof.lower_bound)
    ]
    return {"constraints": proof.constraints.to_document(), "measures": measures, "cost_parts": known}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "text": rule.text,
        "class": rule.label,
        "conditions": [literal_to_dict(literal) for literal in rule.literals],
        "size": rule.size,
        "rows": rule.rows,
        "right": plain_number(rule.right),
        "wrong": plain_number(rule.wrong),
        "precision": rule.precision,
    }


def plain_number(value: int | Fraction) -> int | float:
    """Return an exact number for JSON: an integer if it is one."""
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else float(exact)
