#pragma once

#include <cstdint>
#include <vector>

#include "cover/columns.hpp"

namespace laconic {

struct RuleList {
  explicit RuleList(std::size_t words) : rules(words) {}  // of a cover
  Columns rules;
  bool complete = false;  // with the rules in hand, enough for a cheapest cover
  std::uint64_t nodes = 0;
};

// Lists the consistent rules from which no literal can be dropped, as far as `words` of row sets looked at allow. Left
// out are rules over few positives for which rules that are listed, or in hand, together cost no more.
RuleList list_rules(const CoverInstance& instance, const Columns& in_hand, std::uint64_t words);

}  // namespace laconic
