# What native/src/bindings offers; kept by hand, checked by tests/runtime/test_native.py.
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

def cpu_has_avx2() -> bool: ...
def group_rows(rows: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...

MOST_CUTS: int
MISSING_PLACE: int

def rows_of_classes(
    bits: NDArray[np.uint64],
    n_rows: int,
    n_classes: int,
    targets: Sequence[int],
    rules: Sequence[Sequence[int]],
) -> NDArray[np.bool_]: ...
def decide_rows(
    n_rows: int,
    columns: list[tuple[NDArray[Any], bool, list[float]]],
    conditions: list[tuple[int, int, int, bool] | NDArray[np.bool_]],
    rules: list[list[int]],
    answers: list[int],
) -> NDArray[np.int64] | None: ...
def resident_bytes() -> int: ...

class StopFlag:
    def __init__(self, memory_limit: int = 0) -> None: ...
    def raise_flag(self) -> None: ...
    def set_seconds_left(self, seconds: float) -> None: ...
    def set_threads(self, n: int) -> None: ...
    def out_of_memory(self) -> bool: ...
    def was_out_of_memory(self) -> bool: ...

class CoverSolver:
    def __init__(
        self,
        bits: NDArray[np.uint64],
        literals: list[int],
        positives: NDArray[np.int64],
        negatives: NDArray[np.int64],
        rule_cost: int,
        literal_cost: int,
        seed: int,
    ) -> None: ...
    def take_turn(self, seconds: float, stop: StopFlag) -> bool: ...
    def settle(self) -> None: ...
    def advance(self, seconds: float, stop: StopFlag) -> bool: ...
    def take_turn_of(self, units: int, seconds: float, stop: StopFlag) -> bool: ...
    @property
    def work(self) -> int: ...
    @property
    def longest_silence(self) -> float: ...
    def set_local_steps(self, steps: int) -> None: ...
    def set_words_listed(self, words: int) -> None: ...
    def best(self) -> list[list[int]]: ...
    def counts(self) -> dict[str, int]: ...
    @property
    def lower_bound(self) -> int: ...
    @property
    def upper_bound(self) -> int: ...
    @property
    def relaxation(self) -> float: ...
    @property
    def n_literals(self) -> int: ...
    @property
    def proved(self) -> bool: ...
    @property
    def finished(self) -> bool: ...

def cheapest_cover(
    n_rows: int, covers: list[list[int]], costs: list[int], upper_bound: int
) -> list[int] | None: ...
def judge_prices(
    covers: list[list[int]], costs: list[int], prices: list[int], goal: int
) -> tuple[bool, list[bool]]: ...
def cheapest_listed(n_rows: int, covers: list[list[int]], costs: list[int]) -> tuple[list[int], int, int]: ...
def grow_rules(
    bits: NDArray[np.uint64],
    literals: list[int],
    positives: NDArray[np.int64],
    negatives: NDArray[np.int64],
    wanted: list[tuple[list[int], int]],
) -> list[tuple[list[int], list[int]]]: ...
def rebuild_cover(
    bits: NDArray[np.uint64],
    literals: list[int],
    positives: NDArray[np.int64],
    negatives: NDArray[np.int64],
    rounds: int,
    times: int,
    most_columns: int,
    seconds: float,
) -> tuple[list[list[int]], list[list[int]]]: ...
def list_rules(
    bits: NDArray[np.uint64],
    literals: list[int],
    positives: NDArray[np.int64],
    negatives: NDArray[np.int64],
    rule_cost: int,
    literal_cost: int,
    words: int,
) -> tuple[list[list[int]], bool]: ...
def price_rules(
    bits: NDArray[np.uint64],
    literals: list[int],
    positives: NDArray[np.int64],
    negatives: NDArray[np.int64],
    rule_cost: int,
    literal_cost: int,
    y: list[int],
    scale: int,
    threshold: int,
    max_columns: int,
    keep_per_seed: int,
    unpriced_too: bool,
) -> tuple[list[tuple[list[int], int]], bool]: ...

class SparseSolver:
    def __init__(
        self,
        bits: NDArray[np.uint64],
        allowed: NDArray[np.bool_],
        in_class: NDArray[np.int64],
        outside: NDArray[np.int64],
        rule_cost: int,
        literal_cost: int,
    ) -> None: ...
    def take_turn(self, seconds: float, stop: StopFlag) -> bool: ...
    def settle(self) -> None: ...
    def advance(self, seconds: float, stop: StopFlag) -> bool: ...
    def take_turn_of(self, units: int, seconds: float, stop: StopFlag) -> bool: ...
    @property
    def work(self) -> int: ...
    @property
    def longest_silence(self) -> float: ...
    def incumbent(self) -> list[list[int]]: ...
    def best(self) -> list[list[int]]: ...
    def counts(self) -> dict[str, int]: ...
    @property
    def lower_bound(self) -> int: ...
    @property
    def upper_bound(self) -> int: ...
    @property
    def proved(self) -> bool: ...
    @property
    def shares_work(self) -> bool: ...
    @property
    def finished(self) -> bool: ...

class CompulsorySolver(SparseSolver): ...

class PassForecast:
    def __init__(self, before: list[int], seconds: float, can_go_farther: bool) -> None: ...
    def goes_on(self, part: int, n_nodes: int, n_so_far: int, seconds_so_far: float) -> bool: ...
    @property
    def seconds(self) -> float: ...

def list_candidates(
    bits: NDArray[np.uint64],
    allowed: NDArray[np.bool_],
    in_class: NDArray[np.int64],
    outside: NDArray[np.int64],
    rule_cost: int,
    literal_cost: int,
    cap: int,
    seconds: float,
    stop: StopFlag,
) -> list[list[int]] | None: ...
def cheapest_enumerated(
    bits: NDArray[np.uint64],
    allowed: NDArray[np.bool_],
    in_class: NDArray[np.int64],
    outside: NDArray[np.int64],
    rule_cost: int,
    literal_cost: int,
) -> int: ...
def row_dual(
    pos_weight: list[int], neg_weight: list[int], prices: list[float], blame: list[float]
) -> tuple[int, list[int], list[list[float]]]: ...
def greedy_coverings(
    bits: NDArray[np.uint64],
    allowed: NDArray[np.bool_],
    in_class: NDArray[np.int64],
    outside: NDArray[np.int64],
    rule_cost: int,
    literal_cost: int,
) -> tuple[list[list[int]], list[list[int]]]: ...

class SparsePrices:
    def __init__(
        self,
        pos: NDArray[np.bool_],
        pos_weight: list[int],
        neg: NDArray[np.bool_],
        neg_weight: list[int],
        rule_cost: int,
        literal_cost: int,
        scale: int,
    ) -> None: ...
    def raise_to(
        self, target: int, start: list[list[int]], rounds: int, seconds: float, stop: StopFlag
    ) -> bool: ...
    @property
    def stalled(self) -> bool: ...
    @property
    def sum(self) -> int: ...
    def prices(self) -> list[int]: ...
    def groups(self) -> tuple[list[int], list[int]]: ...
    def blame(self) -> list[tuple[int, int, int]]: ...
    def splitters(self) -> list[list[int]]: ...
    def shares(self) -> list[tuple[list[int], float]]: ...

def repair_prices(
    pos: NDArray[np.bool_],
    pos_weight: list[int],
    neg: NDArray[np.bool_],
    neg_weight: list[int],
    rule_cost: int,
    literal_cost: int,
    scale: int,
    prices: list[int],
    blame: list[tuple[int, int, int]],
    spare_prices: int,
    spare_blame: float,
    threads: int,
    width: int,
    stop: StopFlag,
) -> tuple[bool, list[int], list[tuple[int, int, int]], list[list[int]]]: ...

class CoverPrices:
    def __init__(
        self, pos: NDArray[np.bool_], neg: NDArray[np.bool_], rule_cost: int, literal_cost: int
    ) -> None: ...
    def relax(self, seconds: float, stop: StopFlag) -> bool: ...
    @property
    def scale(self) -> int: ...
    def prices(self) -> list[int]: ...
    def shares(self) -> list[tuple[list[int], float]]: ...

class NearOptimal:
    def __init__(
        self,
        bits: NDArray[np.uint64],
        allowed: NDArray[np.bool_],
        in_class: NDArray[np.int64],
        outside: NDArray[np.int64],
        rule_cost: int,
        literal_cost: int,
        gross: bool = False,
    ) -> None: ...
    def raise_prices(
        self, target: int, start: list[list[int]], rounds: int, seconds: float, stop: StopFlag
    ) -> bool: ...
    def list_rules(
        self,
        max_cost: int,
        min_alone: int,
        min_pos: list[int],
        exchange: bool,
        cap: int,
        seconds: float,
        stop: StopFlag,
    ) -> bool: ...
    def all_sets(
        self, max_cost: int, cap: int, seconds: float, stop: StopFlag
    ) -> tuple[bool, list[tuple[int, list[list[int]]]], int]: ...
    def cheapest_within(
        self,
        most: int,
        per_rule: int,
        per_literal: int,
        price: int,
        max_paid: int,
        step: int,
        seconds: float,
        stop: StopFlag,
    ) -> tuple[bool, list[list[int]] | None, int]: ...
    def rules(self) -> list[list[int]]: ...
    @property
    def n_rules(self) -> int: ...
    @property
    def constant(self) -> int: ...
    @property
    def bound(self) -> int: ...
