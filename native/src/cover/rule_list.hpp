#pragma once

#include <cstdint>
#include <vector>

#include "cover/columns.hpp"

namespace laconic {

struct RuleList {
  explicit RuleList(std::size_t words) : rules(words) {}  // words per cover
  Columns rules;
  bool complete = false;  // together with the rules in hand, the list contains a cheapest cover
  std::uint64_t nodes = 0;
};

// Lists the consistent rules from which no literal can be dropped, within a limit on the number of words read. Rules
// are left out if listed rules or rules in hand over their few positives together cost no more.
RuleList list_rules(const CoverInstance& instance, const Columns& in_hand, std::uint64_t words);

}  // namespace laconic
