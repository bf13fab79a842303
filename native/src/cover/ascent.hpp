#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "cover/columns.hpp"

namespace laconic {

// Prices for the rows of a covering problem by subgradient steps; columns may be added between runs.
class DualAscent {
 public:
  explicit DualAscent(std::size_t n_rows);

  void add_column(const Column& column);
  std::size_t n_columns() const { return cost_.size(); }

  // Takes `steps` steps from the best prices so far. `upper_bound` determines their length.
  void run(std::uint64_t steps, Cost upper_bound, Control& control);

  // Prices that overpay no column added so far, and their sum.
  std::vector<double> feasible_prices() const;
  // Cost of the column minus the prices of the rows that it covers.
  double reduced_cost(std::size_t column, const std::vector<double>& y) const;

 private:
  std::size_t n_rows_;
  std::vector<std::vector<std::int32_t>> rows_;  // covered by each column
  std::vector<double> cost_;
  std::vector<double> best_;  // prices with the best Lagrangian value over the present columns
  std::vector<double> cap_;   // a row is never worth more than the cheapest column over it
  double best_value_ = 0, step_ = 0.1;
};

}  // namespace laconic
