#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "base/random.hpp"
#include "cover/column_pool.hpp"

namespace laconic {

// Improves a cover by local search over the pool's columns, with at most `steps` swaps. Returns the best cover found.
std::vector<std::size_t> improve_cover(const CoverInstance& instance, const ColumnPool& pool,
                                       const std::vector<std::size_t>& columns, std::vector<std::size_t> start,
                                       Cost stop_at, std::uint64_t steps, Random& random, Control& control);

Cost cost_of(const ColumnPool& pool, const std::vector<std::size_t>& chosen);

}  // namespace laconic
