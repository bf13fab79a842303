// The dual of merged rows, spread over the rows themselves: the input of pricing.
#pragma once

#include "sparse/listed/dual.hpp"

namespace laconic {

constexpr double kTinyShare = 1e-10;  // relative amount by which fractional shares are taken lower than they are

// A dual on the instance's own rows: an integer price per positive row; blame per unit of weight for each
// (positive group, negative group).
struct RowDual {
  Weight scale = 1;
  std::vector<Weight> y;                                             // per positive row, scaled
  std::vector<std::uint32_t> pos_group, neg_group;                   // per row; kNoGroup: no blame
  std::vector<std::vector<std::pair<std::uint32_t, double>>> blame;  // per negative group: (pos group, scaled share
                                                                     // per unit of either weight)
  // Whether the shares are integers. Where these are too coarse for heavy groups, any numbers are allowed, and the
  // pricer rounds every sum to the safe side.
  bool whole_units = true;
  std::size_t n_pos_groups = 0;
};

RowDual to_rows(const ClassInstance& instance, const Grouping& grouping, const Dual& dual);

// Returns the blame of whole groups, by negative group; to_rows inverts it.
std::vector<float> blame_by_groups(const Grouping& grouping, const RowDual& rows);

}  // namespace laconic
