// All sets of rules that fit between a bound and an incumbent.
#pragma once

#include "base/control.hpp"
#include "sparse/listed/search.hpp"
#include "sparse/rule_pool.hpp"

namespace laconic {

struct Survivor {
  std::uint32_t rule;   // pool number
  double reduced_cost;  // scaled, an integer, never negative
};

// The reduced costs of every set better than `best` sum to at most `slack`. Tries all such sets of one rule or more,
// and updates `best`; returns false if more than max_nodes would be needed or the clock stopped it.
bool enumerate_sets(const ClassInstance& instance, const RulePool& pool, std::vector<Survivor> survivors, double slack,
                    std::uint64_t max_nodes, Incumbent& best, Control& control);

}  // namespace laconic
