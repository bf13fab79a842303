#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "sparse/rule_pool.hpp"

namespace laconic {

struct FewRules {
  bool complete = false;             // every set was tried or cut
  Weight cost = 0;                   // of the best set found; that of the incumbent if none is better
  std::vector<std::uint32_t> rules;  // numbers in the pool; none if no set is better
};

// The cheapest nonempty set of rules on a list, if it is cheaper than `incumbent`. Every rule of the set must pay for
// itself. It reads at most `words` words of rows.
FewRules search_few_rules(const ClassInstance& in, const RulePool& pool, const std::vector<std::uint32_t>& list,
                          Weight incumbent, std::uint64_t words, Control& control);

}  // namespace laconic
