// The single rule with the largest gain.
#pragma once

#include "base/control.hpp"
#include "sparse/rule_pool.hpp"

namespace laconic {

struct BestRule {
  std::vector<std::uint16_t> body;
  Weight gain = 0;  // weight of new positives - weight of new negatives - price; may be negative
  bool found = false;
  bool complete = false;  // the search was exhaustive: no rule gains more
};

// Maximises the gain over all rules that cover an uncovered positive (over all rules, if there are no positives), given
// the uncovered positives and the negatives that are not paid for yet. Stops after `max_nodes` (0: no limit) with the
// best rule so far.
BestRule best_rule(const ClassInstance& instance, const Word* uncovered, const Word* unpaid, std::uint64_t max_nodes,
                   Control& control);

// Greedy covering: adds the best rule as long as it has a gain.
std::vector<std::vector<std::uint16_t>> greedy_rules(const ClassInstance& instance, std::uint64_t max_nodes,
                                                     Control& control);

// Greedy covering with grown rules, from the best few rules of one literal.
std::vector<std::vector<std::uint16_t>> grown_rules(const ClassInstance& instance, Control& control);

}  // namespace laconic
