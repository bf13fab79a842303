"""A decision set as a card for notebooks: one self-contained piece of HTML.

It contains its own style, and needs no script, no font and no network. Text takes the colour of the page and
surfaces are translucent, so the card fits light and dark themes. All text from the user is escaped.
"""

from __future__ import annotations

import html
import math
from fractions import Fraction
from typing import TYPE_CHECKING

from laconic.model.proof import Proof
from laconic.model.render import accuracy_lines, count, merged, percent_text
from laconic.model.statistics import RuleStatistics, listed_rules, training_statistics
from laconic.runtime.texts import visible

if TYPE_CHECKING:
    from laconic.model.decision_set import DecisionSet
    from laconic.model.rule import Rule

SHOWN_AT_ONCE = 20
"""Number of rules that are shown; others are folded away."""

COLOURS = ("#0a7cc4", "#d5630f", "#0b9a6d", "#b9619b", "#8a7a14", "#5470d6")
"""One colour per class, repeated in order: readable on white and on black."""

_STYLE = """
.laconic-set{font:14px/1.45 system-ui,sans-serif;color:inherit;max-width:60em;text-align:left}
.laconic-set p{margin:.4em 0}
.laconic-set .head{display:flex;flex-wrap:wrap;gap:.4em 1em;align-items:baseline}
.laconic-set .badge{border:1px solid currentColor;border-radius:1em;padding:0 .7em;font-weight:600}
.laconic-set .proven{color:#0b9a6d}
.laconic-set .open{color:#c77700}
.laconic-set .rule{border-left:.3em solid var(--class);border-radius:.3em;
 background:rgba(127,127,127,.12);margin:.4em 0;padding:.5em .8em;overflow-wrap:anywhere}
.laconic-set .word{opacity:.75;font-size:.8em;letter-spacing:.05em}
.laconic-set .then{color:var(--class);font-weight:700}
.laconic-set .bar{display:flex;height:.5em;margin:.45em 0 .25em;border-radius:.25em;overflow:hidden;
 background:rgba(127,127,127,.25)}
.laconic-set .right{background:var(--class)}
.laconic-set .wrong{background:repeating-linear-gradient(135deg,rgba(127,127,127,.9) 0 3px,
 rgba(127,127,127,.3) 3px 6px)}
.laconic-set .figures{font-size:.85em;opacity:.85}
""".strip()


def set_html(decision_set: DecisionSet) -> str:
    """Return the card of a decision set."""
    otherwise = decision_set.else_rule
    total = _total(decision_set)
    cards = [
        _rule_html(rule, figures, total, decision_set.else_word if rule is otherwise else None)
        for rule, figures in zip(listed_rules(decision_set), training_statistics(decision_set), strict=True)
    ]
    if otherwise is None and all(rule.literals for rule in decision_set.rules):
        cards.append(_default_html(decision_set, total))
    shown, folded = cards[:SHOWN_AT_ONCE], cards[SHOWN_AT_ONCE:]
    if folded:
        shown.append(f"<details><summary>{len(folded)} more</summary>{''.join(folded)}</details>")
    return f'<div class="laconic-set"><style>{_STYLE}</style>{_head_html(decision_set)}{"".join(shown)}</div>'


def badge_text(proof: Proof) -> str:
    """Summarise the proof in a few words; a gap is rounded up."""
    goal = {"sparse": "best", "perfect": "smallest"}.get(proof.objective, "fewest rules")
    if proof.optimal:
        return f"proven {goal}"
    percent = max(1, math.ceil(round(100 * proof.gap, 9)))
    return f"within {percent} % of the {goal} possible"


def _head_html(decision_set: DecisionSet) -> str:
    proof = decision_set.proof
    parts = [count(len(listed_rules(decision_set)), "rule"), f"size {decision_set.size}"]
    badge = ""
    if proof is not None:
        state = "proven" if proof.optimal else "open"
        badge = f'<span class="badge {state}">{_escaped(badge_text(proof))}</span>'
    first, *more = [*accuracy_lines(decision_set), f"{', '.join(parts)}."]
    head = f'<p class="head">{badge}<strong>{_escaped(first)}</strong></p>'
    head += "".join(f'<p class="figures">{_escaped(line)}</p>' for line in more)
    if proof is not None and proof.constraints is not None:
        said = "; ".join(proof.constraints.lines())
        head += f'<p class="figures">among the sets that respect {_escaped(said)}</p>'
    return head


def _rule_html(rule: Rule, figures: RuleStatistics, total: Fraction, else_word: str | None) -> str:
    if else_word is not None:
        conditions = _word(else_word)
    else:
        joined = f" {_word('AND')} ".join(_escaped(literal) for literal in merged(rule.literals))
        conditions = f"{_word('IF')} {joined or 'true'}"
    return _card(conditions, rule.target, rule.label, figures.text(rule.label), rule.right, rule.wrong, total)


def _default_html(decision_set: DecisionSet, total: Fraction) -> str:
    target = decision_set.classes.index(decision_set.default_class)
    if decision_set.default_rows:
        figures = f"default: no rule covers {count(decision_set.default_rows, 'row')}"
        weights = decision_set.default_weights
    else:
        figures, weights = (
            "default: every training row is covered",
            (Fraction(0),) * len(decision_set.classes),
        )
    right = weights[target]
    return _card(
        _word("OTHERWISE"),
        target,
        decision_set.default_class,
        figures,
        right,
        sum(weights, Fraction(0)) - right,
        total,
    )


def _card(
    conditions: str,
    target: int,
    label: object,
    figures: str,
    right: Fraction,
    wrong: Fraction,
    total: Fraction,
) -> str:
    shares = [float(part / total) if total else 0.0 for part in (right, wrong)]
    described = (
        f"covers {percent_text(sum(shares))} of all rows; {percent_text(shares[1])} are of other classes"
    )
    return (
        f'<div class="rule" style="--class:{COLOURS[target % len(COLOURS)]}">'
        f'<div>{conditions} {_word("THEN")} <span class="then">{_escaped(label)}</span></div>'
        f'<div class="bar" role="img" aria-label="{described}" title="{described}">'
        f'<span class="right" style="width:{100 * shares[0]:.2f}%"></span>'
        f'<span class="wrong" style="width:{100 * shares[1]:.2f}%"></span></div>'
        f'<div class="figures">{_escaped(figures)}</div></div>'
    )


def _escaped(text: object) -> str:
    """Return a text for HTML, with characters that change the direction of writing made visible."""
    return html.escape(visible(text))


def _word(word: str) -> str:
    return f'<span class="word">{word}</span>'


def _total(decision_set: DecisionSet) -> Fraction:
    """Return the weight of all training rows, or of the widest rule if the total is unknown."""
    if decision_set.class_weights is not None:
        return sum(decision_set.class_weights, Fraction(0))
    covers = [rule.class_weights for rule in listed_rules(decision_set)] + [decision_set.default_weights]
    return max(sum(weights, Fraction(0)) for weights in covers)
