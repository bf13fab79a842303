#pragma once

#include <vector>

#include "base/control.hpp"
#include "cover/columns.hpp"

namespace laconic {

// The columns that no other makes needless by covering all their rows at no greater cost, cheapest first and of equal
// cost the largest first; of equal columns the first stays. Empty if stopped.
std::vector<std::size_t> undominated(std::size_t n_rows, const std::vector<const Word*>& covers,
                                     const std::vector<Cost>& costs, Control& control);

// Keeps only these, in that order; false if stopped, and then there are none.
bool drop_dominated(std::size_t n_rows, Columns& columns, Control& control);

}  // namespace laconic
