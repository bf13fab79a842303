// Prices for a certificate: integer duals of one sparse problem, feasible for every rule.
#pragma once

#include <map>
#include <vector>

#include "base/control.hpp"
#include "sparse/listed/master_ascent.hpp"
#include "sparse/pricing/rule_pricer.hpp"

namespace laconic {

// A problem given row by row, which need not come from a table: certificates split on rows that represent sets of rows.
// Literal-major covers; weights in non-increasing order.
ClassInstance instance_of_rows(const bool* pos, const std::vector<Weight>& pos_weight, const bool* neg,
                               const std::vector<Weight>& neg_weight, std::size_t n_literals, Weight rule_cost,
                               Weight literal_cost);

// Raises a dual until it proves `target` or makes no more progress.
class SparsePrices {
 public:
  SparsePrices(ClassInstance instance, Weight scale);

  // `start` holds the first rules of the list, by literal. Costs exclude the constant part. Returns true if the prices
  // prove that no set costs less than `target`. The limit is a number of rounds, so that the same problem gives the
  // same prices; calls can be repeated.
  bool raise(Weight target, const std::vector<std::vector<std::uint16_t>>& start, int rounds, Control& control);
  // Whether more rounds gain next to nothing.
  bool stalled() const;

  const RowDual& dual() const { return best_; }
  Weight sum() const { return best_sum_; }
  const std::vector<std::vector<std::uint16_t>>& splitters() const { return best_splitters_; }
  // Every rule of the list with its share in the relaxation, as the ascent estimates it.
  const std::vector<std::pair<std::vector<std::uint16_t>, double>>& shares() const { return shares_; }

 private:
  std::uint32_t add(std::vector<std::uint16_t> body);
  RowDual rounded(const Dual& dual) const;
  void keep(const RowDual& dual, Weight enough);
  void lower_prices(const RowDual& rows, Weight enough, Control& control);
  std::vector<std::vector<std::uint16_t>> bodies() const;

  ClassInstance in_;
  Weight scale_;
  RulePool pool_;
  std::map<std::vector<std::uint16_t>, std::uint32_t> number_;
  std::vector<std::uint32_t> master_;
  MasterAscent ascent_;
  Dual dual_;
  RowDual best_;
  Weight best_sum_ = -1;
  int round_ = 0, idle_ = 0;
  std::uint64_t thorough_nodes_ = 200'000;
  std::vector<std::vector<std::uint16_t>> best_splitters_;
  std::vector<std::pair<std::vector<std::uint16_t>, double>> shares_;
};

}  // namespace laconic
