#pragma once

#include <vector>

#include "control.hpp"
#include "cover_column.hpp"

namespace laconic {

// Which columns cover nothing that another does not cover at no greater cost; of equal ones the first is not. Empty if stopped.
std::vector<char> find_dominated(std::size_t n_rows, const std::vector<const Word*>& covers, const std::vector<Cost>& costs,
                                 Control& control);

// Drops them; false if stopped.
bool drop_dominated(std::size_t n_rows, std::vector<Column>& columns, Control& control);

}  // namespace laconic
