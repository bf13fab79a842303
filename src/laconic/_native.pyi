# What native/src/bindings.cpp offers; kept by hand, checked by tests/test_native.py.
import numpy as np
from numpy.typing import NDArray

def cpu_has_avx2() -> bool: ...
def group_rows(rows: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...

class StopFlag:
    def __init__(self) -> None: ...
    def raise_flag(self) -> None: ...

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
    def advance(self, seconds: float, stop: StopFlag) -> bool: ...
    def set_local_steps(self, steps: int) -> None: ...
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
    keep_best: bool,
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
    def advance(self, seconds: float, stop: StopFlag) -> bool: ...
    def best(self) -> list[list[int]]: ...
    def counts(self) -> dict[str, int]: ...
    @property
    def lower_bound(self) -> int: ...
    @property
    def upper_bound(self) -> int: ...
    @property
    def proved(self) -> bool: ...
    @property
    def finished(self) -> bool: ...

class CompulsorySolver(SparseSolver): ...

def joint_candidates(
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
