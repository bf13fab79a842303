// Prices by subgradient steps: cheap, central prices for column generation.
//
// The simplex gives prices at a vertex. Early on they oscillate from round to round, and hundreds of pivots are spent
// on a relaxation that the next columns change anyway. A step along a subgradient of the Lagrangian L(y) = sum y + sum
// over columns of min(0, cost - y(column)) costs one pass over the columns, and its prices lie inside the dual
// polytope, where violated rules tend to matter (Caprara, Fischetti and Toth use the same idea to price explicit
// columns). The simplex only finishes.
#include "cover/ascent.hpp"

#include <algorithm>
#include <cmath>

namespace laconic {

DualAscent::DualAscent(std::size_t n_rows) : n_rows_(n_rows), best_(n_rows, -1.0), cap_(n_rows, 1e18) {}

void DualAscent::add_column(const Column& column) {
  rows_.emplace_back();
  for_each(column.cover, words_for(n_rows_),
           [&](std::size_t i) { rows_.back().push_back(static_cast<std::int32_t>(i)); });
  cost_.push_back(static_cast<double>(column.cost));
  for (const auto i : rows_.back())
    cap_[static_cast<std::size_t>(i)] = std::min(cap_[static_cast<std::size_t>(i)], cost_.back());
  // A row's first price: an equal share of the cheapest column over it.
  const double share = cost_.back() / static_cast<double>(rows_.back().size());
  if (n_columns() <= n_rows_ * 4)
    for (const auto i : rows_.back()) {
      double& y = best_[static_cast<std::size_t>(i)];
      if (y < 0) y = share;
    }
}

double DualAscent::reduced_cost(std::size_t k, const std::vector<double>& y) const {
  double d = cost_[k];
  for (const auto i : rows_[k]) d -= y[static_cast<std::size_t>(i)];
  return d;
}

void DualAscent::run(std::uint64_t steps, Cost upper_bound, Control& control) {
  for (std::size_t i = 0; i < n_rows_; ++i) best_[i] = std::min(std::max(best_[i], 0.0), cap_[i]);
  best_ = feasible_prices();
  step_ = 0.1;
  std::vector<double> y = best_, gradient(n_rows_), direction(n_rows_, 0.0);
  // The value of the best prices changes when columns are added.
  best_value_ = -1e300;
  double high = -1e300, low = 1e300;
  for (std::uint64_t t = 0; t < steps; ++t) {
    if (control.check_now()) return;
    std::fill(gradient.begin(), gradient.end(), 1.0);
    double value = 0;
    for (const double v : y) value += v;
    for (std::size_t k = 0; k < cost_.size(); ++k) {
      const double d = reduced_cost(k, y);
      if (d >= 0) continue;
      value += d;
      for (const auto i : rows_[k]) gradient[static_cast<std::size_t>(i)] -= 1.0;
    }
    if (value > best_value_) {
      best_value_ = value;
      best_ = y;
    }
    high = std::max(high, value);
    low = std::min(low, value);
    if (t % 20 == 19) {
      // Large oscillations shorten the steps; hardly any movement lengthens them.
      if (high - low > 0.01 * std::abs(high)) step_ = std::max(step_ * 0.6, 1e-4);
      if (high - low < 0.001 * std::abs(high)) step_ = std::min(step_ * 1.5, 2.0);
      high = -1e300;
      low = 1e300;
    }
    double norm = 0;
    for (std::size_t i = 0; i < n_rows_; ++i) {
      if ((y[i] <= 0 && gradient[i] < 0) || (y[i] >= cap_[i] && gradient[i] > 0)) gradient[i] = 0;  // at its limit
      direction[i] = 0.7 * gradient[i] + 0.3 * direction[i];
      norm += direction[i] * direction[i];
    }
    if (norm == 0) break;
    const double length = step_ * std::max(static_cast<double>(upper_bound) * 1.01 - value, 0.01) / norm;
    for (std::size_t i = 0; i < n_rows_; ++i) y[i] = std::min(std::max(0.0, y[i] + length * direction[i]), cap_[i]);
  }
}

std::vector<double> DualAscent::feasible_prices() const {
  std::vector<double> y = best_;
  for (auto& v : y) v = std::max(v, 0.0);
  // Overpaid columns return their excess, the most overpaid first; then rows take the remaining slack.
  std::vector<std::pair<double, std::size_t>> overpaid;
  for (std::size_t k = 0; k < cost_.size(); ++k) {
    const double d = reduced_cost(k, y);
    if (d < 0) overpaid.push_back({d, k});
  }
  std::sort(overpaid.begin(), overpaid.end());
  for (const auto& [unused, k] : overpaid) {
    const double d = reduced_cost(k, y);
    if (d >= 0) continue;
    const double factor = cost_[k] / (cost_[k] - d);
    for (const auto i : rows_[k]) y[static_cast<std::size_t>(i)] *= factor;
  }
  std::vector<double> room(cost_.size());
  std::vector<std::vector<std::int32_t>> over(n_rows_);
  for (std::size_t k = 0; k < cost_.size(); ++k) {
    room[k] = reduced_cost(k, y);
    for (const auto i : rows_[k]) over[static_cast<std::size_t>(i)].push_back(static_cast<std::int32_t>(k));
  }
  for (std::size_t i = 0; i < n_rows_; ++i) {
    double least = 1e300;
    for (const auto k : over[i]) least = std::min(least, room[static_cast<std::size_t>(k)]);
    if (over[i].empty() || least <= 0) continue;
    y[i] += least;
    for (const auto k : over[i]) room[static_cast<std::size_t>(k)] -= least;
  }
  return y;
}

}  // namespace laconic
