// Merging of similar rows.
#pragma once

#include "base/control.hpp"
#include "sparse/listed/problem.hpp"

namespace laconic {

// Groups of rows (of an instance, or of a problem whose rows are groups themselves) under some rules.
struct Grouping {
  ListProblem problem;
  std::vector<std::uint32_t> pos_group, neg_group;  // per row
  bool coarse = false;                              // some rule covers a part of a group
};

// Separates all rows that the rules separate. This result, like all below, is invalid if stopped on the way.
Grouping group_instance(const ClassInstance& instance, const RulePool& pool, const std::vector<std::uint32_t>& rules,
                        Control& control);

// Returns at most max_pairs pairs of a positive and a negative group: those of `old` (if it is empty, a single pair),
// split where the relaxation gains most. `primal` gives the use of the rules, with claims by old group. Rules may then
// cover parts of groups. A dual that is constant (per unit of weight) on larger groups is a valid dual: its bound is
// valid, though weaker, and it is much smaller.
Grouping refine_groups(const ClassInstance& instance, const RulePool& pool, const std::vector<std::uint32_t>& rules,
                       const Grouping& old, const Primal& primal, std::size_t max_pairs, Control& control);

// Merges the groups of a problem in the same way. Rules keep their order.
Grouping merge_groups(const ListProblem& problem, const Primal& primal, std::size_t max_pairs, Control& control);

}  // namespace laconic
