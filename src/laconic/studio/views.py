"""Models and answers as plain data for the page."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from laconic.data.literals import literal_to_dict
from laconic.data.words import plain
from laconic.model.choice import Choice
from laconic.model.decision_set import DecisionSet
from laconic.model.render import conditions_text, merged
from laconic.model.rule import Rule
from laconic.runtime.texts import visible
from laconic.studio.opinions import Opinion
from laconic.studio.solver import BestSet


def rule_view(rule: Rule) -> dict[str, Any]:
    """Return a rule with its figures.

    Parameters
    ----------
    rule : Rule
    """
    return {
        "label": str(rule.label),
        "target": rule.target,
        "literals": [{**literal_to_dict(one), "text": one.text} for one in rule.literals],
        "conditions": [one.text for one in merged(rule.literals)],
        "rows": rule.rows,
        "right": float(rule.right),
        "wrong": float(rule.wrong),
        "alone": None if rule.alone is None else float(rule.alone),
    }


def answer_view(answer: BestSet) -> dict[str, Any]:
    """Return the best set of a search, with what is proved about it.

    Parameters
    ----------
    answer : BestSet
    """
    model, proof = answer.learned.model, answer.learned.model.facts
    return {
        "classes": [str(label) for label in model.classes],
        "rules": [rule_view(rule) for rule in model.rules],
        "default": str(model.default_class),
        "defaultTarget": model.classes.index(model.default_class),
        "cost": float(answer.cost),
        "exactCost": str(plain(answer.cost)),
        "bound": float(answer.lower_bound),
        "proved": answer.proved,
        "stopReason": proof.stop_reason,
        "errors": float(answer.errors),
        "size": answer.size,
        "conditions": answer.conditions,
        "wrong": None if model.mispredicted is None else float(model.mispredicted),
        "rows": proof.n_samples,
        "weight": float(Fraction(proof.total_weight) / proof.weight_scale),
        "unit": float(Fraction(proof.literal_cost) / proof.weight_scale),
        "weighted": not proof.has_plain_weights,
        "classWeights": [float(one) for one in model.class_weights or ()],
        "silent": [[str(label), float(weight)] for label, weight in model.classes_without_rules],
    }


def choice_view(choice: Choice | None) -> dict[str, Any] | None:
    """Return how λ was chosen.

    Parameters
    ----------
    choice : Choice or None
    """
    if choice is None:
        return None
    return {
        "measured": choice.is_measured,
        "chosen": choice.chosen,
        "majority": choice.majority if choice.is_measured else None,
        "folds": choice.n_folds,
        "points": [
            {
                "regularization": rung.regularization,
                "size": rung.size,
                "errors": float(rung.errors),
                "accuracy": rung.accuracy if choice.is_measured else None,
                "standardError": rung.standard_error if choice.is_measured else None,
                "proved": False,
            }
            for rung in choice.rungs
        ],
    }


def opinion_view(opinion: Opinion) -> dict[str, Any]:
    """Return an opinion with its rules in words.

    Parameters
    ----------
    opinion : Opinion
    """
    was = opinion.was
    return {
        **opinion.to_document(),
        "texts": [_conditions(rule.literals) for rule in opinion.rules],
        "labels": [rule.label for rule in opinion.rules],
        "wasText": None if was is None else _conditions(was.literals),
    }


def _conditions(literals: Any) -> str:
    return visible(conditions_text(literals))


def set_texts(model: DecisionSet) -> list[str]:
    """Return the rules of a set as texts.

    Parameters
    ----------
    model : DecisionSet
    """
    return [rule.text for rule in model.rules]
