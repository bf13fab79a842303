#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sparse/class_instance.hpp"
#include "sparse/pricing/row_dual.hpp"

namespace laconic {

// The blame between the groups that a rule still covers: for each negative group the positive groups that it blames,
// usually few.
struct BlameFrame {
  struct Share {
    std::uint32_t at;  // index of the positive group
    double blame;      // per unit of either weight
  };
  std::vector<std::uint32_t> pos_ids, neg_ids;  // groups present
  std::vector<std::uint32_t> pos_at, neg_at;  // row -> index of its group here; all other rows: one past the last index
  std::size_t n_pairs_of_rows = 0;            // number of pairs of rows when it was made
  std::vector<Share> shares;                  // of the first negative group, the second, ...
  std::vector<std::size_t> start;             // their first indices, and the end
};

// The frame of all rows. `n_pos` positives get an index; it exceeds their number if whole words of rows are read.
BlameFrame whole_frame(const ClassInstance& instance, const RowDual& dual, std::size_t n_pos);

// The part of a frame that these rows still use; none if that saves little.
std::optional<BlameFrame> narrowed(const ClassInstance& instance, const BlameFrame& from, const Word* pos,
                                   const Word* neg);

}  // namespace laconic
