"""Decision sets for the tables that scikit-learn ships: rules, sizes, errors, bounds and times.

Run it with ``make demo``. Each fit has a time limit; when it is reached, the best set found so far is shown
with the gap that is left, and nothing is called proven that is not.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import cross_val_score

from laconic import DecisionSetClassifier
from laconic.estimators.classifier import DEFAULT_ENGINE
from laconic.model.render import gap_text

TIME_LIMIT = 6.0
MAX_RULES_SHOWN = 12
TABLES = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
QUESTIONS = {
    "sparse": {"objective": "sparse", "regularization": 0.05},
    "perfect": {"objective": "perfect"},
}


@dataclass
class Outcome:
    """One line of the closing table."""

    data: str
    question: str
    clf: DecisionSetClassifier
    seconds: float
    accuracy: float


def main() -> None:
    console = Console(width=None if sys.stdout.isatty() else 110)
    console.print(
        f"[bold]Laconic[/]: the smallest decision set that explains the data (engine {DEFAULT_ENGINE})."
    )
    outcomes = [fit(console, data, question) for data in TABLES for question in QUESTIONS]
    console.print()
    console.print(summary(outcomes))
    open_ = [outcome for outcome in outcomes if not outcome.clf.optimal_]
    if open_:
        console.print(
            f"{len(open_)} of {len(outcomes)} were stopped at {TIME_LIMIT:g} s: their rules are valid and "
            f"checked, and the bound says how much smaller a better set could be."
        )
    else:
        console.print("All of them are proven: no decision set is better.")
    cross_validate(console)


def fit(console: Console, data: str, question: str) -> Outcome:
    loaded = TABLES[data](as_frame=True)
    X, y = loaded.data, loaded.target_names[loaded.target]
    clf = DecisionSetClassifier(**QUESTIONS[question], time_limit=TIME_LIMIT)
    start = time.perf_counter()
    clf.fit(X, y)
    seconds = time.perf_counter() - start
    console.print()
    console.rule(f"[bold]{data}[/] ({X.shape[0]} rows × {X.shape[1]} columns): {question}", align="left")
    *rules, otherwise, verdict = str(clf.decision_set_).splitlines()
    for line in rules[:MAX_RULES_SHOWN]:
        console.print(escape(line), highlight=False, soft_wrap=True)
    if len(rules) > MAX_RULES_SHOWN:
        console.print(f"… and {len(rules) - MAX_RULES_SHOWN} more rules", style="dim")
    console.print(escape(otherwise), highlight=False, soft_wrap=True)
    console.print(
        escape(f"{verdict} in {seconds:.2f} s"), style="green" if clf.optimal_ else "yellow", soft_wrap=True
    )
    return Outcome(data, question, clf, seconds, clf.score(X, y))


def summary(outcomes: list[Outcome]) -> Table:
    table = Table(title="Everything at a glance", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("data")
    table.add_column("question")
    for name in ("rules", "size", "errors", "accuracy", "cost", "bound", "proven", "seconds"):
        table.add_column(name, justify="right")
    for outcome in outcomes:
        clf = outcome.clf
        proven = "[green]yes[/]" if clf.optimal_ else f"[yellow]gap {gap_text(clf.gap_)}[/]"
        table.add_row(
            outcome.data,
            outcome.question,
            str(len(clf.rules_)),
            str(clf.size_),
            str(clf.errors_),
            f"{outcome.accuracy:.1%}",
            str(clf.cost_),
            str(clf.lower_bound_),
            proven,
            f"{outcome.seconds:.2f}",
        )
    table.caption = (
        "sparse errors count a row once per class that gets it wrong; accuracy is on the training rows"
    )
    return table


def cross_validate(console: Console) -> None:
    loaded = load_iris(as_frame=True)
    scores = cross_val_score(DecisionSetClassifier(time_limit=TIME_LIMIT), loaded.data, loaded.target, cv=5)
    console.print(
        f"Five-fold accuracy of the sparse rules on iris: {scores.mean():.1%} on rows not seen in training."
    )


if __name__ == "__main__":
    main()
