// The rules that can matter in a sparse optimum.
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "sparse/rule_pool.hpp"

namespace laconic {

// Adds every rule that prunings 1 to 3 leave to the pool, at most `cap`. Returns false if the
// cap or the clock stopped the enumeration.
bool enumerate_candidates(const ClassInstance& instance, std::size_t cap, Control& control, RulePool& pool);

}  // namespace laconic
