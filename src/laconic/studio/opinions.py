"""Opinions of people about rules, and the constraints that state them.

An opinion is plain data with a ``kind``; rules in it are labels and conditions as data, never text, so that
no name can be read as something else.

=============  ==================================  =========================================
kind           beside it                           constraint
=============  ==================================  =========================================
``keep``       ``rule``                            the rule is in the set
``own``        ``rule``                            the same, for a rule that the user wrote
``never``      ``rule``                            the rule is not in the set
``edit``       ``rule`` and ``was``                ``rule`` is in, ``was`` is not
``forbid``     ``column``                          no rule uses the column
``direction``  ``column``, ``label``, ``towards``  more of it speaks only for, or against
``max_rules``  ``most``                            at most so many rules
``prefer``     ``rules``                           these rules and no others
``given``      ``constraints``                     constraints from elsewhere, as they are
=============  ==================================  =========================================
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laconic.data.labels import Label, label_text
from laconic.data.literals import Literal, contradiction, literal_from_dict, literal_to_dict
from laconic.model.render import conditions_text
from laconic.model.rule import Rule
from laconic.problem.constraints.constraints import DIRECTIONS, Constraints
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

FIELDS = {
    "keep": {"rule"},
    "own": {"rule"},
    "never": {"rule"},
    "edit": {"rule", "was"},
    "forbid": {"column"},
    "direction": {"column", "label", "towards"},
    "max_rules": {"most"},
    "prefer": {"rules"},
    "given": {"constraints"},
}
CHANGING_COSTS = (
    "class_weight",
    "false_positive_costs",
    "false_negative_costs",
    "literal_costs",
    "feature_costs",
    "measure",
)
"""Constraints that do not restrict sets but change what they cost: prices could not be differences."""
MOST_CONDITIONS = 40
MOST_RULES = 1000


@dataclass(frozen=True)
class RuleData:
    """A rule without its figures: a label, by its text, and conditions."""

    label: str
    literals: tuple[Literal, ...]

    @classmethod
    def of(cls, rule: Rule) -> RuleData:
        """Return the data of a rule of a model.

        Parameters
        ----------
        rule : Rule
        """
        return cls(str(rule.label), rule.literals)

    @classmethod
    def from_document(cls, data: Any) -> RuleData:
        """Return the rule that `to_document` wrote; anything else is refused.

        Parameters
        ----------
        data : mapping
        """
        match data:
            case {"label": str(label), "literals": [*literals]} if len(literals) <= MOST_CONDITIONS:
                found = tuple(dict.fromkeys(map(_literal, literals)))
                empty = contradiction(found)
                if empty is not None:
                    raise InputError(f"no value of column {shown(empty)} meets all conditions of the rule")
                return cls(label, found)
        raise InputError(f"a rule needs a label and at most {MOST_CONDITIONS} conditions, not {shown(data)}")

    def to_document(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"label": self.label, "literals": [literal_to_dict(one) for one in self.literals]}

    def text(self, labels: Sequence[Label]) -> str:
        """Write the rule as constraints read it.

        Parameters
        ----------
        labels : sequence
            The classes of the table.
        """
        for label in labels:
            if str(label) == self.label:
                conditions = " AND ".join(one.text for one in self.literals) or "true"
                return f"IF {conditions} THEN {label_text(label)}"
        raise InputError(f"{shown(self.label)} is not a class of this table")

    def words(self) -> str:
        """Write the rule for people."""
        return f"IF {conditions_text(self.literals)} THEN {self.label}"


def _literal(data: Any) -> Literal:
    try:
        return literal_from_dict(data)
    except InputError as error:
        raise InputError(f"{shown(data)} is not a condition; name a column, a test and a value") from error


@dataclass(frozen=True)
class Opinion:
    """One opinion; equal opinions have equal keys."""

    kind: str
    rules: tuple[RuleData, ...] = ()
    was: RuleData | None = None
    column: str = ""
    label: str = ""
    towards: str = ""
    most: int = 0
    constraints: str = ""

    @classmethod
    def from_document(cls, data: Any) -> Opinion:
        """Return the opinion that `to_document` wrote; anything else is refused.

        Parameters
        ----------
        data : mapping
        """
        kind = data.get("kind") if isinstance(data, Mapping) else None
        if not isinstance(kind, str) or kind not in FIELDS:
            raise InputError(f"an opinion must be one of: {', '.join(FIELDS)}; not {shown(kind)}")
        if set(data) != {"kind", *FIELDS[kind]}:
            raise InputError(f"the opinion {kind!r} needs {', '.join(sorted(FIELDS[kind]))}")
        match data:
            case {"rule": rule}:
                was = RuleData.from_document(data["was"]) if "was" in data else None
                return cls(kind, (RuleData.from_document(rule),), was)
            case {"rules": [*rules]} if len(rules) <= MOST_RULES:
                return cls(kind, tuple(sorted(map(RuleData.from_document, rules), key=RuleData.words)))
            case {"column": str(column), "label": str(label), "towards": str(towards)}:
                if towards not in DIRECTIONS:
                    raise InputError(f"a direction must be one of: {', '.join(DIRECTIONS)}")
                return cls(kind, column=column, label=label, towards=towards)
            case {"kind": "forbid", "column": str(column)}:
                return cls(kind, column=column)
            case {"most": int(most)} if not isinstance(most, bool) and 0 <= most <= MOST_RULES:
                return cls(kind, most=most)
            case {"constraints": given}:
                found = Constraints.from_document(given)
                costs = [name for name in CHANGING_COSTS if name in found.to_document()]
                if costs:
                    raise InputError(
                        f"the studio compares sets by one cost, which {costs[0]} would change; leave it out"
                    )
                return cls(kind, constraints=json.dumps(found.to_document(), sort_keys=True))
        raise InputError(f"the opinion {kind!r} has a value that it cannot have")

    def to_document(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        values: dict[str, Any] = {
            "rule": self.rules[0].to_document() if self.rules else None,
            "rules": [rule.to_document() for rule in self.rules],
            "was": None if self.was is None else self.was.to_document(),
            "column": self.column,
            "label": self.label,
            "towards": self.towards,
            "most": self.most,
            "constraints": json.loads(self.constraints) if self.constraints else None,
        }
        return {"kind": self.kind, **{name: values[name] for name in sorted(FIELDS[self.kind])}}

    @property
    def key(self) -> str:
        """A text that equal opinions share."""
        return json.dumps(self.to_document(), sort_keys=True)

    @property
    def literals(self) -> tuple[Literal, ...]:
        """The conditions that a table must offer for the opinion."""
        rules = (*self.rules, *(() if self.was is None else (self.was,)))
        return tuple(literal for rule in rules for literal in rule.literals)

    def stated(self, labels: Sequence[Label]) -> dict[str, Any]:
        """Return the opinion as parameters of `Constraints`.

        Parameters
        ----------
        labels : sequence
            The classes of the table.
        """
        texts = [rule.text(labels) for rule in self.rules]
        match self.kind:
            case "never":
                return {"rules_out": texts}
            case "edit":
                assert self.was is not None
                return {"rules_in": texts, "rules_out": [self.was.text(labels)]}
            case "forbid":
                return {"forbidden": [self.column]}
            case "direction":
                return {"monotone": {self.column: {self.label: self.towards}}}
            case "max_rules":
                return {"max_rules": self.most}
            case "prefer":
                return {"rules_in": texts, "max_rules": len(texts)}
            case "given":
                return dict(json.loads(self.constraints))
        return {"rules_in": texts}


def constraints_of(opinions: Iterable[Opinion], labels: Sequence[Label]) -> Constraints | None:
    """Return all opinions as one `Constraints`; None without opinions.

    Parameters
    ----------
    opinions : iterable of Opinion
    labels : sequence
        The classes of the table.
    """
    merged: dict[str, Any] = {}
    for opinion in opinions:
        for name, value in opinion.stated(labels).items():
            known = merged.get(name)
            if known is None:
                merged[name] = value
            elif isinstance(value, list):
                merged[name] = [*known, *value]
            elif name == "monotone":
                merged[name] = _both_directions(known, value)
            elif isinstance(value, int) and name.startswith("max_"):
                merged[name] = min(known, value)
            elif known != value:
                raise InputError(f"two opinions disagree about {name}; take one of them back")
    return Constraints.from_document(merged) if merged else None


def _both_directions(
    known: Mapping[str, Mapping[str, str]], more: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, str]]:
    found = {column: dict(towards) for column, towards in known.items()}
    for column, towards in more.items():
        for label, way in towards.items():
            if found.setdefault(column, {}).setdefault(label, way) != way:
                raise InputError(
                    f"two opinions give column {shown(column)} opposite directions; take one of them back"
                )
    return found
