#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "cover_column.hpp"

namespace laconic {

// min cost.x over the columns added so far, every row added so far covered at least once.
class CoverMaster {
 public:
  explicit CoverMaster(std::size_t n_pos);

  // `stand_in` is what covering the row costs when no column does; at least the price of some rule that covers it.
  void add_row(std::size_t positive, double stand_in);
  // Adds the zero-half cut of an odd number of rows: a column counts for half of the rows it covers, rounded up,
  // and all columns together for half of the rows, rounded up.
  void add_cut(const std::vector<Word>& rows, double stand_in);
  // Adds a row that a column covers only if it covers all of these.
  void add_joint_row(const std::vector<Word>& rows, double stand_in);
  void set_cost(std::size_t column, double cost) { columns_[column].cost = cost; }
  // Returns the column's number in this master.
  std::size_t add_column(const Column& column);
  bool has_row(std::size_t positive) const { return row_of_[positive] >= 0; }

  // False if the control stopped it; the prices are then those of an unfinished basis.
  bool solve(Control& control);

  std::size_t n_rows() const { return rows_.size(); }
  std::size_t n_columns() const { return columns_.size(); }
  std::size_t row(std::size_t r) const { return rows_[r]; }
  const std::vector<double>& prices() const { return y_; }
  double right_hand_side(std::size_t r) const { return whole_rhs_[r]; }
  std::size_t n_cuts() const { return cuts_.size(); }
  double objective() const;
  // The value of each column, zero for most.
  std::vector<double> primal() const;
  double reduced_cost(std::size_t column) const;
  std::uint64_t pivots() const { return pivots_; }

 private:
  enum class Kind : std::uint8_t { kColumn, kSurplus, kStandIn };
  struct Basic {
    Kind kind;
    std::int32_t index;
  };
  struct MasterColumn {
    std::vector<Word> cover;  // of the instance's positives
    std::vector<std::int32_t> rows;  // a coefficient of two is the row twice
    double cost;
    bool basic = false;
  };

  double* inverse(std::size_t q) { return inverse_.data() + q * capacity_; }
  const double* inverse(std::size_t q) const { return inverse_.data() + q * capacity_; }
  void grow();
  double cost_of(const Basic& b) const;
  void enter(Basic what, Control& control);
  void refactor(Control& control);
  void recompute();
  bool choose_entering(Basic& what);

  std::vector<std::int32_t> row_of_;  // by positive, -1 if absent
  std::vector<std::size_t> rows_;
  struct Cut {
    std::vector<Word> rows;
    std::int32_t index;
  };
  void add_any_row(const std::vector<std::int32_t>& coefficients, double rhs, double stand_in, double epsilon);

  std::vector<Cut> cuts_, joint_;
  std::vector<double> stand_in_, rhs_, whole_rhs_;
  std::vector<char> surplus_basic_;
  std::vector<MasterColumn> columns_;
  std::vector<Basic> basis_;
  std::vector<double> inverse_;  // column-major: inverse_[q * capacity_ + r] = (B^-1)[r][q]
  std::size_t capacity_ = 0;
  std::vector<double> x_, y_, alpha_;
  std::vector<std::int32_t> candidates_, touched_;
  std::uint64_t pivots_ = 0, since_refactor_ = 0;
};

}  // namespace laconic
