// Lower bounds for a list of rules: first-order ascent, then an exact integer bound.
#pragma once

#include "control.hpp"
#include "list_problem.hpp"

namespace laconic {

// A dual that is feasible for every rule of the list, in integers.
struct ExactBound {
  Weight scale = 1;                    // everything below is multiplied by it
  Weight bound = 0;                    // lower bound on the cost, offset included, scaled
  std::vector<Weight> reduced_cost;    // per rule, scaled, never negative

  // Costs are integers, so the bound may be rounded up.
  Weight rounded() const { return bound >= 0 ? (bound + scale - 1) / scale : -((-bound) / scale); }
};

struct AscentState {
  double best = -1e300;                // best Lagrangian value over the list (float, not a proof)
  Dual best_dual;
  std::vector<float> use;              // how often each rule was violated lately: a primal estimate
  double step_factor = 1.0;
  std::size_t iterations = 0;
};

Dual initial_dual(const ListProblem& problem);

// The old dual on new groups: prices and blame are spread evenly by weight within the old groups, then added up in
// the new ones.
Dual carry_dual(const ListProblem& old, const Dual& dual, const Lineage& lineage, const ListProblem& fresh);
// The same between two groupings of an instance. Without an old grouping, the initial dual.
Dual carry_dual(const ClassInstance& instance, const Grouping& old, const Dual& dual, const Grouping& fresh);

// The Lagrangian of the list at a dual (float, not a proof).
double list_value(const ListProblem& problem, const Dual& dual);

// Projected subgradient with Polyak steps towards `target` (the incumbent's cost).
void ascend(const ListProblem& problem, Dual& dual, double target, std::size_t iterations, AscentState& state,
            Control& control);

ExactBound exact_bound(const ListProblem& problem, const Dual& dual);

}  // namespace laconic
