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
  double best = -1e300;  // best bound over the list (a float, not a proof)
  Dual best_dual;        // the dual of that bound, feasible for the list up to rounding
  ExactBound bound;      // the same bound in integers
  Primal primal;         // start (empty: none) and end of the ascent
  std::size_t iterations = 0;
};

Dual initial_dual(const ListProblem& problem);

// Transfers the dual to new groups: prices and blame are spread evenly by weight within the old groups, then summed in
// the new ones. The result is invalid if stopped on the way.
Dual carry_dual(const ListProblem& old, const Dual& dual, const Lineage& lineage, const ListProblem& fresh,
                Control& control);
// Transfers claims to new groups: the means over the old groups.
std::vector<float> carry_claims(const std::vector<float>& claims, const Origins& origins);

// Returns the descent of one grouping of an instance from another.
Lineage lineage_between(const ClassInstance& instance, const Grouping& old, const Grouping& fresh);
// Transfers a dual between two groupings of an instance; returns the initial dual if there is no old grouping.
Dual carry_dual(const ClassInstance& instance, const Grouping& old, const Dual& dual, const Grouping& fresh,
                Control& control);

// Ascends from `dual` towards `target` (the incumbent's cost) and leaves the last iterate in it. Runs at most
// `iterations` iterations, and fewer if doubling their number hardly raises the bound. If stopped on the way, it may
// have no result.
void ascend(const ListProblem& problem, Dual& dual, double target, std::size_t iterations, AscentState& state,
            Control& control);

// The result is invalid if stopped on the way.
ExactBound exact_bound(const ListProblem& problem, const Dual& dual, Control& control);

}  // namespace laconic
