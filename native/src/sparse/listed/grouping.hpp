// Rows that are alike, as one row.
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

// Groups that the rules tell apart, all of them. This, as all below, is of no use if stopped on the way.
Grouping group_instance(const ClassInstance& instance, const RulePool& pool, const std::vector<std::uint32_t>& rules,
                        Control& control);

// At most max_pairs pairs of a positive and a negative group: those of `old` (none yet: a single one), split where
// the relaxation gains most. `primal` says how the rules were used, claims by old group. Rules then cover parts of
// groups. A dual that is equal (per unit of weight) on larger groups is a dual like any other: its bound is valid, if
// weaker, and it is much smaller.
Grouping refine_groups(const ClassInstance& instance, const RulePool& pool, const std::vector<std::uint32_t>& rules,
                       const Grouping& old, const Primal& primal, std::size_t max_pairs, Control& control);

// The same for a problem: its groups, merged. Rules keep their order.
Grouping merge_groups(const ListProblem& problem, const Primal& primal, std::size_t max_pairs, Control& control);

}  // namespace laconic
