#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "cover/columns.hpp"

namespace laconic {

using Rows = std::vector<std::size_t>;

// A subproblem of the branching: the columns that may still be used, over the rows that are left. A row that was merged
// into another, or is covered whenever another is, is gone from every cover.
struct CoverNode {
  std::size_t words = 0;                // of a cover
  std::vector<std::int32_t> ids;        // which columns
  std::vector<Word> covers;             // theirs, one after the other
  std::vector<Word> alive;              // rows
  std::vector<std::int32_t> hot;        // were attractive in the relaxation; sorted
  std::vector<std::vector<Word>> cuts;  // odd sets of rows whose cuts were tight
  std::vector<Rows> questions;          // rows that may share a column, best first
  std::int64_t bound = 0;               // scaled

  CoverNode(std::size_t n_rows, const Columns& columns);

  std::size_t n_columns() const { return ids.size(); }
  const Word* cover(std::size_t k) const { return covers.data() + k * words; }
  // Keeps the columns whose entry is set; the answer gives the new number of each, or -1.
  std::vector<std::int32_t> keep(const std::vector<char>& wanted);
};

// Of columns with equal covers over the node's rows keeps the cheapest; drops those that cover nothing. Nothing if
// stopped.
void merge_equal_columns(CoverNode& node, const Columns& columns, Control& control);

// Drops rows that every column over some other row covers too; rows that a cut or a question speaks of stay. Nothing if
// stopped.
void drop_implied_rows(CoverNode& node, Control& control);

// Some chosen column covers all of `rows`: they become one row, the first.
std::shared_ptr<CoverNode> together(const CoverNode& parent, const Rows& rows);

// No chosen column covers all of `rows`: the columns that do are dropped. `kept` gets the new number of each, or -1.
std::shared_ptr<CoverNode> apart(const CoverNode& parent, const Rows& rows, std::vector<std::int32_t>& kept);

}  // namespace laconic
