#pragma once

#include <vector>

#include "base/control.hpp"
#include "cover/columns.hpp"

namespace laconic {

// A covering problem on its own rows; `of[k]` is the number of its k-th column in the problem it came from.
struct CoverBlock {
  std::size_t n_rows = 0;
  Columns columns{0};  // without literals
  std::vector<std::size_t> of;
};

// A covering problem after the reductions: fixed columns, and blocks that share neither rows nor columns.
struct ReducedCover {
  // columns that belong to a cheapest cover, together with cheapest covers of the blocks
  std::vector<std::size_t> fixed;
  std::vector<CoverBlock> blocks;
};

// The columns must cover every row. If stopped, fewer decisions are made.
ReducedCover reduce_cover(std::size_t n_rows, const Columns& columns, Control& control);

}  // namespace laconic
