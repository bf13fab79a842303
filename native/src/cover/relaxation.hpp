#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "cover/node.hpp"
#include "cover/simplex.hpp"

namespace laconic {

// The linear programme of a node, its cuts, and its last solution. It can be set up from scratch, or continue from the
// solution of the parent node.
class NodeRelaxation {
 public:
  NodeRelaxation(std::size_t n_rows, const Columns& columns, Cost upper_bound, SharedOptions options);

  // Sets up the node's programme from scratch and solves it; returns false if it has no solution, or if the control has
  // stopped.
  bool set_up(CoverNode& node, double limit, Control& control);
  // Merges rows of the parent into the first of them.
  void merge(const Rows& rows);
  // `number` gives the new number of each of the node's columns, or -1 if the column is forbidden.
  void renumber(const std::vector<std::int32_t>& number, std::size_t n_columns);
  // Solves the programme over all columns and rows of the node, unless it provably exceeds the limit; returns false if
  // the control stopped it.
  bool solve(const CoverNode& node, double limit, Control& control);
  // Estimates the objective if the rows were merged, or if the columns over all of them were forbidden.
  double estimate(const CoverNode& node, const Rows& rows, bool merge, double limit, Control& control) const;
  // Adds zero-half cuts of three tight rows that the solution violates; false if there are none.
  bool add_cuts(const CoverNode& node);
  // Drops forbidden columns, and rows and cuts with surplus.
  void shrink();

  double objective() const { return lp_.objective(); }
  double price(std::size_t row) const { return y_[row]; }
  const std::vector<std::pair<double, std::size_t>>& shares() const { return shares_; }
  const std::vector<std::size_t>& columns_in() const { return in_lp_; }
  std::size_t n_rows() const { return lp_.n_rows(); }
  std::size_t n_columns_at_first() const { return n_columns_at_first_; }

  // In integers: the slack of each column, the sum of the prices (with their right-hand sides), and the cuts in use.
  struct Proof {
    std::vector<std::int64_t> slack;
    std::int64_t total = 0;
    std::vector<std::size_t> priced;  // cuts with a price
  };
  Proof prove(const CoverNode& node) const;
  const std::vector<Word>& cut(std::size_t c) const { return cuts_[c]; }
  // Whether most of the programme's columns are forbidden.
  bool is_sparse() const { return in_lp_.size() > 50 && 2 * n_gone_ > in_lp_.size(); }

  static constexpr std::size_t kGone = ~std::size_t{0};  // a column of the programme that the node may not use

 private:
  // Rows that were merged since the programme was set up, and the index of their common row.
  struct Merged {
    Rows rows;
    std::size_t at;
  };
  void unfold(const Word* cover, std::vector<Word>& out) const;
  void read_prices();
  void read_shares();
  void add_column(const CoverNode& node, std::size_t k);
  void add_row(std::size_t row);
  void add_cut(std::vector<Word> rows);
  bool add_violated_rows(const CoverNode& node);
  // The coefficient of each column in a row of the programme, from the column's cover.
  template <class Count>
  std::vector<std::int32_t> coefficients(Count count_in) const;
  const Word* lp_cover(std::size_t c) const { return lp_covers_.data() + c * words_; }
  Cost cost(const CoverNode& node, std::size_t k) const {
    return (*columns_)[static_cast<std::size_t>(node.ids[k])].cost;
  }

  SharedOptions options_;
  const Columns* columns_;
  std::size_t n_rows_, words_;
  double prohibitive_;
  CoverSimplex lp_;
  std::vector<std::size_t> in_lp_;  // the node's column behind each column of the programme
  std::vector<Word> lp_covers_;     // unfolded, one after the other
  std::vector<char> is_in_;
  std::vector<std::int32_t> row_at_;                    // by row: its place in the programme, or -1
  std::vector<std::vector<Word>> cuts_;                 // odd sets of rows
  std::vector<std::size_t> cut_at_;                     // their indices
  std::vector<double> y_, sigma_;                       // prices of rows (by row) and of cuts
  std::vector<std::pair<double, std::size_t>> shares_;  // (value, the node's column) of columns in the solution
  std::vector<Merged> merged_;
  std::vector<std::vector<Word>> merged_masks_;  // unfolded
  std::size_t n_columns_at_first_ = 0, n_gone_ = 0;
};

constexpr std::int64_t kBranchScale = std::int64_t{1} << 20;

}  // namespace laconic
