# What native/src/testing offers; kept by hand, checked by tests/runtime/test_native.py.
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

def run_parts(n_parts: int, threads: int, fails_at: int, throws_at: int) -> tuple[bool, list[int]]: ...
def cheapest_cover(
    n_rows: int, covers: list[list[int]], costs: list[int], upper_bound: int, afresh: bool = False
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
) -> tuple[bool, list[int], list[tuple[int, int, int]], list[list[int]]]: ...

class AscentFigures:
    def __init__(self, is_coarse: bool, best: float, target: float, n_pairs: float) -> None: ...

class RoundPolicy:
    def __init__(self, is_large: bool, options: Mapping[str, float] = ...) -> None: ...
    def n_steps(self, is_coarse: bool) -> int: ...
    @property
    def max_pairs(self) -> int: ...
    @property
    def is_first(self) -> bool: ...
    def note_ascent(self, ascent: AscentFigures, n_steps: int) -> None: ...
    def needs_finer_groups(self, ascent: AscentFigures, proved: float = ..., cost: float = ...) -> bool: ...
    def make_finer(self) -> None: ...
    def note_partial_pass(self, n_found: int, n_nodes: float) -> None: ...
    def needs_pass(self, ascent: AscentFigures, has_bound: bool, pass_nodes: float) -> bool: ...
    def share_before_last_pass(self, ascent: AscentFigures) -> float: ...
    def note_pass(self, n_nodes: float) -> None: ...
    def has_converged(self, ascent: AscentFigures, n_found: int, proved: float, cost: float) -> bool: ...
    def put_list_off(self) -> None: ...
    @property
    def has_waited(self) -> bool: ...
    def end_round(self, list_grew: bool, pass_complete: bool) -> None: ...

class PassTrust:
    def __init__(self, options: Mapping[str, float] = ...) -> None: ...
    @property
    def value(self) -> float: ...
    @property
    def is_near(self) -> bool: ...
    @property
    def last_nodes(self) -> float: ...
    def succeed(self, n_nodes: float, limit: int) -> None: ...
    def fail(self, limit: int) -> None: ...
    def interrupt(self) -> None: ...
