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

// What is left of a covering problem once what is plain is decided: columns that every row's only choice demands, and
// blocks that share neither rows nor columns.
struct ReducedCover {
  std::vector<std::size_t> fixed;  // columns that a cheapest cover holds, with cheapest covers of the blocks
  std::vector<CoverBlock> blocks;
};

// The columns must cover every row. If stopped, less is decided.
ReducedCover reduce_cover(std::size_t n_rows, const Columns& columns, Control& control);

}  // namespace laconic
