#pragma once

#include <vector>

#include "base/control.hpp"
#include "cover/column_pool.hpp"

namespace laconic {

// Adds columns (indices into the pool) to `chosen` that cover every positive. False if the control stopped it: then
// what is left is covered by the columns of a cover that is known already or, without one, by a tree at once.
bool greedy_cover(const CoverInstance& instance, ColumnPool& pool, Control& control,
                  const std::vector<std::size_t>& known, std::vector<std::size_t>& chosen);

}  // namespace laconic
