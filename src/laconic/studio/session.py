"""A session: one table, its steps, and the computations that run for them.

Everything here may be called from any thread. A step is in the file before its computation begins; what came
of it is added when it is known. After a restart, results are computed again when they are looked at.
"""

from __future__ import annotations

import datetime
import logging
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.literals import Equals, Threshold
from laconic.model.decision_set import DecisionSet
from laconic.problem.coded import CodedRule, rows_covered
from laconic.runtime.errors import InputError
from laconic.studio.conditions import offered
from laconic.studio.history import History, SessionStep, StepState, load
from laconic.studio.moves import after
from laconic.studio.opened import StudioTable
from laconic.studio.opinions import Opinion, RuleData
from laconic.studio.shelf import SECONDS as SHELF_SECONDS
from laconic.studio.shelf import shelf
from laconic.studio.solver import BestSet, Solver
from laconic.studio.stopping import StoppableBudget, Stopper
from laconic.studio.touched import explained, row_values, touched
from laconic.studio.work import StepWork, prove_front

WORKERS = 3
KEPT_RESULTS = 200

log = logging.getLogger(__name__)


@dataclass
class Computation:
    """A running or finished computation, as the page sees it."""

    stopper: Stopper = field(default_factory=Stopper)
    shown: dict[str, Any] = field(default_factory=dict)
    version: int = 0
    done: bool = False
    answer: BestSet | None = None
    regularization: float | None = None
    future: Future[None] | None = None

    def publish(self, news: dict[str, Any]) -> None:
        """Show news to the page."""
        self.shown = {**self.shown, **news}
        self.version += 1

    def view(self) -> dict[str, Any]:
        """Return what is known so far."""
        return {**self.shown, "version": self.version, "done": self.done}


class Session:
    """One table and the decisions about it.

    Parameters
    ----------
    opened : StudioTable
    history : History, optional
        By default a new one, in the table's session file.
    """

    def __init__(self, opened: StudioTable, history: History | None = None) -> None:
        self.opened = opened
        table = {"name": opened.name, "digest": opened.digest}
        self.history = history or History(table, place=opened.place)
        self._lock = threading.RLock()
        self._solvers: dict[int, Solver] = {}
        self._runs: dict[int, Computation] = {}
        self._others: dict[str, Computation] = {}
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="studio")

    @classmethod
    def resumed(cls, opened: StudioTable) -> Session:
        """Return the session of a table that its file holds; a file of another table is refused.

        Parameters
        ----------
        opened : StudioTable
        """
        assert opened.place is not None
        history = load(opened.place, opened.columns)
        if history.table["digest"] != opened.digest:
            raise InputError(
                f"{opened.place} is the session of another table, or the table has changed since; "
                "move one of the two files away"
            )
        return cls(opened, history)

    def close(self) -> None:
        """Stop all computations."""
        with self._lock:
            for run in (*self._runs.values(), *self._others.values()):
                run.stopper.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    # Steps

    def do(self, parent: int | None, move: Any, reason: str = "", key: str | None = None) -> SessionStep:
        """Make a move: the step is saved before this returns, and its computation has begun.

        Parameters
        ----------
        parent : int or None
            The step that it follows.
        move : mapping
            See `laconic.studio.moves`.
        reason : str
        key : str, optional
            A move that is sent again with the same key is the same step.
        """
        with self._lock:
            for known in self.history.steps:
                if key is not None and known.key == key:
                    return known
            before = None if parent is None else self.history.step(parent)
            if not isinstance(reason, str) or not isinstance(key, str | None):
                raise InputError("a reason and a key are texts")
            base = None if before is None else before.state
            if before is not None and base is not None and base.regularization is None:
                chosen = (before.result or {}).get("regularization")
                run = self._runs.get(before.number)
                if chosen is None and run is not None:
                    chosen = run.regularization
                if chosen is None and not (
                    isinstance(move, dict) and move.get("kind") in {"learn", "lambda"}
                ):
                    raise InputError(
                        "the price of size is still being chosen; wait for it, or stop the search"
                    )
                if chosen is not None:
                    base = StepState(base.settings, float(chosen), base.opinions)
            state = after(base, move, self.opened.columns)
            self._solver_of(state).check(state.opinions)
            now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
            key = key or f"{now} {len(self.history.steps)}"
            step = self.history.add(parent, key, move, reason, now, state)
            self._begin(step)
            return step

    def take(self, parent: int | None, move: Any, reason: str, key: str, state: StepState) -> SessionStep:
        """Take up a step with its state, as a session file holds it."""
        with self._lock:
            self._solver_of(state).check(state.opinions)
            now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
            step = self.history.add(parent, key, move, reason, now, state)
            self._begin(step)
            return step

    def look_at(self, number: int) -> None:
        """Remember the step that is looked at."""
        with self._lock:
            self.history.look_at(number)

    def set_reason(self, number: int, reason: str) -> None:
        """Change the reason of a step."""
        with self._lock:
            self.history.set_reason(number, reason)

    def result(self, number: int) -> dict[str, Any]:
        """Return what is known about a step; its computation begins if it has not."""
        with self._lock:
            run = self._runs.get(number) or self._begin(self.history.step(number))
            return run.view()

    def stop(self, number: int) -> None:
        """Stop the computation of a step, which keeps the best set found so far."""
        with self._lock:
            run = self._runs.get(number)
        if run is not None:
            run.stopper.stop()

    def wait(self, number: int) -> dict[str, Any]:
        """Return the result of a step once it is complete."""
        with self._lock:
            run = self._runs.get(number) or self._begin(self.history.step(number))
        if run.future is not None:
            run.future.result()
        return run.view()

    def answer(self, number: int) -> BestSet:
        """Return the best set of a step; a step without one yet is refused."""
        self.result(number)
        with self._lock:
            found = self._runs[number].answer
        if found is None:
            raise InputError(f"step {number} has no rules yet; wait until its search has ended")
        return found

    def model(self, number: int) -> DecisionSet:
        """Return the decision set of a step."""
        return self.answer(number).learned.model

    def solver(self, number: int) -> Solver:
        """Return the solver of a step's table."""
        return self._solver_of(self.history.step(number).state)

    def rows(self, number: int) -> tuple[pd.DataFrame, NDArray[Any]]:
        """Return the columns in use and the labels of a step."""
        return self.opened.rows(self.history.step(number).state.settings)

    def _solver_of(self, state: StepState) -> Solver:
        more = [literal for opinion in state.opinions for literal in opinion.literals]
        training = self.opened.training(state.settings, _not_offered(self.opened, state, more))
        with self._lock:
            return self._solvers.setdefault(id(training), Solver(training))

    def _begin(self, step: SessionStep) -> Computation:
        run = self._runs[step.number] = Computation()

        def publish(news: dict[str, Any]) -> None:
            run.publish(news)
            if "regularization" in news:
                run.regularization = news["regularization"]

        def compute() -> None:
            try:
                state = step.state
                known = (step.result or {}).get("regularization")
                if state.regularization is None and known is not None and "choice" in (step.result or {}):
                    publish({"choice": (step.result or {})["choice"]})
                    state = StepState(state.settings, float(known), state.opinions)
                work = StepWork(self._solver_of(state), state, publish, run.stopper)
                run.regularization, run.answer = work.run()
            except InputError as error:
                publish({"error": str(error), "phase": "refused"})
            except Exception:  # a bug of ours: the page says so, and the server goes on
                log.exception("the computation of step %d broke", step.number)
                publish({"error": "laconic broke; please report it", "phase": "refused"})
                publish({"trace": traceback.format_exc()[-2000:]})
            finally:
                run.done = True
                run.version += 1
                self._keep(step.number, run)

        run.future = self._pool.submit(compute)
        return run

    def _keep(self, number: int, run: Computation) -> None:
        """Keep what came of a step in the file."""
        shown = run.shown
        names = ("regularization", "price", "opinions", "error", "choice")
        result = {name: shown[name] for name in names if shown.get(name) is not None}
        answer = shown.get("answer")
        if answer is not None and run.answer is not None:
            result |= {
                k: answer[k] for k in ("exactCost", "cost", "bound", "proved", "errors", "size", "wrong")
            }
            result["rules"] = [str(rule) for rule in run.answer.learned.model.rules]
        with self._lock:
            if result != self.history.step(number).result:
                self.history.set_result(number, result)

    # What the page asks about a step

    def touched(self, number: int, against: int | None, group: str | None, first: int) -> dict[str, Any]:
        """Return the rows that get another class than by another step, or than by the free optimum."""
        X, y = self.rows(number)
        before = self._free(number) if against is None else self.model(against)
        return touched(X, y, before, self.model(number), group, max(0, first))

    def _free(self, number: int) -> DecisionSet:
        self.answer(number)
        run = self._runs[number]
        assert run.regularization is not None
        budget = StoppableBudget(0.0, run.stopper)
        return self.solver(number).answer(run.regularization, (), budget).learned.model

    def explain(self, number: int, row: object, values: object) -> dict[str, Any]:
        """Return what the set of a step says of a row, with some of its values changed."""
        X, y = self.rows(number)
        cells = {} if row is None else row_values(X, row)
        if not isinstance(values, dict):
            raise InputError("the values of a row must be names with values")
        found = explained(self.model(number), X, {**cells, **values})
        label = None if row is None else str(y[int(str(row))])
        return {**found, "values": {**cells, **values}, "label": label}

    def conditions(self, number: int) -> dict[str, Any]:
        """Return what rules of this step's table can be made of: columns, ranges, categories, classes."""
        solver = self.solver(number)
        X, _ = self.rows(number)
        columns = []
        by_column = offered(solver.training.binarizer.features_)
        for column in solver.training.columns:
            literals = by_column.get(column.name, [])
            values = X[column.name]
            low = high = None
            if column.kind == "numeric":
                numbers = values.dropna().astype(float)
                low, high = float(numbers.min()), float(numbers.max())
            columns.append(
                {
                    "name": column.name,
                    "kind": column.kind,
                    "low": low,
                    "high": high,
                    "whole": column.kind == "numeric"
                    and bool((values.dropna().astype(float) % 1 == 0).all()),
                    "values": [one.value for one in literals if isinstance(one, Equals) and one.op == "="],
                    "cuts": sorted({one.value for one in literals if isinstance(one, Threshold)}),
                    "missing": bool(values.isna().any()),
                }
            )
        return {"columns": columns, "classes": [str(label) for label in solver.labels]}

    def preview(self, number: int, rule: object, was: object) -> dict[str, Any]:
        """Return what a rule covers, and which rows it gains and loses against another."""
        state = self.history.step(number).state
        data = RuleData.from_document(rule)
        old = None if was is None else RuleData.from_document(was)
        more = (*data.literals, *(() if old is None else old.literals))
        solver = self._solver_of(StepState(state.settings, 0.05, (*state.opinions, *_as_opinions(more))))
        new = self._covered(solver, data)
        gone = np.zeros_like(new) if old is None else self._covered(solver, old)
        table = solver.training.table
        by_class = table.weights / float(table.scale)
        words = [str(label) for label in solver.labels]
        return {
            "classes": words,
            "covers": by_class[new].sum(axis=0).tolist(),
            "gains": by_class[new & ~gone].sum(axis=0).tolist(),
            "loses": by_class[gone & ~new].sum(axis=0).tolist(),
            "target": words.index(data.label) if data.label in words else None,
        }

    def _covered(self, solver: Solver, rule: RuleData) -> NDArray[np.bool_]:
        from laconic.problem.constraints.wording import Vocabulary

        training = solver.training
        words = Vocabulary(training.binarizer.features_, [c.name for c in training.columns], solver.labels)
        coded: CodedRule = words.rule(rule.text(solver.labels), "the rule")
        return rows_covered(coded, training.table)

    # Long computations beside the steps

    def beside(self, name: str, compute: Callable[[Computation], None]) -> dict[str, Any]:
        """Return what is known of a named computation; it begins if it has not."""
        with self._lock:
            run = self._others.get(name)
            if run is None:
                run = self._others[name] = Computation()
                run.future = self._pool.submit(self._guarded, run, compute)
                for old in [*self._others][:-KEPT_RESULTS]:
                    self._others.pop(old).stopper.stop()
            return run.view()

    def _guarded(self, run: Computation, compute: Callable[[Computation], None]) -> None:
        try:
            compute(run)
        except InputError as error:
            run.publish({"error": str(error)})
        except Exception:
            log.exception("a computation broke")
            run.publish({"error": "laconic broke; please report it"})
        finally:
            run.done = True
            run.version += 1

    def front(self, number: int) -> dict[str, Any]:
        """Return the trade-offs that were tried when λ was chosen, proved one after another."""
        root = self.history.step(number)
        while (
            root.parent is not None and "choice" not in (self._runs.get(root.number) or Computation()).shown
        ):
            root = self.history.step(root.parent)
        self.result(root.number)
        choice = self._runs[root.number].shown.get("choice")
        if choice is None:
            return {"points": [], "done": self._runs[root.number].done}
        solver = self._solver_of(StepState(root.state.settings))

        def compute(run: Computation) -> None:
            run.publish({"front": choice})
            prove_front(solver, choice, run.stopper, lambda view: run.publish({"front": view}))

        return self.beside(f"front {root.number}", compute)

    def shelf(self, number: int, within: float) -> dict[str, Any]:
        """Return the sets as good as the best of a step, or nearly."""
        if not 0 <= within <= 100:
            raise InputError(f"the distance must be a number from 0 to 100, not {within:g}")
        best, step, solver = self.answer(number), self.history.step(number), self.solver(number)
        regularization = self._runs[number].regularization
        assert regularization is not None

        def compute(run: Computation) -> None:
            budget = StoppableBudget(SHELF_SECONDS, run.stopper)
            run.publish(shelf(solver, regularization, step.state.opinions, best, within, budget))

        return self.beside(f"shelf {number} {within:g}", compute)


def _as_opinions(literals: Any) -> tuple[Opinion, ...]:
    """Return an opinion that holds conditions, so that the table offers them."""
    return tuple(Opinion("own", (RuleData("", (literal,)),)) for literal in literals)


def _not_offered(opened: StudioTable, state: StepState, literals: list[Any]) -> list[Any]:
    """Return the conditions that the table of the settings does not offer by itself."""
    if not literals:
        return []
    known = {
        one.text
        for all_of in offered(opened.training(state.settings).binarizer.features_).values()
        for one in all_of
    }
    return [one for one in literals if one.kind == "threshold" and one.text not in known]
