"""Best sets of one table under many combinations of opinions, each from what is known of the others.

Opinions only restrict: every set that respects some of them respects any part of these. So at one λ a bound
for some opinions holds for more of them, and a set for some opinions is a set for fewer. A combination whose
best inherited set costs as much as its best inherited bound needs no search.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from laconic.data.labels import label_tuple
from laconic.data.training import TrainingTable
from laconic.engines.api import OnProgress
from laconic.engines.warm import Start
from laconic.learning.learn import Learned, SearchSettings, learn
from laconic.learning.problem import problem_of
from laconic.model.proof import Proof
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Objective, Problem, cost
from laconic.runtime.budget import Budget
from laconic.studio.opinions import Opinion, constraints_of

OpinionKeys = frozenset[str]


@dataclass(frozen=True)
class BestSet:
    """The best set found under some opinions, and what is proved about it, in the user's units.

    Attributes
    ----------
    learned : Learned
    cost, lower_bound : Fraction
    errors : Fraction
        As the objective counts them.
    wrong : Fraction
        Weight of the rows that `predict` gets wrong.
    size, rules, conditions : int
    """

    learned: Learned
    cost: Fraction
    lower_bound: Fraction
    errors: Fraction
    wrong: Fraction
    size: int
    rules: int
    conditions: int

    @classmethod
    def of(cls, learned: Learned) -> BestSet:
        """Return the answer that a search gave.

        Parameters
        ----------
        learned : Learned
        """
        model, proof = learned.model, learned.model.facts
        return cls(
            learned,
            Fraction(proof.in_user_units(proof.cost)),
            Fraction(proof.in_user_units(proof.lower_bound)),
            Fraction(proof.errors) / proof.weight_scale,
            Fraction(model.mispredicted or 0),
            model.size,
            len(model.rules),
            model.n_literals,
        )

    @property
    def proved(self) -> bool:
        """Whether no set that respects the opinions is cheaper."""
        return self.learned.model.facts.optimal


class Solver:
    """Solves one training table under opinions, and remembers all answers.

    Parameters
    ----------
    training : TrainingTable
    """

    def __init__(self, training: TrainingTable) -> None:
        self.training = training
        self.labels = label_tuple(training.classes)
        self._known: dict[tuple[float, OpinionKeys], BestSet] = {}
        self._lock = threading.Lock()

    def answer(
        self,
        regularization: float,
        opinions: Iterable[Opinion],
        budget: Budget,
        watch: Callable[[Problem], OnProgress | None] = lambda _: None,
    ) -> BestSet:
        """Return the best set under opinions; a known answer is searched on only if it is not proved.

        Parameters
        ----------
        regularization : float
            λ.
        opinions : iterable of Opinion
        budget : Budget
        watch : callable
            As in `laconic.learning.learn.SearchSettings`.
        """
        held = list(opinions)
        key = (regularization, frozenset(one.key for one in held))
        with self._lock:
            known = self._known.get(key)
        if known is not None and (known.proved or budget.expired()):
            return known
        constraints = constraints_of(held, self.labels)
        goal = Objective(regularization=regularization)
        start = self._start(key, problem_of(self.training, goal, constraints))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the page says what matters about columns and classes
            found = learn(self.training, goal, SearchSettings(budget, watch=watch), start, constraints)
        answer = BestSet.of(found)
        with self._lock:
            other = self._known.get(key)
            if other is None or answer.proved or answer.cost < other.cost:
                self._known[key] = answer
            return self._known[key]

    def remember(self, regularization: float, learned: Learned) -> BestSet:
        """Take up an answer without opinions that was found elsewhere.

        Parameters
        ----------
        regularization : float
        learned : Learned
        """
        answer = BestSet.of(replace(learned, model=replace(learned.model, choice=None)))
        with self._lock:
            return self._known.setdefault((regularization, frozenset()), answer)

    def check(self, opinions: Iterable[Opinion], regularization: float = 0.05) -> None:
        """Refuse opinions that contradict each other or the table, without a search.

        Parameters
        ----------
        opinions : iterable of Opinion
        regularization : float
        """
        constraints = constraints_of(opinions, self.labels)
        problem_of(self.training, Objective(regularization=regularization), constraints)

    def _start(self, key: tuple[float, OpinionKeys], problem: Problem) -> Start | None:
        """Return the cheapest known set that respects the constraints, and the best inherited bound."""
        regularization, opinions = key
        with self._lock:
            known = [(one, answer) for (at, one), answer in self._known.items() if at == regularization]
        bound = 0
        best: tuple[int, tuple[CodedRule, ...]] | None = None
        needed, banned = problem.constraints.rules_in, problem.constraints.rules_out
        for others, answer in known:
            proof = answer.learned.model.facts
            if others <= opinions and _same_units(proof, problem):
                bound = max(bound, proof.lower_bound)
            for rules in (proof.rules, tuple(sorted({*proof.rules, *needed} - banned))):
                found = cost(problem, rules)
                if found is not None and (best is None or found < best[0]):
                    best = found, rules
        return None if best is None else Start(best[1], min(bound, best[0]))


def _same_units(proof: Proof, problem: Problem) -> bool:
    """Whether the integers of a proof are in the units of a problem on the same table."""
    of_proof = proof.error_cost, proof.literal_cost, proof.rule_cost, proof.weight_scale
    own = problem.error_cost, problem.literal_cost, problem.rule_cost, problem.table.scale
    return of_proof == own
