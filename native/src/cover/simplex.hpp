#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "base/options.hpp"

namespace laconic {

// Minimises cost.x over the columns added so far, x >= 0, subject to the right-hand sides of all rows added so far.
class CoverSimplex {
 public:
  explicit CoverSimplex(SharedOptions options) : options_(std::move(options)) {}

  // `coefficients` has one non-negative entry per column; `stand_in` is the price of one unit of the row that no column
  // supplies.
  std::size_t add_row(const std::vector<std::int32_t>& coefficients, double right_hand_side, double stand_in);
  // A row that occurs twice in `rows` has a coefficient of two.
  std::size_t add_column(double cost, const std::vector<std::int32_t>& rows);
  // Fixes the column at zero.
  void close(std::size_t column) { closed_[column] = 1; }

  enum class Outcome { kOptimal, kBeyond, kStopped };
  // Continues from the last basis. kBeyond: the objective exceeds the limit, and so would the optimum.
  Outcome solve(double limit, Control& control);
  // Estimates the optimum from below, after rows were added or columns closed, by a few steps of the dual simplex.
  double estimate(double limit, std::uint64_t steps, Control& control);

  std::size_t n_rows() const { return basis_.size(); }
  std::size_t n_columns() const { return cost_.size(); }
  const std::vector<double>& prices() const { return y_; }
  double objective() const;
  // The value of each column; most are zero.
  std::vector<double> values() const;
  std::uint64_t pivots() const { return pivots_; }
  // Drops closed columns, and those of the offered rows that have surplus, as far as the basis allows. The order of the
  // rest does not change; the answers tell whether each row and column stayed.
  struct Stayed {
    std::vector<char> rows, columns;
  };
  Stayed shrink(const std::vector<char>& offered);

 private:
  // The variables: column k is k, the surplus of row r is -1 - r, the stand-in of row r has its own number `kStandIn +
  // r`.
  using Variable = std::int32_t;
  static constexpr Variable kStandIn = 1 << 29;

  double* inverse(std::size_t r) { return inverse_.data() + r * stride_; }
  const double* inverse(std::size_t r) const { return inverse_.data() + r * stride_; }
  bool is_closed(Variable v) const { return v >= 0 && v < kStandIn && closed_[static_cast<std::size_t>(v)]; }
  double cost_of(Variable v) const;
  char& basic(Variable v);
  double along_row(const double* rho, std::size_t column) const;
  void widen();
  void start_over();
  void enter_rows();
  void reinvert(Control& control);
  void recompute();
  void column_in_basis(Variable entering);
  void enter(Variable entering, std::size_t leaving, double step, Control& control);
  void exchange(std::size_t leaving, Variable entering);
  void move_prices(std::size_t leaving, double step);
  double infeasibility(std::size_t r) const;
  bool rows_satisfied() const;
  bool prices_feasible(double tolerance) const;
  Outcome run_dual(double limit, std::uint64_t steps, Control& control);
  Outcome run_primal(Control& control);

  SharedOptions options_;
  std::vector<double> cost_, stand_in_, rhs_, whole_rhs_;
  std::vector<std::int32_t> entries_;  // rows of the columns, one after the other
  std::vector<std::size_t> start_{0};  // first entry of each column
  std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>>
      pending_;  // rows that are not in entries_ yet, with their coefficients
  std::vector<char> closed_, column_basic_, surplus_basic_, stand_in_basic_;
  std::vector<Variable> basis_;
  std::vector<double> inverse_;  // row-major
  std::size_t stride_ = 0;
  std::vector<double> x_, y_, d_, weight_;
  std::vector<double> alpha_, row_alpha_;
  std::vector<std::int32_t> nonzero_;
  std::uint64_t pivots_ = 0, since_inversion_ = 0;
};

}  // namespace laconic
