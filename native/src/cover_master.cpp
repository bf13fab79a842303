// The linear relaxation of the cover over the columns at hand: a primal simplex with a dense inverse.
//
// Why not a library: the problem is small (a few hundred rows matter, the others are added when violated), it is
// re-solved hundreds of times with a few more columns, and most tables must be answered in milliseconds, which
// is less than loading a solver takes. Nothing here is trusted: prices are rounded to integers and proved by
// exact pricing, so a tolerance can cost time but never correctness.
//
// Each row has a stand-in column that covers this row alone at the price of some rule that covers it: the first
// basis is feasible without a phase one, and so is the basis after a violated row is added. Right-hand sides are
// perturbed by fixed tiny amounts, because covering problems are so degenerate that a plain simplex stalls.
#include "cover_master.hpp"

#include <algorithm>
#include <cmath>

namespace laconic {
namespace {

constexpr double kPivotTolerance = 1e-8;
constexpr double kDualTolerance = 1e-9;
constexpr std::uint64_t kRefactorEvery = 1500;
constexpr std::size_t kCandidates = 64;

double tiny(std::size_t positive) {
  std::uint64_t z = (positive + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z ^= z >> 27;
  return 1e-6 * (1.0 + static_cast<double>(z >> 40) * 0x1.0p-24);
}

}  // namespace

CoverMaster::CoverMaster(std::size_t n_pos) : row_of_(n_pos, -1) {}

void CoverMaster::grow() {
  const std::size_t wanted = std::max<std::size_t>(64, 2 * capacity_);
  std::vector<double> bigger(wanted * wanted, 0.0);
  for (std::size_t q = 0; q < basis_.size(); ++q)
    std::copy(inverse(q), inverse(q) + basis_.size(), bigger.data() + q * wanted);
  inverse_ = std::move(bigger);
  capacity_ = wanted;
}

void CoverMaster::add_row(std::size_t positive, double stand_in) {
  std::vector<std::int32_t> coefficients(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) coefficients[k] = test_bit(columns_[k].cover.data(), positive);
  row_of_[positive] = static_cast<std::int32_t>(rows_.size());
  rows_.push_back(positive);
  add_any_row(coefficients, 1.0, stand_in, tiny(positive));
}

void CoverMaster::add_cut(const std::vector<Word>& rows, double stand_in) {
  std::vector<std::int32_t> coefficients(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k)
    coefficients[k] = static_cast<std::int32_t>((count_and(columns_[k].cover.data(), rows.data(), rows.size()) + 1) / 2);
  cuts_.push_back({rows, static_cast<std::int32_t>(rows_.size())});
  rows_.push_back(row_of_.size());  // not a positive
  add_any_row(coefficients, static_cast<double>((count(rows.data(), rows.size()) + 1) / 2), stand_in, tiny(rows_.size()));
}

void CoverMaster::add_joint_row(const std::vector<Word>& rows, double stand_in) {
  std::vector<std::int32_t> coefficients(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k)
    coefficients[k] = is_subset(rows.data(), columns_[k].cover.data(), rows.size());
  joint_.push_back({rows, static_cast<std::int32_t>(rows_.size())});
  rows_.push_back(row_of_.size());  // not a positive
  add_any_row(coefficients, 1.0, stand_in, tiny(rows_.size()));
}

// The new row of the inverse is -(row of the basis in the old columns) * inverse; see add_row for the rest.
void CoverMaster::add_any_row(const std::vector<std::int32_t>& coefficients, double whole, double stand_in,
                              double epsilon) {
  const std::size_t m = basis_.size();
  if (m == capacity_) grow();
  std::vector<std::pair<std::size_t, double>> covering;
  double covered = 0;
  for (std::size_t r = 0; r < m; ++r) {
    if (basis_[r].kind != Kind::kColumn) continue;
    const auto c = static_cast<double>(coefficients[static_cast<std::size_t>(basis_[r].index)]);
    if (c == 0) continue;
    covering.push_back({r, c});
    covered += c * x_[r];
  }
  const double rhs = whole + epsilon;
  const bool violated = covered < rhs;
  for (std::size_t q = 0; q < m; ++q) {
    double sum = 0;
    const double* column = inverse(q);
    for (const auto& [r, c] : covering) sum += c * column[r];
    inverse(q)[m] = violated ? -sum : sum;
  }
  std::fill(inverse(m), inverse(m) + m, 0.0);
  inverse(m)[m] = violated ? 1.0 : -1.0;
  stand_in_.push_back(stand_in);
  rhs_.push_back(rhs);
  whole_rhs_.push_back(whole);
  surplus_basic_.push_back(!violated);
  basis_.push_back({violated ? Kind::kStandIn : Kind::kSurplus, static_cast<std::int32_t>(m)});
  x_.push_back(std::abs(rhs - covered));
  y_.push_back(0);
  alpha_.resize(m + 1);
  for (std::size_t k = 0; k < columns_.size(); ++k)
    for (std::int32_t c = 0; c < coefficients[k]; ++c) columns_[k].rows.push_back(static_cast<std::int32_t>(m));
}

std::size_t CoverMaster::add_column(const Column& column) {
  MasterColumn added;
  added.cover = column.cover;
  added.cost = static_cast<double>(column.cost);
  for_each(column.cover.data(), column.cover.size(), [&](std::size_t i) {
    if (row_of_[i] >= 0) added.rows.push_back(row_of_[i]);
  });
  for (const auto& cut : cuts_)
    for (std::size_t c = (count_and(column.cover.data(), cut.rows.data(), cut.rows.size()) + 1) / 2; c > 0; --c)
      added.rows.push_back(cut.index);
  for (const auto& joint : joint_)
    if (is_subset(joint.rows.data(), column.cover.data(), joint.rows.size())) added.rows.push_back(joint.index);
  columns_.push_back(std::move(added));
  return columns_.size() - 1;
}

double CoverMaster::cost_of(const Basic& b) const {
  switch (b.kind) {
    case Kind::kColumn: return columns_[static_cast<std::size_t>(b.index)].cost;
    case Kind::kStandIn: return stand_in_[static_cast<std::size_t>(b.index)];
    default: return 0.0;
  }
}

void CoverMaster::recompute() {
  const std::size_t m = rows_.size();
  std::vector<double> cost(m);
  for (std::size_t r = 0; r < m; ++r) cost[r] = cost_of(basis_[r]);
  std::fill(x_.begin(), x_.end(), 0.0);
  for (std::size_t q = 0; q < m; ++q) {
    const double* column = inverse(q);
    double sum = 0;
    for (std::size_t r = 0; r < m; ++r) {
      sum += cost[r] * column[r];
      x_[r] += column[r] * rhs_[q];
    }
    y_[q] = sum;
  }
}

double CoverMaster::reduced_cost(std::size_t k) const {
  double d = columns_[k].cost;
  for (const auto r : columns_[k].rows) d -= y_[static_cast<std::size_t>(r)];
  return d;
}

double CoverMaster::objective() const {
  double sum = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) sum += y_[r] * whole_rhs_[r];
  return sum;
}

std::vector<double> CoverMaster::primal() const {
  std::vector<double> x(columns_.size(), 0.0);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (basis_[r].kind == Kind::kColumn) x[static_cast<std::size_t>(basis_[r].index)] = std::max(0.0, x_[r]);
  return x;
}

bool CoverMaster::choose_entering(Basic& what) {
  double best = -kDualTolerance;
  bool found = false;
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (y_[r] < best && !surplus_basic_[r]) {
      best = y_[r];
      what = {Kind::kSurplus, static_cast<std::int32_t>(r)};
      found = true;
    }
  // Look through a short list of columns that were attractive a moment ago before looking at all of them.
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1) {
      if (found) return true;
      std::vector<std::pair<double, std::int32_t>> attractive;
      for (std::size_t k = 0; k < columns_.size(); ++k) {
        if (columns_[k].basic) continue;
        const double d = reduced_cost(k);
        if (d < -kDualTolerance)
          attractive.push_back({d / std::sqrt(static_cast<double>(columns_[k].rows.size()) + 1.0), static_cast<std::int32_t>(k)});
      }
      const std::size_t kept = std::min(kCandidates, attractive.size());
      std::partial_sort(attractive.begin(), attractive.begin() + static_cast<std::ptrdiff_t>(kept), attractive.end());
      candidates_.clear();
      for (std::size_t c = 0; c < kept; ++c) candidates_.push_back(attractive[c].second);
      if (candidates_.empty()) return false;
    }
    std::size_t write = 0;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const auto k = static_cast<std::size_t>(candidates_[c]);
      if (columns_[k].basic) continue;
      const double d = reduced_cost(k);
      if (d >= -kDualTolerance) continue;
      candidates_[write++] = candidates_[c];
      const double score = d / std::sqrt(static_cast<double>(columns_[k].rows.size()) + 1.0);
      if (score < best) {
        best = score;
        what = {Kind::kColumn, static_cast<std::int32_t>(k)};
        found = true;
      }
    }
    candidates_.resize(write);
  }
  return found;
}

void CoverMaster::enter(Basic what, Control& control) {
  const std::size_t m = rows_.size();
  double d = 0;
  if (what.kind == Kind::kSurplus) {
    const auto q = static_cast<std::size_t>(what.index);
    for (std::size_t r = 0; r < m; ++r) alpha_[r] = -inverse(q)[r];
    d = y_[q];
  } else {
    std::fill(alpha_.begin(), alpha_.end(), 0.0);
    for (const auto q : columns_[static_cast<std::size_t>(what.index)].rows) {
      const double* column = inverse(static_cast<std::size_t>(q));
      for (std::size_t r = 0; r < m; ++r) alpha_[r] += column[r];
    }
    d = reduced_cost(static_cast<std::size_t>(what.index));
  }
  double step = 0;
  std::size_t leaving = m;
  for (std::size_t r = 0; r < m; ++r) {
    if (alpha_[r] <= kPivotTolerance) continue;
    const double ratio = std::max(0.0, x_[r]) / alpha_[r];
    if (leaving == m || ratio < step - 1e-12 || (ratio <= step + 1e-12 && alpha_[r] > alpha_[leaving])) {
      leaving = r;
      step = ratio;
    }
  }
  if (leaving == m) {  // cannot happen with non-negative costs; a sign of a spoilt inverse
    refactor(control);
    return;
  }
  const double pivot = alpha_[leaving];
  touched_.clear();
  for (std::size_t r = 0; r < m; ++r)
    if (std::abs(alpha_[r]) > 1e-13) touched_.push_back(static_cast<std::int32_t>(r));
  const bool sparse = 4 * touched_.size() < m;
  for (std::size_t q = 0; q < m; ++q) {
    double* column = inverse(q);
    const double scaled = column[leaving] / pivot;
    if (std::abs(scaled) < 1e-14) {  // dust: dropping it keeps the inverse sparse
      column[leaving] = 0.0;
      continue;
    }
    y_[q] += d * scaled;
    if (sparse)
      for (const auto r : touched_) column[r] -= alpha_[static_cast<std::size_t>(r)] * scaled;
    else
      for (std::size_t r = 0; r < m; ++r) column[r] -= alpha_[r] * scaled;
    column[leaving] = scaled;
  }
  for (std::size_t r = 0; r < m; ++r) x_[r] -= step * alpha_[r];
  x_[leaving] = step;
  const Basic out = basis_[leaving];
  if (out.kind == Kind::kColumn) columns_[static_cast<std::size_t>(out.index)].basic = false;
  if (out.kind == Kind::kSurplus) surplus_basic_[static_cast<std::size_t>(out.index)] = 0;
  if (what.kind == Kind::kColumn) columns_[static_cast<std::size_t>(what.index)].basic = true;
  if (what.kind == Kind::kSurplus) surplus_basic_[static_cast<std::size_t>(what.index)] = 1;
  basis_[leaving] = what;
  ++pivots_;
  if (++since_refactor_ >= kRefactorEvery) refactor(control);
}

// Rebuilds the inverse by Gauss-Jordan elimination with partial pivoting.
void CoverMaster::refactor(Control& control) {
  const std::size_t m = rows_.size();
  since_refactor_ = 0;
  std::vector<double> a(m * m, 0.0), b(m * m, 0.0);  // row-major basis and its inverse to be
  for (std::size_t r = 0; r < m; ++r) {
    b[r * m + r] = 1.0;
    const auto index = static_cast<std::size_t>(basis_[r].index);
    if (basis_[r].kind == Kind::kColumn)
      for (const auto q : columns_[index].rows) a[static_cast<std::size_t>(q) * m + r] += 1.0;
    else
      a[index * m + r] = basis_[r].kind == Kind::kSurplus ? -1.0 : 1.0;
  }
  for (std::size_t c = 0; c < m; ++c) {
    if (control.should_stop()) return;
    std::size_t p = c;
    for (std::size_t r = c + 1; r < m; ++r)
      if (std::abs(a[r * m + c]) > std::abs(a[p * m + c])) p = r;
    if (std::abs(a[p * m + c]) < 1e-12) return;  // keep the updated inverse: the proof does not rest on it
    if (p != c) {
      std::swap_ranges(a.begin() + static_cast<std::ptrdiff_t>(p * m), a.begin() + static_cast<std::ptrdiff_t>((p + 1) * m), a.begin() + static_cast<std::ptrdiff_t>(c * m));
      std::swap_ranges(b.begin() + static_cast<std::ptrdiff_t>(p * m), b.begin() + static_cast<std::ptrdiff_t>((p + 1) * m), b.begin() + static_cast<std::ptrdiff_t>(c * m));
    }
    const double scale = 1.0 / a[c * m + c];
    for (std::size_t k = c; k < m; ++k) a[c * m + k] *= scale;
    for (std::size_t k = 0; k < m; ++k) b[c * m + k] *= scale;
    for (std::size_t r = 0; r < m; ++r) {
      const double f = a[r * m + c];
      if (r == c || f == 0.0) continue;
      for (std::size_t k = c; k < m; ++k) a[r * m + k] -= f * a[c * m + k];
      for (std::size_t k = 0; k < m; ++k) b[r * m + k] -= f * b[c * m + k];
    }
  }
  for (std::size_t q = 0; q < m; ++q)
    for (std::size_t r = 0; r < m; ++r) inverse(q)[r] = b[r * m + q];
  recompute();
}

bool CoverMaster::solve(Control& control) {
  candidates_.clear();
  recompute();
  Basic what{};
  bool checked = false;
  for (;;) {
    if (!choose_entering(what)) {
      if (checked) return true;
      recompute();  // updated prices drift: look once more with fresh ones
      candidates_.clear();
      checked = true;
      continue;
    }
    checked = false;
    enter(what, control);
    if (control.check_now()) return false;
  }
}

}  // namespace laconic
