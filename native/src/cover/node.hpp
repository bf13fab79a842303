#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "cover/columns.hpp"

namespace laconic {

using Rows = std::vector<std::size_t>;

// A subproblem of the branching: the usable columns, over the remaining rows. Rows that were merged into another row,
// or that are covered whenever another one is, are removed from every cover.
struct CoverNode {
  std::size_t words = 0;                // words per cover
  std::vector<std::int32_t> ids;        // numbers of the columns
  std::vector<Word> covers;             // of the columns, one after the other
  std::vector<Word> alive;              // remaining rows
  std::vector<std::int32_t> hot;        // columns that were attractive in the relaxation, sorted
  std::vector<std::vector<Word>> cuts;  // odd sets of rows whose cuts were tight
  std::vector<Rows> questions;          // sets of rows that may share a column, best first
  std::int64_t bound = 0;               // scaled

  CoverNode(std::size_t n_rows, const Columns& columns);

  std::size_t n_columns() const { return ids.size(); }
  const Word* cover(std::size_t k) const { return covers.data() + k * words; }
  // Keeps the columns whose entry is set; returns the new number of each column, or -1.
  std::vector<std::int32_t> keep(const std::vector<char>& wanted);
};

// Merges columns with equal covers over the node's rows into the cheapest, and drops those that cover nothing. Does
// nothing if stopped.
void merge_equal_columns(CoverNode& node, const Columns& columns, Control& control);

// Drops rows that are covered whenever some other row is, except rows that occur in a cut or a question. Does nothing
// if stopped.
void drop_implied_rows(CoverNode& node, Control& control);

// The child in which some chosen column covers all of `rows`: they become one row, the first.
std::shared_ptr<CoverNode> together(const CoverNode& parent, const Rows& rows);

// The child in which no chosen column covers all of `rows`: the columns that do are dropped. `kept` gets the new number
// of each column, or -1.
std::shared_ptr<CoverNode> apart(const CoverNode& parent, const Rows& rows, std::vector<std::int32_t>& kept);

}  // namespace laconic
