#pragma once

#include <vector>

#include "base/control.hpp"
#include "cover/column_pool.hpp"

namespace laconic {

// Adds columns (indices into the pool) to `chosen` that cover every positive. If the control stops it, it returns
// false, and the columns of a known cover, or else the rules of a tree, cover the rest.
bool greedy_cover(const CoverInstance& instance, ColumnPool& pool, Control& control,
                  const std::vector<std::size_t>& known, std::vector<std::size_t>& chosen);

}  // namespace laconic
