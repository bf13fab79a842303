// The linear relaxation of a cover: a simplex with a dense inverse, dual when rows are violated, primal when columns
// are added.
//
// Why not a library: the problem is small (a few hundred rows matter, the others are added when violated), it is
// re-solved thousands of times with a few more rows or columns, and most tables must be solved in milliseconds, less
// than the time to load a solver. No proof depends on this code: prices are rounded to integers and checked against
// every column, so a tolerance can cost time but never correctness.
//
// With non-negative costs the empty basis has feasible prices (all zero), so there is no phase one. New rows (cuts,
// branching) and closed columns leave the prices feasible, and the dual simplex continues from there; its objective
// only rises, so a search can stop once it has risen enough. New columns leave the solution feasible, and the primal
// simplex continues. Each row has a stand-in column at a price, so every programme has a solution. Covering problems
// are degenerate in both ways, so costs are lowered and right-hand sides raised by fixed tiny amounts. The leaving row
// is chosen by steepest edge, the entering column by a two-pass ratio test.
#include "cover/simplex.hpp"

#include <algorithm>
#include <cmath>

namespace laconic {
namespace {

constexpr double kPivotTolerance = 1e-7;
constexpr double kTolerance = 1e-9;
constexpr double kSpoilt = 1e-6;

double tiny(std::size_t number) {
  std::uint64_t z = (number + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z ^= z >> 27;
  return 1e-6 * (1.0 + static_cast<double>(z >> 40) * 0x1.0p-24);
}

// Uses four partial sums, which the compiler may add in parallel.
double product_of(const double* a, const double* b, std::size_t m) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t q = 0;
  for (; q + 4 <= m; q += 4) {
    s0 += a[q] * b[q];
    s1 += a[q + 1] * b[q + 1];
    s2 += a[q + 2] * b[q + 2];
    s3 += a[q + 3] * b[q + 3];
  }
  for (; q < m; ++q) s0 += a[q] * b[q];
  return (s0 + s1) + (s2 + s3);
}

template <class T>
void keep_marked(std::vector<T>& values, const std::vector<char>& marked) {
  std::size_t write = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (marked[k]) values[write++] = values[k];
  values.resize(write);
}

}  // namespace

void CoverSimplex::widen() {
  const std::size_t m = basis_.size(), wanted = stride_ + std::max<std::size_t>(32, stride_ / 2);
  std::vector<double> wider(wanted * wanted, 0.0);
  for (std::size_t r = 0; r < m; ++r) std::copy(inverse(r), inverse(r) + m, wider.data() + r * wanted);
  inverse_ = std::move(wider);
  stride_ = wanted;
}

// The surplus of the new row is basic, so its row of the inverse is that of the basic columns it has, and -1.
std::size_t CoverSimplex::add_row(const std::vector<std::int32_t>& coefficients, double right_hand_side,
                                  double stand_in) {
  const std::size_t m = basis_.size();
  if (m == stride_) widen();
  for (std::size_t r = 0; r < m; ++r) inverse(r)[m] = 0.0;
  double* own = inverse(m);
  std::fill(own, own + m, 0.0);
  double covered = 0;
  for (std::size_t r = 0; r < m; ++r) {
    if (basis_[r] < 0 || basis_[r] >= kStandIn) continue;
    const auto c = static_cast<double>(coefficients[static_cast<std::size_t>(basis_[r])]);
    if (c == 0) continue;
    covered += c * x_[r];
    for (std::size_t q = 0; q < m; ++q) own[q] += c * inverse(r)[q];
  }
  own[m] = -1.0;
  rhs_.push_back(right_hand_side + tiny(m));
  whole_rhs_.push_back(right_hand_side);
  stand_in_.push_back(stand_in);
  x_.push_back(covered - rhs_.back());
  y_.push_back(0.0);
  weight_.push_back(product_of(own, own, m + 1));
  alpha_.push_back(0.0);
  surplus_basic_.push_back(1);
  stand_in_basic_.push_back(0);
  basis_.push_back(-1 - static_cast<Variable>(m));

  if (!coefficients.empty()) pending_.push_back({static_cast<std::int32_t>(m), coefficients});
  return m;
}

// Rows come in batches, so the entries of all columns are moved only once per batch.
void CoverSimplex::enter_rows() {
  if (pending_.empty()) return;
  std::vector<std::int32_t> entries;
  entries.reserve(entries_.size() + pending_.size() * cost_.size() / 4);
  for (std::size_t k = 0; k < cost_.size(); ++k) {
    const std::size_t from = start_[k];
    start_[k] = entries.size();
    entries.insert(entries.end(), entries_.begin() + static_cast<std::ptrdiff_t>(from),
                   entries_.begin() + static_cast<std::ptrdiff_t>(start_[k + 1]));
    for (const auto& [row, coefficients] : pending_)
      entries.insert(entries.end(), static_cast<std::size_t>(coefficients[k]), row);
  }
  start_.back() = entries.size();
  entries_ = std::move(entries);
  pending_.clear();
}

std::size_t CoverSimplex::add_column(double cost, const std::vector<std::int32_t>& rows) {
  enter_rows();
  cost_.push_back(cost * (1.0 - tiny(cost_.size())));
  entries_.insert(entries_.end(), rows.begin(), rows.end());
  start_.push_back(entries_.size());
  closed_.push_back(0);
  column_basic_.push_back(0);
  d_.push_back(0.0);
  row_alpha_.push_back(0.0);
  return cost_.size() - 1;
}

double CoverSimplex::cost_of(Variable v) const {
  if (v < 0) return 0.0;
  return v < kStandIn ? cost_[static_cast<std::size_t>(v)] : stand_in_[static_cast<std::size_t>(v - kStandIn)];
}

char& CoverSimplex::basic(Variable v) {
  if (v < 0) return surplus_basic_[static_cast<std::size_t>(-1 - v)];
  return v < kStandIn ? column_basic_[static_cast<std::size_t>(v)]
                      : stand_in_basic_[static_cast<std::size_t>(v - kStandIn)];
}

double CoverSimplex::along_row(const double* rho, std::size_t k) const {
  double sum = 0;
  for (std::size_t e = start_[k]; e < start_[k + 1]; ++e) sum += rho[static_cast<std::size_t>(entries_[e])];
  return sum;
}

double CoverSimplex::objective() const {
  double sum = 0;
  for (std::size_t r = 0; r < y_.size(); ++r) sum += y_[r] * whole_rhs_[r];
  return sum;
}

std::vector<double> CoverSimplex::values() const {
  std::vector<double> x(cost_.size(), 0.0);
  for (std::size_t r = 0; r < basis_.size(); ++r)
    if (basis_[r] >= 0 && basis_[r] < kStandIn) x[static_cast<std::size_t>(basis_[r])] = std::max(0.0, x_[r]);
  return x;
}

// A row whose surplus is basic has an almost empty column in the inverse; without both, the rest is still an inverse.
CoverSimplex::Stayed CoverSimplex::shrink(const std::vector<char>& offered) {
  enter_rows();
  const std::size_t m = basis_.size();
  Stayed stayed{std::vector<char>(m, 1), std::vector<char>(cost_.size(), 1)};
  std::vector<std::int32_t> new_row(m, -1), new_column(cost_.size(), -1);
  std::int32_t n_rows = 0, n_columns = 0;
  for (std::size_t r = 0; r < m; ++r)
    if ((stayed.rows[r] = !(offered[r] && surplus_basic_[r]))) new_row[r] = n_rows++;
  for (std::size_t k = 0; k < cost_.size(); ++k)
    if ((stayed.columns[k] = !closed_[k] || column_basic_[k])) new_column[k] = n_columns++;

  std::size_t to = 0;
  for (std::size_t p = 0; p < m; ++p) {
    const Variable v = basis_[p];
    if (v < 0 && !stayed.rows[static_cast<std::size_t>(-1 - v)]) continue;
    std::size_t at = 0;
    for (std::size_t q = 0; q < m; ++q)
      if (stayed.rows[q]) inverse(to)[at++] = inverse(p)[q];
    basis_[to] = v < 0          ? -1 - new_row[static_cast<std::size_t>(-1 - v)]
                 : v < kStandIn ? new_column[static_cast<std::size_t>(v)]
                                : kStandIn + new_row[static_cast<std::size_t>(v - kStandIn)];
    x_[to] = x_[p];
    weight_[to++] = weight_[p];
  }
  basis_.resize(to);
  x_.resize(to);
  weight_.resize(to);
  alpha_.resize(to);
  keep_marked(rhs_, stayed.rows);
  keep_marked(whole_rhs_, stayed.rows);
  keep_marked(stand_in_, stayed.rows);
  keep_marked(y_, stayed.rows);
  keep_marked(surplus_basic_, stayed.rows);
  keep_marked(stand_in_basic_, stayed.rows);

  std::size_t write = 0, end = 0;
  for (std::size_t k = 0; k < stayed.columns.size(); ++k) {
    const std::size_t from = end;
    end = start_[k + 1];
    if (!stayed.columns[k]) continue;
    start_[static_cast<std::size_t>(new_column[k])] = write;
    for (std::size_t e = from; e < end; ++e)
      if (const std::int32_t row = new_row[static_cast<std::size_t>(entries_[e])]; row >= 0) entries_[write++] = row;
  }
  start_.resize(static_cast<std::size_t>(n_columns) + 1);
  start_.back() = write;
  entries_.resize(write);
  keep_marked(cost_, stayed.columns);
  keep_marked(closed_, stayed.columns);
  keep_marked(column_basic_, stayed.columns);
  keep_marked(d_, stayed.columns);
  row_alpha_.resize(cost_.size());
  return stayed;
}

// The basis of all surpluses, whose prices are zero.
void CoverSimplex::start_over() {
  const std::size_t m = basis_.size();
  for (std::size_t r = 0; r < m; ++r) {
    basic(basis_[r]) = 0;
    std::fill(inverse(r), inverse(r) + m, 0.0);
    inverse(r)[r] = -1.0;
  }
  for (std::size_t r = 0; r < m; ++r) basic(basis_[r] = -1 - static_cast<Variable>(r)) = 1;
  std::fill(weight_.begin(), weight_.end(), 1.0);
  since_inversion_ = 0;
}

// Enters the same columns into an empty basis one by one, each where its pivot is largest.
void CoverSimplex::reinvert(Control& control) {
  const std::vector<Variable> wanted = basis_;
  std::vector<char> free(basis_.size(), 1);
  start_over();
  for (const Variable v : wanted)
    if (v < 0) free[static_cast<std::size_t>(-1 - v)] = 0;
  for (const Variable v : wanted) {
    if (v < 0) continue;
    if (control.check_now()) return;  // a smaller basis is valid as well
    column_in_basis(v);
    std::size_t best = basis_.size();
    for (std::size_t r = 0; r < basis_.size(); ++r)
      if (free[r] && (best == basis_.size() || std::abs(alpha_[r]) > std::abs(alpha_[best]))) best = r;
    // linearly dependent: its surplus stays
    if (best == basis_.size() || std::abs(alpha_[best]) < kPivotTolerance) continue;
    exchange(best, v);
    free[best] = 0;
  }
  since_inversion_ = 0;
}

void CoverSimplex::recompute() {
  const std::size_t m = basis_.size();
  std::fill(y_.begin(), y_.end(), 0.0);
  for (std::size_t r = 0; r < m; ++r) {
    const double* row = inverse(r);
    const double cost = cost_of(basis_[r]);
    double sum = 0;
    for (std::size_t q = 0; q < m; ++q) sum += row[q] * rhs_[q];
    x_[r] = sum;
    if (cost != 0)
      for (std::size_t q = 0; q < m; ++q) y_[q] += cost * row[q];
  }
  for (std::size_t q = 0; q < m; ++q)
    if (surplus_basic_[q]) y_[q] = 0.0;
  for (std::size_t k = 0; k < cost_.size(); ++k) d_[k] = column_basic_[k] ? 0.0 : cost_[k] - along_row(y_.data(), k);
}

// Writes the column of the entering variable, in terms of the basis, to alpha_.
void CoverSimplex::column_in_basis(Variable entering) {
  const std::size_t m = basis_.size();
  if (entering < 0 || entering >= kStandIn) {
    const auto q = static_cast<std::size_t>(entering < 0 ? -1 - entering : entering - kStandIn);
    const double sign = entering < 0 ? -1.0 : 1.0;
    for (std::size_t r = 0; r < m; ++r) alpha_[r] = sign * inverse(r)[q];
    return;
  }
  for (std::size_t r = 0; r < m; ++r) alpha_[r] = along_row(inverse(r), static_cast<std::size_t>(entering));
}

// Updates the basis, its inverse and the weights: alpha_'s variable replaces the one at `leaving`.
void CoverSimplex::exchange(std::size_t leaving, Variable entering) {
  const std::size_t m = basis_.size();
  const double pivot = alpha_[leaving];
  double* own = inverse(leaving);
  nonzero_.clear();
  for (std::size_t q = 0; q < m; ++q) {
    own[q] = std::abs(own[q]) < 1e-14 ? 0.0 : own[q] / pivot;  // tiny values are dropped to keep the inverse sparse
    if (own[q] != 0) nonzero_.push_back(static_cast<std::int32_t>(q));
  }
  const bool sparse = 3 * nonzero_.size() < m;
  const double norm = product_of(own, own, m);
  for (std::size_t r = 0; r < m; ++r) {
    const double a = alpha_[r];
    if (r == leaving || std::abs(a) < 1e-13) continue;
    double* row = inverse(r);
    double product = 0;
    if (sparse) {
      for (const auto index : nonzero_) {
        const auto q = static_cast<std::size_t>(index);
        product += row[q] * own[q];
        row[q] -= a * own[q];
      }
    } else {
      product = product_of(row, own, m);
      for (std::size_t q = 0; q < m; ++q) row[q] -= a * own[q];
    }
    weight_[r] = std::max(weight_[r] + a * (a * norm - 2 * product), options_->simplex_least_weight);
  }
  weight_[leaving] = norm;
  basic(basis_[leaving]) = 0;
  basic(entering) = 1;
  basis_[leaving] = entering;
  ++pivots_;
  ++since_inversion_;
}

// Distance of the row's variable from its feasible range.
double CoverSimplex::infeasibility(std::size_t r) const {
  if (x_[r] < -kTolerance) return -x_[r];
  return x_[r] > kTolerance && is_closed(basis_[r]) ? x_[r] : 0.0;
}

bool CoverSimplex::rows_satisfied() const {
  for (std::size_t r = 0; r < basis_.size(); ++r)
    if (infeasibility(r) > 0) return false;
  return true;
}

bool CoverSimplex::prices_feasible(double tolerance) const {
  for (std::size_t k = 0; k < cost_.size(); ++k)
    if (d_[k] < -tolerance && !closed_[k]) return false;
  for (std::size_t r = 0; r < y_.size(); ++r)
    if (y_[r] < -tolerance || y_[r] > stand_in_[r] + tolerance) return false;
  return true;
}

// Moves the prices along row `leaving` of the inverse; row_alpha_ holds the products of that row and the non-basic
// columns.
void CoverSimplex::move_prices(std::size_t leaving, double step) {
  const double* rho = inverse(leaving);
  for (std::size_t q = 0; q < y_.size(); ++q) y_[q] += step * rho[q];
  for (std::size_t k = 0; k < cost_.size(); ++k)
    if (!column_basic_[k]) d_[k] -= step * row_alpha_[k];
  if (basis_[leaving] >= 0 && basis_[leaving] < kStandIn) d_[static_cast<std::size_t>(basis_[leaving])] = -step;
}

CoverSimplex::Outcome CoverSimplex::run_dual(double limit, std::uint64_t steps, Control& control) {
  const std::size_t m = basis_.size();
  for (std::uint64_t step = 0; step < steps; ++step) {
    if (objective() > limit) return Outcome::kBeyond;
    if (control.check_now()) return Outcome::kStopped;
    std::size_t leaving = m;
    double most = 0;
    for (std::size_t r = 0; r < m; ++r) {
      const double v = infeasibility(r);
      if (v * v > most * weight_[r]) {
        most = v * v / weight_[r];
        leaving = r;
      }
    }
    if (leaving == m) return Outcome::kOptimal;
    const double sign = x_[leaving] < 0 ? -1.0 : 1.0;
    const double* rho = inverse(leaving);
    // First pass: the maximum step, with a small tolerance. Second pass: the largest pivot within that step.
    double room = 1e300;
    for (std::size_t k = 0; k < cost_.size(); ++k) {
      if (column_basic_[k] || closed_[k]) {
        row_alpha_[k] = 0.0;
        continue;
      }
      row_alpha_[k] = along_row(rho, k);
      const double a = sign * row_alpha_[k];
      if (a > kPivotTolerance) room = std::min(room, (std::max(d_[k], 0.0) + kTolerance) / a);
    }
    for (std::size_t q = 0; q < m; ++q) {
      const double a = sign * rho[q];
      if (a > kPivotTolerance && !stand_in_basic_[q])
        room = std::min(room, (std::max(stand_in_[q] - y_[q], 0.0) + kTolerance) / a);
      if (-a > kPivotTolerance && !surplus_basic_[q]) room = std::min(room, (std::max(y_[q], 0.0) + kTolerance) / -a);
    }
    Variable entering = 0;
    double pivot = 0, left = 0;
    const auto consider = [&](Variable v, double a, double d) {
      if (a <= std::max(kPivotTolerance, pivot) || d > room * a) return;
      entering = v;
      pivot = a;
      left = d;
    };
    for (std::size_t k = 0; k < cost_.size(); ++k)
      if (sign * row_alpha_[k] > kPivotTolerance)
        consider(static_cast<Variable>(k), sign * row_alpha_[k], std::max(d_[k], 0.0));
    for (std::size_t q = 0; q < m; ++q) {
      if (!stand_in_basic_[q])
        consider(kStandIn + static_cast<Variable>(q), sign * rho[q], std::max(stand_in_[q] - y_[q], 0.0));
      if (!surplus_basic_[q]) consider(-1 - static_cast<Variable>(q), -sign * rho[q], std::max(y_[q], 0.0));
    }
    if (pivot == 0)
      return Outcome::kOptimal;  // impossible with stand-ins: the inverse is inaccurate, which solve() detects
    column_in_basis(entering);
    if (std::abs(alpha_[leaving] - sign * pivot) > kSpoilt * (1.0 + pivot)) {
      if (since_inversion_ == 0) return Outcome::kOptimal;
      reinvert(control);
      recompute();
      continue;
    }
    move_prices(leaving, sign * left / pivot);
    const double shift = x_[leaving] / alpha_[leaving];
    enter(entering, leaving, shift, control);
  }
  return Outcome::kOptimal;
}

// Takes a step along alpha_: the variable enters with that value, in place of the leaving row.
void CoverSimplex::enter(Variable entering, std::size_t leaving, double step, Control& control) {
  for (std::size_t r = 0; r < x_.size(); ++r) x_[r] -= step * alpha_[r];
  x_[leaving] = step;
  if (entering >= 0 && entering < kStandIn) d_[static_cast<std::size_t>(entering)] = 0.0;
  if (entering < 0) y_[static_cast<std::size_t>(-1 - entering)] = 0.0;
  exchange(leaving, entering);
  if (since_inversion_ >= options_->simplex_invert_every) {
    reinvert(control);
    recompute();
  }
}

double CoverSimplex::estimate(double limit, std::uint64_t steps, Control& control) {
  enter_rows();
  run_dual(limit, steps, control);
  return objective();
}

CoverSimplex::Outcome CoverSimplex::run_primal(Control& control) {
  const std::size_t m = basis_.size();
  for (;;) {
    if (control.check_now()) return Outcome::kStopped;
    Variable entering = 0;
    double best = -kTolerance, d = 0;
    const auto consider = [&](Variable v, double reduced, double score) {
      if (score >= best) return;
      best = score;
      entering = v;
      d = reduced;
    };
    for (std::size_t k = 0; k < cost_.size(); ++k)
      if (d_[k] < -kTolerance && !column_basic_[k] && !closed_[k])
        consider(static_cast<Variable>(k), d_[k],
                 d_[k] / std::sqrt(1.0 + static_cast<double>(start_[k + 1] - start_[k])));
    for (std::size_t q = 0; q < m; ++q) {
      if (!surplus_basic_[q]) consider(-1 - static_cast<Variable>(q), y_[q], y_[q]);
      if (!stand_in_basic_[q])
        consider(kStandIn + static_cast<Variable>(q), stand_in_[q] - y_[q], stand_in_[q] - y_[q]);
    }
    if (d == 0) return Outcome::kOptimal;
    column_in_basis(entering);
    std::size_t leaving = m;
    double step = 0;
    for (std::size_t r = 0; r < m; ++r) {
      const bool closed = is_closed(basis_[r]);
      if (closed ? std::abs(alpha_[r]) <= kPivotTolerance : alpha_[r] <= kPivotTolerance) continue;
      const double ratio = closed ? 0.0 : std::max(0.0, x_[r]) / alpha_[r];
      if (leaving == m || ratio < step - 1e-12 ||
          (ratio <= step + 1e-12 && std::abs(alpha_[r]) > std::abs(alpha_[leaving]))) {
        leaving = r;
        step = ratio;
      }
    }
    if (leaving == m) return Outcome::kOptimal;  // impossible with non-negative costs: the inverse is inaccurate
    const double* rho = inverse(leaving);
    for (std::size_t k = 0; k < cost_.size(); ++k) row_alpha_[k] = column_basic_[k] ? 0.0 : along_row(rho, k);
    move_prices(leaving, d / alpha_[leaving]);
    enter(entering, leaving, step, control);
  }
}

CoverSimplex::Outcome CoverSimplex::solve(double limit, Control& control) {
  enter_rows();
  recompute();
  for (int phase = 0; phase < options_->simplex_phases; ++phase) {
    const bool satisfied = rows_satisfied();
    if (satisfied && prices_feasible(kTolerance)) return Outcome::kOptimal;
    Outcome outcome;
    if (satisfied) {
      outcome = run_primal(control);
    } else {
      if (!prices_feasible(kSpoilt)) {  // neither side is feasible: the inverse is inaccurate
        start_over();
        recompute();
      }
      outcome = run_dual(limit, ~std::uint64_t{0}, control);
    }
    if (outcome != Outcome::kOptimal) return outcome;
    if (phase + 2 == options_->simplex_phases) start_over();
    recompute();  // updated numbers drift: check again with fresh ones
  }
  return Outcome::kOptimal;
}

}  // namespace laconic
