// Passes of the pricer over all rules, in column generation (sparse/solver.cpp): partial passes, complete passes as far
// from the centre as their limit allows, and passes that use up the remaining time.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sparse/pricing/priced_rows.hpp"
#include "sparse/solver.hpp"

namespace laconic {
namespace {

constexpr std::uint64_t kFirstPass = 1000;  // nodes

double seconds(Control::Clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

// Prices and blame may be given up where the gap is large anyway.
Pricing SparseSolver::price(RowDual& rows, const PricingLimits& limits, Control& control) const {
  const double missing =
      static_cast<double>(best_.cost * rows.scale) - std::accumulate(rows.y.begin(), rows.y.end(), 0.0);
  const Spare spare{static_cast<Weight>(std::max(0.0, options().pass_spare_prices * missing)),
                    std::max(0.0, options().pass_spare_blame * missing / static_cast<double>(best_.cost * rows.scale))};
  return price_what_counts(in_, rows, spare, limits, control);
}

// Finds violated rules from all over the table, in few nodes.
Pricing SparseSolver::price_partially(RowDual& rows, Control& control) {
  const double start = control.worked();
  Pricing priced = price(rows,
                         {options().sparse_joining, std::min(options().pass_partial_nodes, least_pass()),
                          options().pass_partial_width},
                         control);
  partial_speed_ = static_cast<double>(priced.n_nodes) / (control.worked() - start);
  pricing_nodes_ += priced.n_nodes;
  return priced;
}

// A complete pass between the centre, which is feasible, and the new prices: V is convex, so near the centre violations
// are small and the search is short. The distance shrinks after every failure (with an immediate retry, if told to
// persist) and grows after a success. The first pass is to give a bound soon: it has fewer nodes and is retried until
// it is complete.
Pricing SparseSolver::price_thoroughly(RowDual& rows, bool persist, Control& control) {
  const Dual far = dual_;
  const bool is_first = !centre_.known();
  for (;;) {
    rows = between_centre_and(far);
    const std::uint64_t limit = std::max(is_first ? kFirstPass : least_pass(), pricing_nodes_);
    const double start = control.worked(), n_threads = n_threads_now();
    Pricing priced = price(rows, {options().pass_found, limit, kAnyWidth, apart()}, control);
    pricing_nodes_ += priced.n_nodes;
    if (priced.complete) {
      trust_.succeed(static_cast<double>(priced.n_nodes), priced.part_nodes, limit);
      note_speed(priced.n_nodes, n_threads * (control.worked() - start));
      return priced;
    }
    if (control.check_now()) {
      if (priced.n_nodes > options().pass_partial_nodes) trust_.interrupt();
      return priced;
    }
    const bool nearest = trust_.is_near();
    if (!nearest) trust_.fail(limit);
    if (nearest || !(persist || is_first) || priced.found.size() >= options().sparse_few_found) return priced;
  }
}

// Nodes take longer with finer groups. The partial pass that was just made gives their duration; those of a complete
// pass are slightly faster.
void SparseSolver::note_speed(std::uint64_t n_nodes, double seconds) {
  relative_speed_ = std::clamp(static_cast<double>(n_nodes) / seconds / partial_speed_, 0.5, 2.0);
}

// If only a few passes fit before the end, hardly one of them at the ascended dual, one pass is made as far as the time
// allows, and another on a better dual if that raises the bound. Part of the pass shows how far that is
// (pass_forecast.hpp). The pass only changes the bound, so the answer does not depend on the clock.
void SparseSolver::use_up_time(double share, Control& control) {
  const Options& o = options();
  const auto now = Control::Clock::now(), end = end_.load();
  if (trust_.last().nodes == 0 || end == Control::Clock::time_point::max() ||
      seconds(now - begin_) < share * seconds(end - begin_))
    return;
  const auto known = [&]() -> const PassFigures& { return late_.nodes > 0 ? late_ : trust_.last(); };
  // A pass with the trust `from` takes this number of seconds; its logarithm grows with the trust.
  const double speed = n_threads_now() * partial_speed_ * relative_speed_;
  double from = known().trust, takes = known().nodes / speed;
  double growth = o.pass_last_growth, left = control.worked_of(end - now);
  if (late_.nodes == 0 &&
      (left > o.pass_time_to_spare * takes * std::exp(growth * (1 - from)) ||
       left * speed > o.pass_few_left * static_cast<double>(std::max(least_pass(), pricing_nodes_))))
    return;
  const Dual far = dual_;
  const double trust = trust_.value(), sum = std::accumulate(far.y.begin(), far.y.end(), 0.0);
  int n_given_up = 0;
  for (bool more = true, measured = false; more && left > 0; left = control.worked_of(end - Control::Clock::now())) {
    const double aim = o.pass_aim * std::pow(o.pass_aim_lower, n_given_up);
    trust_.set(std::min(o.pass_nearest, from + std::log(aim * left / takes) / growth));
    if (trust_.value() * sum < o.pass_worth * static_cast<double>(bound_)) break;
    RowDual rows = between_centre_and(far);
    const PassPlan plan{known().part_nodes, left, n_given_up < o.pass_given_up && trust_.value() < o.pass_nearest};
    const double start = control.worked();
    Pricing priced = price(rows, {o.pass_found, kAnyNodes, kAnyWidth, apart(), &plan}, control);
    nodes_at_end_ += priced.n_nodes;
    double took = control.worked() - start;
    if (priced.complete) {
      raise_bound((std::accumulate(rows.y.begin(), rows.y.end(), Weight{0}) + rows.scale - 1) / rows.scale);
      late_ = {trust_.value(), static_cast<double>(priced.n_nodes), std::move(priced.part_nodes)};
      note_speed(priced.n_nodes, n_threads_now() * took);
      more = priced.found.size() < o.sparse_few_found;  // otherwise rules gain more
    } else if (priced.reckoned_s == 0 || control.check_now()) {
      break;
    } else {
      took = priced.reckoned_s;
      ++n_given_up;
    }
    if (measured && std::abs(trust_.value() - from) > 0.01)
      growth = trust_.growth_between({from, takes, {}}, {trust_.value(), took, {}});
    from = trust_.value(), takes = took, measured = true;
  }
  dual_ = far;
  trust_.set(trust);
}

bool SparseSolver::is_large() const {
  return in_.n_literals() * (in_.pos.n_rows + in_.neg.n_rows) >= options().pass_large_table;
}

double SparseSolver::n_threads_now() const {
  return is_large() ? static_cast<double>(std::max<std::size_t>(1, threads_)) : 1;
}

// Small tables are searched in one part: each rule found lowers the prices for later ones.
const std::atomic<std::size_t>* SparseSolver::apart() const { return is_large() ? &threads_ : nullptr; }

std::uint64_t SparseSolver::least_pass() const {
  return std::clamp<std::uint64_t>(options().pass_least_rows / (in_.pos.n_rows + in_.neg.n_rows), 1000,
                                   options().pass_least_nodes);
}

// Sets dual_ to the point between the centre (if there is none, or a poor one: zero prices, but the same blame) and
// `far`, and returns it by row.
RowDual SparseSolver::between_centre_and(const Dual& far) {
  dual_ = far;
  if (trust_.value() == 1) return to_rows(in_, ascent_.grouping(), dual_);
  const double sum = std::accumulate(far.y.begin(), far.y.end(), 0.0);
  const bool poor = !centre_.known() || centre_.value() < options().pass_poor_centre * sum;
  if (poor && centre_.known())
    trust_.set(std::max(trust_.value(), std::min(1.0, options().pass_least_rise * centre_.value() / sum)));
  const double t = trust_.value();
  for (auto& y : dual_.y) y *= t;
  if (poor || t * sum > centre_.value()) return to_rows(in_, ascent_.grouping(), dual_);
  for (std::size_t g = 0; g < dual_.y.size(); ++g) dual_.y[g] += (1 - t) * centre_.dual.y[g];
  for (std::size_t k = 0; k < dual_.mu.size(); ++k)
    dual_.mu[k] = static_cast<float>(t) * far.mu[k] + static_cast<float>(1 - t) * centre_.dual.mu[k];
  // The centre's prices differ within groups.
  RowDual rows = to_rows(in_, ascent_.grouping(), dual_);
  const RowDual end = to_rows(in_, ascent_.grouping(), far);
  for (std::size_t i = 0; i < rows.y.size(); ++i)
    rows.y[i] =
        static_cast<Weight>(t * static_cast<double>(end.y[i]) + (1 - t) * static_cast<double>(centre_.rows.y[i]));
  return rows;
}

}  // namespace laconic
