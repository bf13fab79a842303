"""The errors that `tools/mutants.py` puts into the code, and the tests that should notice them.

Errors called "known" survived the tests once. The others were chosen from the code alone, before anybody
looked which tests might notice them: comparisons, limits off by one, bounds the wrong way, conditions and
updates left out.
"""

from __future__ import annotations

from dataclasses import dataclass

CHECKER = "src/laconic/checking/checker.py"
SETS, RULES = "native/src/near/sets.cpp", "native/src/near/rules.cpp"
COVER = "native/src/cover/"
SPARSE = "native/src/sparse/"
LAZY = "src/laconic/engines/exact/lazy_rows/"
JOINT = "src/laconic/engines/exact/joint/"


@dataclass(frozen=True)
class Mutant:
    """One error: in `file` the text `old`, which is there once, becomes `new`."""

    area: str
    name: str
    file: str
    old: str
    new: str
    harmless: str = ""  # why it may survive


TESTS: dict[str, list[str]] = {
    "checker": ["tests/checking/test_checker_mutants.py", "tests/checking/test_checker.py"],
    "near": ["tests/engines/test_near.py", "tests/engines/test_front.py"],
    "cover": [
        "tests/engines/test_cover_mutants.py",
        "tests/engines/test_exact_cover_parts.py",
        "tests/engines/test_exact_perfect.py",
    ],
    "sparse": [
        "tests/engines/test_exact_sparse.py",
        "tests/engines/test_rule_listing.py",
        "tests/engines/test_rule_pricer.py",
    ],
    "lazy rows": ["tests/engines/test_lazy_rows.py"],
    "joint": ["tests/engines/test_exact_joint.py"],
}

MUTANTS = [
    # Known to have survived.
    Mutant(
        "checker",
        "known: a bound per row is the sum of the classes' bounds over half the share",
        CHECKER,
        "self.share = 2 * (len(self.classes) - 1) if",
        "self.share = (len(self.classes) - 1) if",
    ),
    Mutant(
        "checker",
        "known: per row, the own class bears all of an error",
        CHECKER,
        "own * self.error_cost * max(1, self.share // 2)",
        "own * self.error_cost * max(1, self.share)",
    ),
    Mutant(
        "checker",
        "known: a rule may be overpaid by one unit",
        CHECKER,
        "if (value > 0).any():",
        "if (value > 1).any():",
    ),
    Mutant(
        "checker",
        "known: every_class asks for no rule of each class",
        CHECKER,
        "if self.every_class and not set(self.classes)",
        "if False and not set(self.classes)",
    ),
    Mutant(
        "checker",
        "known: beaten literals are left out although a rule must exist",
        CHECKER,
        "pointless = any(rows.size == 0 for rows in problem.some)",
        "pointless = False",
    ),
    Mutant(
        "near",
        "known: a literal stays if leaving it out costs nothing",
        SETS,
        "if (lost <= gained) return false;",
        "if (lost < gained) return false;",
    ),
    Mutant(
        "cover",
        "known: a node whose bound is the cost looked for is closed",
        COVER + "branch.cpp",
        "return bound <= kBranchScale * (goal - 1); }",
        "return bound < kBranchScale * (goal - 1); }",
    ),
    Mutant(
        "cover",
        "known: nodes are closed one unit of cost too early",
        COVER + "branch.cpp",
        "return bound <= kBranchScale * (goal - 1); }",
        "return bound <= kBranchScale * (goal - 2); }",
    ),
    Mutant(
        "cover",
        "known: overpaid columns are not taken off the bound",
        COVER + "branch.cpp",
        "PriceVerdict verdict{proof.total - overpaid * (goal - 1), {}};",
        "PriceVerdict verdict{proof.total, {}};",
    ),
    Mutant(
        "joint",
        "known: the most parts of its own rows' costs instead of the least",
        JOINT + "shares.py",
        "int(units[mine, place].min(initial=self.parts))",
        "int(units[mine, place].max(initial=1))",
    ),
    Mutant(
        "joint",
        "known: the most parts of the others' costs instead of the least",
        JOINT + "shares.py",
        "int(units[~mine, place].min(initial=self.parts))",
        "int(units[~mine, place].max(initial=1))",
    ),
    Mutant(
        "lazy rows",
        "known: no margin for rounding",
        LAZY + "every_rule.py",
        "SAFE = 1e-9",
        "SAFE = 0.0",
    ),
    Mutant(
        "sparse",
        "known: two rules that must exist are thought to have two literals each",
        SPARSE + "compulsory_solver.cpp",
        "twice_.constant + 2 * twice_.price(1)",
        "twice_.constant + 2 * twice_.price(2)",
    ),
    Mutant(
        "sparse",
        "known: the discount of two rules is counted as that of three",
        SPARSE + "compulsory_solver.cpp",
        "discounted_->bound() + 2 * discount",
        "discounted_->bound() + 3 * discount",
    ),
    # The checker.
    Mutant(
        "checker",
        "a bound is proved one unit short",
        CHECKER,
        'proof["bound"] - problem.constant, spend',
        'proof["bound"] - problem.constant - 1, spend',
    ),
    Mutant(
        "checker",
        "prices may exceed the weights",
        CHECKER,
        "or (np.array(prices) > self.cap).any()",
        "or (np.array(prices) > 2 * self.cap).any()",
    ),
    Mutant(
        "checker",
        "the blame of a negative may add up to twice its weight",
        CHECKER,
        "n_pos) > self.scale).any()",
        "n_pos) > 2 * self.scale).any()",
    ),
    Mutant(
        "checker",
        "rules whose slack is just the room are not listed",
        CHECKER,
        "slack, listed = max(self.room + 1, 0), []",
        "slack, listed = max(self.room, 0), []",
    ),
    Mutant(
        "checker",
        "what a literal recovers is compared without the slack",
        CHECKER,
        "enough = (recovered > unit - slack)",
        "enough = (recovered > unit)",
    ),
    Mutant(
        "checker",
        "whether a rule can pay for a literal more is asked without the slack",
        CHECKER,
        "(covered @ self.y - price - unit > -slack)",
        "(covered @ self.y - price - unit > 0)",
    ),
    Mutant(
        "checker",
        "what later literals add is compared without the slack",
        CHECKER,
        "(value[:, None] + later > -slack)",
        "(value[:, None] + later > 0)",
    ),
    Mutant(
        "checker",
        "a rule whose waste is just the room is not chosen",
        CHECKER,
        "self.paid @ covered <= leaf.room - waste",
        "self.paid @ covered < leaf.room - waste",
    ),
    Mutant(
        "checker",
        "a set whose waste is just the room is not looked at",
        CHECKER,
        "if waste > leaf.room:",
        "if waste >= leaf.room:",
    ),
    Mutant(
        "checker",
        "every positive that a rule can cover is covered",
        CHECKER,
        "if leaf.cap[row] < np.inf:",
        "if leaf.cap[row] < 0:",
    ),
    # Near-optimal sets.
    Mutant(
        "near",
        "a rule stays if leaving it out costs nothing",
        SETS,
        "if (pos_here <= neg_here) return false;",
        "if (pos_here < neg_here) return false;",
    ),
    Mutant(
        "near",
        "a rule that just fits the limit is forbidden",
        SETS,
        "bound_ + reduced_[r] > limit_ ||",
        "bound_ + reduced_[r] >= limit_ ||",
    ),
    Mutant(
        "near",
        "a set that just fits the limit is left out",
        SETS,
        "if (bound_ > limit_ ||",
        "if (bound_ >= limit_ ||",
    ),
    Mutant(
        "near",
        "a rule that just fits the size is forbidden",
        SETS,
        "of_rule(pool_.length(r)) <= ask_.limit.most; }",
        "of_rule(pool_.length(r)) < ask_.limit.most; }",
    ),
    Mutant(
        "near",
        "open positives keep their prices whatever is blamed",
        SETS,
        "left -= weight * blame_[g];",
        "left -= 0 * weight * blame_[g];",
    ),
    Mutant(
        "near",
        "a negative under two rules is paid twice",
        SETS,
        "if (n_over_[h]++ == 0) blame_negative(neg_[h], 1);",
        "if (n_over_[h]++ <= 1) blame_negative(neg_[h], 1);",
    ),
    Mutant(
        "near",
        "rules are listed for a limit one unit lower",
        RULES,
        "slack_ = request.max_cost * dual.scale - sum;",
        "slack_ = (request.max_cost - 1) * dual.scale - sum;",
    ),
    Mutant(
        "near",
        "a rule that covers just enough is not listed",
        RULES,
        "in_.pos.weigh(pos) >= ask_.min_pos[n_literals]",
        "in_.pos.weigh(pos) > ask_.min_pos[n_literals]",
    ),
    Mutant(
        "near",
        "a literal that excludes just enough is not listed",
        RULES,
        "in_.neg.weigh(alone.data()) >= ask_.min_alone",
        "in_.neg.weigh(alone.data()) > ask_.min_alone",
    ),
    Mutant(
        "near",
        "literals that recover less than they cost lower what the others promise",
        RULES,
        "promise += std::max<Weight>(0, child.recovered);",
        "promise += child.recovered;",
    ),
    # Covers: perfect sets.
    Mutant(
        "cover",
        "where no column covers two rows, the dearest is taken",
        COVER + "branch.cpp",
        "columns_[k].cost < columns_[cheapest[r]].cost",
        "columns_[k].cost > columns_[cheapest[r]].cost",
        "a safeguard: the relaxation of such a node is whole, and rounding it has offered the same cover",
    ),
    Mutant(
        "cover",
        "of equal columns the dearest stays",
        COVER + "node.cpp",
        ".cost < columns[static_cast<std::size_t>(first)].cost",
        ".cost > columns[static_cast<std::size_t>(first)].cost",
    ),
    Mutant(
        "cover",
        "rows that share a column are covered by none",
        COVER + "node.cpp",
        "if (all) set_bit(own, rows[0]);",
        "if (all && rows.empty()) set_bit(own, rows[0]);",
    ),
    Mutant(
        "cover",
        "rows kept apart lose every column over the first one",
        COVER + "node.cpp",
        "wanted[k] = !covers_all(parent.cover(k), rows);",
        "wanted[k] = !test_bit(parent.cover(k), rows[0]);",
    ),
    Mutant(
        "cover",
        "half of the rows of a cut is rounded down",
        COVER + "relaxation.cpp",
        "(count_and(cover, rows.data(), rows.size()) + 1) / 2;",
        "count_and(cover, rows.data(), rows.size()) / 2;",
    ),
    Mutant(
        "cover",
        "a dearer column makes a cheaper one needless",
        COVER + "dominance.cpp",
        "kinds[{costs[k], n_rows - size}]",
        "kinds[{-costs[k], n_rows - size}]",
    ),
    Mutant(
        "cover",
        "rows that are covered with other rows are not dropped, unless they are equal",
        COVER + "reduction.cpp",
        "return is_subset(over(a), over(b), column_words_); };",
        "return is_subset(over(b), over(a), column_words_); };",
    ),
    Mutant(
        "cover",
        "one of two columns over a row is fixed",
        COVER + "reduction.cpp",
        "n_over_[i] != 1) continue;",
        "n_over_[i] > 2) continue;",
    ),
    Mutant(
        "cover",
        "prices that overpay a rule are not lowered",
        COVER + "pricing.cpp",
        "request.y[i] - std::max<std::int64_t>(0, found.best));",
        "request.y[i]);",
    ),
    Mutant(
        "cover",
        "prices of one literal's worth are thought to pay for no rule",
        COVER + "pricing.cpp",
        "in.price(in.n_neg ? 1 : 0)",
        "in.price(in.n_neg ? 2 : 1)",
    ),
    # Sparse sets.
    Mutant(
        "sparse",
        "a rule that gains one unit is no candidate",
        SPARSE + "candidates.cpp",
        "if (kept <= next_price) continue;",
        "if (kept <= next_price + 1) continue;",
    ),
    Mutant(
        "sparse",
        "what other literals exclude alone is confused with what they share",
        SPARSE + "candidates.cpp",
        "in_.neg.weigh_and(body_.alone(k), in_.neg_of(l)) <= in_.literal_cost",
        "in_.neg.weigh_minus(body_.alone(k), in_.neg_of(l)) <= in_.literal_cost",
    ),
    Mutant(
        "sparse",
        "a literal is dominated by one that excludes fewer negatives",
        SPARSE + "candidates.cpp",
        "!is_subset(ca, cb, wp) || !is_subset(cb + wp, ca + wp, wn)) continue;",
        "!is_subset(ca, cb, wp)) continue;",
    ),
    Mutant(
        "sparse",
        "unavoidable errors cost nothing",
        SPARSE + "class_instance.cpp",
        "out.constant += shared;",
        "out.constant += 0 * shared;",
    ),
    Mutant(
        "sparse",
        "the best rule has only literals that exclude twice their cost",
        SPARSE + "best_rule.cpp",
        "if (neg_weight - wrong <= in_.literal_cost) continue;",
        "if (neg_weight - wrong <= 2 * in_.literal_cost) continue;",
    ),
    Mutant(
        "sparse",
        "reduced costs are counted twice where the last rules are chosen",
        SPARSE + "listed/set_enumeration.cpp",
        "slack - survivors_[k].reduced_cost,",
        "slack - 2 * survivors_[k].reduced_cost,",
    ),
    Mutant(
        "sparse",
        "rules of sets that are better by one unit are ruled out",
        SPARSE + "listed/search.cpp",
        "(best.cost - 1) * bound.scale - (bound.bound - must_pay)",
        "(best.cost - 2) * bound.scale - (bound.bound - must_pay)",
    ),
    Mutant(
        "sparse",
        "a chosen rule's negatives cost nothing",
        SPARSE + "listed/problem.cpp",
        "chosen.price + problem.neg_weight_of(chosen);",
        "chosen.price;",
    ),
    Mutant(
        "sparse",
        "listed rules overpaid by less than a unit are not repaired",
        SPARSE + "listed/dual.cpp",
        "if (const Weight v = over(r); v > 0)",
        "if (const Weight v = over(r); v > out.scale)",
    ),
    Mutant(
        "sparse",
        "each positive group may have the whole blame of a negative",
        SPARSE + "pricing/row_dual.cpp",
        "left -= unit * weight;",
        "left -= 0 * unit * weight;",
    ),
    # Very many rows.
    Mutant(
        "lazy rows",
        "overpaid rules are paid for without their price",
        LAZY + "every_rule.py",
        "np.cumsum((value + price)[order])",
        "np.cumsum(value[order])",
    ),
    Mutant(
        "lazy rows",
        "rules that were not looked for are thought not overpaid",
        LAZY + "every_rule.py",
        "max(enough, -heap[0][0]) if heap else enough",
        "max(enough, -heap[0][0]) if heap else 0.0",
    ),
    Mutant(
        "lazy rows",
        "the next literal in order is left out",
        LAZY + "every_rule.py",
        "later = order[place + 1 :]",
        "later = order[place + 2 :]",
    ),
    Mutant(
        "lazy rows",
        "a rule with another literal is priced with one more",
        LAZY + "every_rule.py",
        "self.costs.literal, self.costs.of(self.n + 2)",
        "self.costs.literal, self.costs.of(self.n + 3)",
    ),
    Mutant(
        "lazy rows",
        "only literals that take off twice their cost are added",
        LAZY + "every_rule.py",
        "(recovers > literal)",
        "(recovers > 2 * literal)",
    ),
    Mutant(
        "lazy rows",
        "the false literal of a triple is taken from the wrong pair",
        LAZY + "triples.py",
        "out[1::2, 0::2] = pair[:, None] - both",
        "out[1::2, 0::2] = pair[None, :] - both",
    ),
    Mutant(
        "lazy rows",
        "three false literals are counted without what all share",
        LAZY + "triples.py",
        "whole - pair[:, None] - pair[None, :] + both",
        "whole - pair[:, None] - pair[None, :] - both",
    ),
    Mutant(
        "lazy rows",
        "blame is raised to the weight of its negatives, never lowered",
        LAZY + "ascent.py",
        "share = np.minimum(1.0,",
        "share = np.maximum(1.0,",
    ),
    Mutant(
        "lazy rows",
        "coarse weights are rounded up",
        LAZY + "rows.py",
        "np.sign(net) * (size // unit * unit)",
        "np.sign(net) * (-(-size // unit) * unit)",
    ),
    Mutant(
        "lazy rows",
        "the bound on all rows is proved with the costs of a subset",
        LAZY + "search.py",
        "yield from priced.on(rows, full_costs)",
        "yield from priced.on(rows, costs)",
    ),
    # Errors per row.
    Mutant(
        "joint",
        "the parts of a cost add up to one too many",
        JOINT + "shares.py",
        "(rank < left)",
        "(rank <= left)",
    ),
    Mutant(
        "joint",
        "the part that every class must have is given twice",
        JOINT + "shares.py",
        "free = self.parts - self._least * len(self.classes)",
        "free = self.parts",
    ),
    Mutant(
        "joint",
        "a set that is better by one unit is not looked for",
        JOINT + "listing.py",
        "shares.parts * (cost - 1) -",
        "shares.parts * (cost - 2) -",
    ),
    Mutant(
        "joint",
        "a class's own bound is taken off what is left for it",
        JOINT + "listing.py",
        "(bound - searches[c].lower_bound),",
        "bound,",
    ),
    Mutant(
        "joint",
        "rows with labels of several classes are out of sight",
        JOINT + "listing.py",
        "gross=True,",
        "gross=False,",
    ),
    Mutant(
        "joint",
        "a rule must pay for one literal more than it has",
        JOINT + "listing.py",
        "problem.rule_price(n) + 1 for n",
        "problem.rule_price(n + 1) + 1 for n",
    ),
    Mutant(
        "joint",
        "the sum of the classes' bounds is always rounded up by one",
        JOINT + "search.py",
        "self.prove(-(-total // parts))",
        "self.prove(total // parts + 1)",
    ),
    Mutant(
        "joint",
        "the best of the rules seen is thought the best of all",
        JOINT + "search.py",
        "complete=False)",
        "complete=True)",
    ),
    Mutant(
        "joint",
        "moved shares add up to more than one",
        JOINT + "shares.py",
        "np.cumsum(falling, axis=1) - 1.0",
        "np.cumsum(falling, axis=1) - 1.1",
    ),
    Mutant(
        "joint",
        "a class may bear no part of a row's cost where rules are listed",
        JOINT + "shares.py",
        "out.parts, out._least = FINER_FACTOR * self.parts, 1",
        "out.parts, out._least = FINER_FACTOR * self.parts, 0",
    ),
]
