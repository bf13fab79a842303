#pragma once

#include <vector>

#include "base/control.hpp"
#include "cover/columns.hpp"

namespace laconic {

// Returns the columns that no other column dominates (covers all their rows at no greater cost), by cost, and by
// falling size among equal costs; of equal columns the first stays. Empty if stopped.
std::vector<std::size_t> undominated(std::size_t n_rows, const std::vector<const Word*>& covers,
                                     const std::vector<Cost>& costs, Control& control);

// Keeps only the undominated columns, in that order; returns false if stopped, and then no columns are left.
bool drop_dominated(std::size_t n_rows, Columns& columns, Control& control);

}  // namespace laconic
