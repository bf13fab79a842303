#pragma once

#include <vector>

#include "control.hpp"
#include "cover_column.hpp"

namespace laconic {

// Drops columns that cover nothing that another does not at no greater cost; false if stopped (columns may be lost then).
bool drop_dominated(std::size_t n_rows, std::vector<Column>& columns, Control& control);

}  // namespace laconic
