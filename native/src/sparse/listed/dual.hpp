// Lower bounds for a list of rules: first-order ascent, then an exact integer bound.
#pragma once

#include "base/control.hpp"
#include "sparse/listed/grouping.hpp"

namespace laconic {

// A dual that is feasible for every rule of the list, in integers.
struct ExactBound {
  Weight scale = 1;                  // everything below is multiplied by it
  Weight bound = 0;                  // lower bound on the cost, offset included, scaled
  std::vector<Weight> reduced_cost;  // per rule, scaled, never negative
  std::vector<Weight> y;             // prices per positive group, scaled

  // Costs are integers, so the bound may be rounded up.
  Weight rounded() const { return bound >= 0 ? (bound + scale - 1) / scale : -((-bound) / scale); }
};

struct AscentState {
  double best = -1e300;  // best bound over the list (float, not a proof)
  Dual best_dual;        // where it was, feasible for the list but for rounding
  ExactBound bound;      // the same in integers
  Primal primal;         // where the ascent starts from (empty: nowhere) and ends
  std::size_t iterations = 0;
};

Dual initial_dual(const ListProblem& problem);

// The old dual on new groups: prices and blame are spread evenly by weight within the old groups, then added up in
// the new ones. Stopped on the way, it is of no use.
Dual carry_dual(const ListProblem& old, const Dual& dual, const Lineage& lineage, const ListProblem& fresh,
                Control& control);
// Claims on new groups: the mean of those of the old groups.
std::vector<float> carry_claims(const std::vector<float>& claims, const Origins& origins);

// How one grouping of an instance descends from another.
Lineage lineage_between(const ClassInstance& instance, const Grouping& old, const Grouping& fresh);
// The dual between two groupings of an instance. Without an old grouping, the initial dual.
Dual carry_dual(const ClassInstance& instance, const Grouping& old, const Dual& dual, const Grouping& fresh,
                Control& control);

// Ascends from `dual` towards `target` (the incumbent's cost) and leaves the last iterate in it. At most so many
// iterations; fewer if twice as many bring hardly more. Stopped on the way, it may have found nothing.
void ascend(const ListProblem& problem, Dual& dual, double target, std::size_t iterations, AscentState& state,
            Control& control);

// Stopped on the way, it is of no use.
ExactBound exact_bound(const ListProblem& problem, const Dual& dual, Control& control);

}  // namespace laconic
