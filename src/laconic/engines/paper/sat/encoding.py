"""A decision set as a sequence of nodes: the paper's model, Sections 3.1 to 3.5.

Each of the nodes 1, 2, 3 … holds one literal or ends a rule (a *leaf*, which names the class). A rule is the
sequence of literals up to its leaf. A row is *valid* at a node if it satisfies the literals of the current
rule so far.

Variables of node j: ``choose[ℓ]`` (the paper's s_jr and t_j combined: the literal with its sign), ``leaf[c]``
for each class searched for, ``valid[i]`` for each row (not needed for node 1, where every row is valid, eq.
3), ``covered[i]``.

===========  =======================================================================================
eq. 1        at most one choice per node. A node without a choice only wastes a unit of size.
eq. 4        validity, split into its two directions; a row gets only those it needs:
             rows that must not be claimed need *valid if it follows*:
             leaf_j → v_i(j+1)   and   v_ij ∧ no chosen literal excludes i → v_i(j+1);
             rows that want to be claimed need *valid only if it follows*:
             v_i(j+1) → leaf_j ∨ v_ij   and   v_i(j+1) → leaf_j ∨ some chosen literal holds on i.
eq. 5, 12    a leaf of class c and a valid row of another class exclude each other, or the row pays.
eq. 6, 10    a row of class c is covered at some node: a leaf of c where it is valid, or the row pays.
eq. 7 to 9   ``unused`` nodes at the end, for MaxSAT.
===========  =======================================================================================

Tseitin variables for "node j agrees with row i" are not needed. The agreement of a row is one clause over the
literals that hold on it, and with at most one choice per node this clause propagates like the authors'
definitions.

The sequence grows node by node and emits the clauses of each step once, so one solver serves all sizes.
Clauses that hold for exactly N nodes (the last node is a leaf, eq. 2; nothing is covered later, eq. 6) depend
on an activation variable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from laconic.engines.paper.sat.atmostone import by_cardinality, by_prefix, ladder
from laconic.engines.paper.sat.options import CARDINALITIES, PREFIX
from laconic.engines.paper.sat.symmetry import Anchors, FirstFeatures, increasing_features
from laconic.engines.paper.satkit.clauses import Clauses, batches
from laconic.engines.paper.satkit.view import SearchView
from laconic.problem.coded import CodedRule


@dataclass(frozen=True, eq=False)
class Node:
    """The variables of one node; 0 stands for a row without a variable."""

    choose: NDArray[np.int64]
    leaf: NDArray[np.int64]
    any_leaf: int
    unused: int
    valid: NDArray[np.int64] | None
    covered: NDArray[np.int64]
    prefix: list[int]


@dataclass(eq=False)
class NodeSequence:
    """The clauses of a growing sequence of nodes.

    Parameters
    ----------
    view : SearchView
    shun : ndarray of bool, shape (n_rows, n_targets)
        Whether a rule of the target class should not claim the row.
    Whether a rule of the target class should cover the row.
        Whether the row wants a rule of the target class.
    pays : ndarray of int, shape (n_rows, n_targets)
        The variable "the row pays as a row of this class"; 0 if errors are not allowed.
    with_unused : bool
        Whether nodes may be unused (MaxSAT).
    cardinality, symmetry : str
    anchors : sequence of int
        Rows of which no rule covers two, for anchored symmetry breaking.
    top : int
        The highest variable already in use.
    """

    view: SearchView
    shun: NDArray[np.bool_]
    want: NDArray[np.bool_]
    pays: NDArray[np.int64]
    with_unused: bool
    cardinality: str
    symmetry: str
    anchors: tuple[int, ...] = ()
    top: int = 0
    nodes: list[Node] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._n_groups = int(self.view.groups.max(initial=-1)) + 1
        self._avoids = self.shun.any(axis=1)
        self._wants = self.want.any(axis=1)
        self._anchors = Anchors(self.view, self.anchors) if self.anchors else None
        self._first = FirstFeatures(self._n_groups) if self.symmetry == "paper" else None
        # For each row and class, the variable for the rest of the coverage clause beyond the nodes so far.
        self._later = np.zeros_like(self.pays)

    def new(self, count: int) -> NDArray[np.int64]:
        """Return new variables."""
        block = np.arange(self.top + 1, self.top + 1 + count)
        self.top += count
        return block

    def grow(self) -> Iterator[Clauses]:
        """Append one node and yield its clauses in batches."""
        before = self.nodes[-1] if self.nodes else None
        node = self._new_node(before is None)
        self.nodes.append(node)
        yield self._one_choice(node)
        yield self._breaking_symmetry(before, node)
        if before is not None:
            if self.with_unused:
                # Eqs. 8 and 9: unused nodes come last, and the last used node is a leaf.
                yield [[-before.unused, node.unused], [-node.unused, before.unused, before.any_leaf]]
            yield from self._validity(before, node)
        yield from self._shunned(node)
        yield from self._coverage(node)

    def close(self) -> tuple[int, Iterator[Clauses]]:
        """Return the activation variable that makes the last node the end, and its clauses."""
        end = int(self.new(1)[0])
        last = self.nodes[-1]
        final = [last.any_leaf, last.unused] if self.with_unused else [last.any_leaf]

        def clauses() -> Iterator[Clauses]:
            yield [[-end, *final]]
            later = self._later[self.want]
            yield [[-end, -int(e)] for e in later]

        return end, clauses()

    def decode(self, model: list[int]) -> list[CodedRule]:
        """Return the rules of a model, including wasted ones."""
        rules = []
        body: list[int] = []
        for node in self.nodes:
            body += [int(self.view.codes[k]) for k, s in enumerate(node.choose.tolist()) if model[s - 1] > 0]
            for target, leaf in zip(self.view.targets, node.leaf.tolist(), strict=True):
                if model[leaf - 1] > 0:
                    rules.append(CodedRule.of(target, body))
                    body = []
        return rules

    def _new_node(self, is_first: bool) -> Node:
        n_targets = len(self.view.targets)
        leaf = self.new(n_targets)
        needs_prefix = self.cardinality == PREFIX or self.symmetry != "none"
        covered = np.zeros(self.want.shape, np.int64)
        # Every row is valid at node 1, so "covered" is the leaf itself.
        covered[self.want] = (
            np.broadcast_to(leaf, covered.shape)[self.want] if is_first else self.new(int(self.want.sum()))
        )
        return Node(
            choose=self.new(self.view.n_literals),
            leaf=leaf,
            any_leaf=int(leaf[0]) if n_targets == 1 else int(self.new(1)[0]),
            unused=int(self.new(1)[0]) if self.with_unused else 0,
            valid=None if is_first else self.new(self.view.n_rows),
            covered=covered,
            prefix=self.new(self._n_groups).tolist() if needs_prefix else [],
        )

    def _one_choice(self, node: Node) -> Clauses:
        others = [*node.leaf.tolist(), *([node.unused] if self.with_unused else [])]
        clauses: Clauses = []
        if node.prefix:
            clauses += ladder(node.choose, self.view.groups, node.prefix)
        if self.cardinality == PREFIX:
            clauses += by_prefix(node.choose, self.view.groups, others, node.prefix)
        else:
            everything = [*node.choose.tolist(), *others]
            encoded, self.top = by_cardinality(everything, self.top, CARDINALITIES[self.cardinality])
            clauses += encoded
        if len(self.view.targets) > 1:
            clauses += [[-leaf, node.any_leaf] for leaf in node.leaf.tolist()]
            clauses.append([-node.any_leaf, *node.leaf.tolist()])
        clauses.append([*node.choose.tolist(), *others])
        return clauses

    def _breaking_symmetry(self, before: Node | None, node: Node) -> Clauses:
        clauses: Clauses = []
        if self.symmetry != "none" and before is not None:
            clauses += increasing_features(before.choose, self.view.groups, node.prefix)
        if self._first is not None:
            start = None if before is None else before.any_leaf
            fresh = self.new(self._n_groups).tolist()
            clauses += self._first.extend(start, node.choose, self.view.groups, node.prefix, fresh)
        if self._anchors is not None:
            previous_leaf = None if before is None else before.any_leaf
            fresh = [] if before is None else self.new(len(self.anchors)).tolist()
            clauses += self._anchors.extend(previous_leaf, node.choose, fresh)
        return clauses

    def _validity(self, before: Node, node: Node) -> Iterator[Clauses]:
        assert node.valid is not None
        leaf = before.any_leaf
        # At an unused node, a row that is both wanted and shunned would have to be valid and invalid.
        idle = [before.unused] if self.with_unused else []
        choose, holds = before.choose, self.view.holds
        for rows in batches(np.flatnonzero(self._avoids)):
            batch: Clauses = []
            for i in rows:
                now = int(node.valid[i])
                still = [] if before.valid is None else [-int(before.valid[i])]
                batch.append([-leaf, now])
                batch.append([now, *still, *idle, *choose[~holds[i]].tolist()])
            yield batch
        for rows in batches(np.flatnonzero(self._wants)):
            batch = []
            for i in rows:
                now = int(node.valid[i])
                if before.valid is not None:
                    batch.append([-now, leaf, int(before.valid[i])])
                batch.append([-now, leaf, *choose[holds[i]].tolist()])
            yield batch

    def _shunned(self, node: Node) -> Iterator[Clauses]:
        """Forbid leaves of a class where a row of another class is valid, or make the row pay."""
        n_targets = len(self.view.targets)
        for rows in batches(np.flatnonzero(self._avoids)):
            batch: Clauses = []
            for i in rows:
                valid = [] if node.valid is None else [-int(node.valid[i])]
                if n_targets == 1:
                    pay = [int(self.pays[i, 0])] if self.pays[i, 0] else []
                    batch.append([-node.any_leaf, *valid, *pay])
                    continue
                for own in np.flatnonzero(self.want[i]):
                    pay = [int(self.pays[i, own])] if self.pays[i, own] else []
                    batch += [[-int(node.leaf[c]), *valid, *pay] for c in range(n_targets) if c != own]
            yield batch

    def _coverage(self, node: Node) -> Iterator[Clauses]:
        for rows in batches(np.flatnonzero(self._wants)):
            batch: Clauses = []
            for i in rows:
                for own in np.flatnonzero(self.want[i]):
                    covered = int(node.covered[i, own])
                    if node.valid is not None:
                        batch.append([-covered, int(node.leaf[own])])
                        batch.append([-covered, int(node.valid[i])])
                    first = not self._later[i, own]
                    later = int(self.new(1)[0])
                    pay = [int(self.pays[i, own])] if first and self.pays[i, own] else []
                    so_far = [] if first else [-int(self._later[i, own])]
                    batch.append([*so_far, *pay, covered, later])
                    self._later[i, own] = later
            yield batch
