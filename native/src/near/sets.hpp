// Sets of listed rules within a limit: all of them, or the one with the fewest errors.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/control.hpp"
#include "near/rules.hpp"

namespace laconic {

struct NearSet {
  Weight cost = 0;  // net
  Weight errors = 0;
  std::vector<std::uint32_t> rules;  // of the pool, sorted
};

struct SetRequest {
  Weight max_cost = 0;                                             // net
  std::size_t max_size = std::numeric_limits<std::size_t>::max();  // literals + rules
  bool all = true;        // every irredundant set; else one with the fewest errors
  Weight max_errors = 0;  // not all: net
  Weight step = 1;        // not all: errors are multiples of this
  std::size_t cap = 0;    // all: at most so many sets
};

struct SetAnswer {
  bool complete = false;      // every set within the limit was looked at
  std::vector<NearSet> sets;  // not all: the best one, if any
  std::uint64_t n_nodes = 0;
};

// A set is irredundant if it makes more errors without any one of its rules, and without any one literal of a rule.
bool irredundant(const ClassInstance& instance, const RulePool& pool, const std::vector<std::uint32_t>& rules);

// With all = false, a rule must cost as much as a literal: max_cost is then max_errors + literal_cost * max_size, and
// both are lowered whenever a set is found.
SetAnswer search_sets(const ClassInstance& instance, const RowDual& dual, const RulePool& pool,
                      const SetRequest& request, Control& control);

}  // namespace laconic
