"""A front searched by the workers of a cluster.

The facts about a class (`Facts`: sets, lines and bounds) are small enough to send. A task takes the facts of
one class and a query, and returns more facts, which can be merged in any order. First every class is one
task, which finds the easy corners. Then every open stretch between neighbouring corners is a task of its own,
since bounds at the prices of one stretch say nothing about another; and so is the share of a class in a
size. Tasks are short at first and longer each time.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction

from laconic.engines.exact.remote import share_of
from laconic.engines.fronts.all_classes import AT_ONCE, FIRST_SHARE, FIRST_UNITS, WholeFront
from laconic.engines.fronts.closing import Closer
from laconic.engines.fronts.one_class import FIRST_COVER, ClassFront, Facts
from laconic.engines.fronts.stairs import ALL_SIZES, ANY_PRICE
from laconic.engines.rows_of_class import RowsOfClass
from laconic.engines.tuning import Tuning
from laconic.runtime.budget import Budget
from laconic.runtime.remote import spread

NO_SIZES = (math.inf, math.inf)

GROWTH = 4
"""Factor of the time of a search that did not finish; it starts from the beginning on another worker."""


@dataclass(frozen=True)
class Question:
    """A query about a class: corners within some sizes and above a price, or the errors at one size.

    With ``cover``, also a set without avoidable errors.
    """

    place: int
    sizes: tuple[float, float] = ALL_SIZES
    size: int | None = None
    cover: bool = False
    floor: Fraction = ANY_PRICE
    price: Fraction | None = None


@dataclass(frozen=True)
class Errand:
    """A worker task: a class, numbered 0, against all others, its known points, and what to search."""

    rows: RowsOfClass
    max_size: int | None
    seed: int
    facts: Facts
    question: Question
    seconds: float
    units: int
    limit: float
    memory: int | None
    tuning: Tuning = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """The points and bounds that a worker returns."""

    facts: Facts
    hopeless: frozenset[tuple[int, int, int]]
    counts: Counter[str]
    out_of_memory: bool


def answer(errand: Errand) -> Answer:
    """Run a query on a worker."""
    budget = Budget(None if math.isinf(errand.limit) else errand.limit, memory=errand.memory)
    question, stop = errand.question, budget.stop_flag()
    first_cover = min(FIRST_COVER, 0.2 * budget.remaining()) if question.cover else None
    front = ClassFront(errand.rows, errand.max_size, errand.seed, first_cover, errand.tuning)
    front.learn(errand.facts)
    closer = Closer(front)
    if question.price is not None:
        front.probe(question.price, errand.limit, stop, errand.units)
    elif question.size is None:
        front.find_corners(errand.units, budget, stop, sizes=question.sizes, floor=question.floor)
    else:
        closer.learn(question.size, errand.seconds, budget, stop)
    return Answer(
        front.facts(), frozenset(closer.too_many), front.counts + closer.counts, budget.out_of_memory()
    )


class RemoteFront(WholeFront):
    """A `WholeFront` whose queries run on remote workers."""

    def _start(
        self, rows: Sequence[RowsOfClass], max_size: int | None, seed: int, budget: Budget
    ) -> list[ClassFront]:
        self._seed, self._limit = seed, max_size
        self.fronts = [ClassFront(one, max_size, seed, None, self._tuning) for one in rows]
        covers = [Question(place, NO_SIZES, cover=True) for place in range(len(rows))]
        with self._answers(covers, budget.part(FIRST_SHARE)) as answers:
            for k, one in answers:
                self.fronts[k].learn(one.facts)
        return self.fronts

    def find_corners(self, budget: Budget, report: Callable[[], None] = lambda: None) -> None:
        """Search for every corner of the hull, until all are proved or the time is over."""
        self._sweep(budget, report)
        questions = self._open_stretches(self.most_work(budget))
        units = FIRST_UNITS
        while questions and self._may_go_on(budget):
            self._ask(questions, budget, report, units=units)
            questions = self._open_stretches(self.most_work(budget))
            units *= GROWTH

    def probe_all(self, price: Fraction, budget: Budget, report: Callable[[], None]) -> None:
        """Search every class briefly at a price."""
        questions = [Question(place, price=price) for place in range(len(self.fronts))]
        self._ask(questions, budget, report, units=FIRST_UNITS)

    def _open_stretches(self, most: int) -> list[Question]:
        """Return a query for every open stretch that is worth more work, small sets first."""
        floor = self.price_floor()
        ranked = sorted(
            (rank, place, sizes)
            for place, front in enumerate(self.fronts)
            for rank, (price, sizes) in enumerate(front.open_stretches(floor))
            if front.work.get(price, 0) < most
        )
        chosen = ranked[: max(AT_ONCE, self._n_jobs)]
        return [Question(place, sizes, cover=math.isinf(sizes[1]), floor=floor) for _, place, sizes in chosen]

    def _work_on(self, size: int, seconds: float, budget: Budget, report: Callable[[], None]) -> None:
        """Query the classes' shares of a size until it is proved or a round makes no progress."""
        # One size at a time, as in a search in this process: several at once would find other sets of equal
        # cost.
        while size <= self.max_size and self.proved[size] < self.achieved[size]:
            questions = [
                Question(place, size=part)
                for place, part in self._proved_shares(size)
                if self._size_task(place, part, seconds, budget) is not None
            ]
            if not self._may_go_on(budget) or not self._ask(questions, budget, report, seconds=seconds):
                return

    def _ask(
        self,
        questions: list[Question],
        budget: Budget,
        report: Callable[[], None],
        *,
        seconds: float = math.inf,
        units: int = 0,
    ) -> bool:
        """Run queries, within some seconds or work units each; return whether any made progress."""
        before = [self._state(place) for place in range(len(self.fronts))]
        try:
            with self._answers(questions, budget, seconds, units) as answers:
                for k, one in answers:
                    self._learn(questions[k].place, one)
                    report()
        except KeyboardInterrupt:
            self.interrupted = True
        return before != [self._state(place) for place in range(len(self.fronts))]

    def _answers(
        self, questions: list[Question], budget: Budget, seconds: float = 0.0, units: int = 0
    ) -> closing[Generator[tuple[int, Answer], None, None]]:
        left = budget.remaining()
        limit = share_of(left, len(questions), self._n_jobs)
        fronts = [self.fronts[question.place] for question in questions]
        errands = [
            Errand(
                front.rows.against_rest(),
                self._limit,
                self._seed,
                front.facts(),
                question,
                seconds,
                units,
                limit,
                budget.memory_limit,
                self._tuning,
            )
            for front, question in zip(fronts, questions, strict=True)
        ]
        return closing(spread(answer, errands, self._n_jobs, left))

    def _learn(self, place: int, one: Answer) -> None:
        front, closer = self.fronts[place], self._closers[place]
        front.learn(one.facts)
        front.counts.update(one.counts)
        closer.too_many |= one.hopeless
        self.out_of_memory |= one.out_of_memory
        self.refresh()

    def _state(self, place: int) -> tuple[list[int], list[int], int]:
        front = self.fronts[place]
        return front.proved.tolist(), front.achieved.tolist(), len(self._closers[place].too_many)
