#pragma once

#include <cstdint>
#include <vector>

namespace laconic {

// Groups equal rows of a row-major n x n_words matrix.
// group_of[i] is the group of row i, first_row[g] the first row of group g;
// groups are numbered by first appearance.
struct RowGroups {
  std::vector<std::int64_t> group_of;
  std::vector<std::int64_t> first_row;
};

RowGroups group_rows(const std::uint64_t* rows, std::size_t n, std::size_t n_words);

}  // namespace laconic
