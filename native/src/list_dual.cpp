// The blame relaxation, from below.
//
// Each covered positive i names one covering rule, and each false positive j of that rule
// is charged to i. The dual has a price y_i <= w_i per positive and a share mu_ij of each
// negative's blame, sum_i mu_ij <= w_j; it is feasible iff every rule R satisfies
//     sum_{i in pos R} max(0, y_i - sum_{j in neg R} mu_ij) <= price(R),
// and then sum y is a lower bound. For any y, mu the Lagrangian
//     sum y - sum_R (violation of R)+
// is one too, concave and piecewise linear: projected subgradient with deflected
// directions and Polyak steps towards the incumbent climbs it. Rivals measured on these
// tables: the LP in a simplex or interior-point solver (100 times slower), primal-dual
// hybrid gradient (its averages violate many near-equal rules a little, and the sum of the
// violations ruins the bound).
//
// The float iterate proves nothing. exact_bound rounds it down to integers, repairs the
// prices until no rule is violated, raises prices where slack is left, and returns an
// integer bound with integer reduced costs.
#include "list_dual.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace laconic {
namespace {

// Fills slack[k] = y - blame for the k-th positive group of the rule; returns the sum of the positive ones.
double evaluate(const ListProblem& p, const ListRule& rule, const Dual& dual, std::vector<double>& slack) {
  const std::size_t n = rule.pos.size();
  slack.resize(n);
  const auto total = [&] {
    double sum = 0;
    if (rule.pos_share.empty())
      for (std::size_t k = 0; k < n; ++k) sum += std::max(0.0, slack[k]);
    else
      for (std::size_t k = 0; k < n; ++k) sum += static_cast<double>(rule.pos_share[k]) * std::max(0.0, slack[k]);
    return sum;
  };
  for (std::size_t k = 0; k < n; ++k) slack[k] = dual.y[rule.pos[k]];
  if (const double sum = total(); sum <= static_cast<double>(rule.price)) return sum;  // no blame needed to see it
  for (std::size_t m = 0; m < rule.neg.size(); ++m) {
    const float* column = dual.mu.data() + static_cast<std::size_t>(rule.neg[m]) * p.n_pos();
    const float part = rule.neg_share.empty() ? 1.0f : rule.neg_share[m];
    for (std::size_t k = 0; k < n; ++k) slack[k] -= static_cast<double>(part * column[rule.pos[k]]);
  }
  return total();
}

// Projects a column of non-negative numbers with the given sum onto {sum <= weight}, in the metric in which coordinate
// g counts 1 / scale[g]: the numbers fall by a common multiple of scale.
void project(float* column, const float* scale, std::size_t n, double sum, double weight,
             std::vector<std::pair<float, float>>& scratch) {
  if (sum <= weight) return;
  scratch.clear();
  double scale_sum = 0;
  for (std::size_t k = 0; k < n; ++k)
    if (column[k] > 0) scratch.emplace_back(column[k], scale[k]), scale_sum += static_cast<double>(scale[k]);
  // Michelot: shift by the mean excess, drop what became negative, repeat.
  double shift = (sum - weight) / scale_sum;
  for (;;) {
    double kept_sum = 0, kept_scale = 0;
    std::size_t kept = 0;
    for (const auto& [v, s] : scratch)
      if (static_cast<double>(v) > shift * static_cast<double>(s)) {
        scratch[kept++] = {v, s};
        kept_sum += static_cast<double>(v);
        kept_scale += static_cast<double>(s);
      }
    if (kept == scratch.size() || kept == 0) break;
    scratch.resize(kept);
    shift = (kept_sum - weight) / kept_scale;
  }
  const float by = static_cast<float>(shift);
  for (std::size_t k = 0; k < n; ++k) column[k] = std::max(0.0f, column[k] - by * scale[k]);
}

// How the rows of each new group are spread over the old groups: (old group, weight).
using Overlap = std::vector<std::vector<std::pair<std::uint32_t, double>>>;
Overlap overlap(const std::vector<std::uint32_t>& old, const std::vector<std::uint32_t>& fresh,
                       std::size_t n_fresh, const std::vector<Weight>& weight) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> shared;
  for (std::size_t i = 0; i < fresh.size(); ++i)
    shared[{fresh[i], old[i]}] += static_cast<double>(weight[i]);
  Overlap out(n_fresh);
  for (const auto& [key, w] : shared) out[key.first].emplace_back(key.second, w);
  return out;
}

constexpr std::size_t kAlwaysScan = 256;  // lists up to this long are evaluated whole each iteration
constexpr std::size_t kScanEvery = 20;
constexpr double kKeep = 0.3;             // share of the previous direction

}  // namespace

Dual initial_dual(const ListProblem& problem) {
  Dual dual;
  dual.y.assign(problem.pos_weight.begin(), problem.pos_weight.end());
  // Blame spread evenly: what no listed rule asks for still weakens the rules not listed yet.
  double total = 0;
  for (auto w : problem.pos_weight) total += static_cast<double>(w);
  dual.mu.resize(problem.n_pos() * problem.n_neg());
  for (std::size_t h = 0; h < problem.n_neg(); ++h)
    for (std::size_t g = 0; g < problem.n_pos(); ++g)
      dual.mu[h * problem.n_pos() + g] = static_cast<float>(static_cast<double>(problem.neg_weight[h]) *
                                                            static_cast<double>(problem.pos_weight[g]) / total);
  return dual;
}

Dual carry_dual(const ClassInstance& in, const Grouping& old, const Dual& dual, const Grouping& fresh) {
  Dual out = initial_dual(fresh.problem);
  if (old.pos_group.empty()) return out;
  std::fill(out.y.begin(), out.y.end(), 0.0);
  std::fill(out.mu.begin(), out.mu.end(), 0.0f);
  const std::size_t n_pos = fresh.problem.n_pos(), n_neg = fresh.problem.n_neg(), old_pos = old.problem.n_pos();
  const auto pos = overlap(old.pos_group, fresh.pos_group, n_pos, in.pos.weight);
  const auto neg = overlap(old.neg_group, fresh.neg_group, n_neg, in.neg.weight);
  const auto unit = [](Weight w) { return 1.0 / static_cast<double>(w); };
  for (std::size_t g = 0; g < n_pos; ++g)
    for (const auto& [from, w] : pos[g]) out.y[g] += dual.y[from] * w * unit(old.problem.pos_weight[from]);
  std::vector<double> column(old_pos);
  for (std::size_t h = 0; h < n_neg; ++h) {
    std::fill(column.begin(), column.end(), 0.0);
    for (const auto& [from, w] : neg[h]) {
      const double share = w * unit(old.problem.neg_weight[from]);
      for (std::size_t g = 0; g < old_pos; ++g) column[g] += share * static_cast<double>(dual.mu[from * old_pos + g]);
    }
    for (std::size_t g = 0; g < n_pos; ++g)
      for (const auto& [from, w] : pos[g])
        out.mu[h * n_pos + g] += static_cast<float>(column[from] * w * unit(old.problem.pos_weight[from]));
  }
  return out;
}

double list_value(const ListProblem& p, const Dual& dual) {
  std::vector<double> slack;
  double value = static_cast<double>(p.offset) + std::accumulate(dual.y.begin(), dual.y.end(), 0.0);
  for (const auto& rule : p.rules) value -= std::max(0.0, evaluate(p, rule, dual, slack) - static_cast<double>(rule.price));
  return value;
}

void ascend(const ListProblem& p, Dual& dual, double target, std::size_t iterations, AscentState& state,
            Control& control) {
  const std::size_t n_pos = p.n_pos(), n_neg = p.n_neg(), n_rules = p.rules.size();
  std::vector<double> dir_y(n_pos, 0.0), slack;
  std::vector<float> dir_mu(n_pos * n_neg, 0.0f);
  std::vector<std::pair<float, float>> scratch;
  // Heavy groups take longer steps: the root of the weight served best between 0 (none) and 1 (as if every
  // unit of weight had a price and a blame of its own).
  std::vector<float> pos_scale(n_pos), neg_scale(n_neg);
  double mean = 0;
  for (auto w : p.neg_weight) mean += std::sqrt(static_cast<double>(w)) / static_cast<double>(n_neg);
  for (std::size_t g = 0; g < n_pos; ++g) pos_scale[g] = static_cast<float>(std::sqrt(static_cast<double>(p.pos_weight[g])));
  for (std::size_t h = 0; h < n_neg; ++h) neg_scale[h] = static_cast<float>(std::sqrt(static_cast<double>(p.neg_weight[h])) / mean);
  double norm_mu = 0;  // squared length of dir_mu, kept up to date as it changes
  constexpr float fresh = static_cast<float>(1 - kKeep);
  std::vector<char> column_live(n_neg, 0);
  std::vector<std::uint32_t> live;
  std::vector<std::uint32_t> active(n_rules);
  std::iota(active.begin(), active.end(), 0u);
  std::vector<double> last_value(n_rules, 0.0);
  if (state.use.size() != n_rules) state.use.assign(n_rules, 0.0f);
  std::size_t since_best = 0;
  const bool partial = n_rules > kAlwaysScan;

  for (std::size_t it = 0; it < iterations; ++it) {
    if (control.check_now()) return;
    ++state.iterations;
    const bool full = !partial || it % kScanEvery == 0 || it + 1 == iterations;
    if (full && partial) {
      active.resize(n_rules);
      std::iota(active.begin(), active.end(), 0u);
    }
    // Direction: 1 per price, minus 1 per violated rule that uses the price, plus 1 per blame it could use.
    for (auto& d : dir_y) d = kKeep * d + (1 - kKeep);
    double value = static_cast<double>(p.offset) + std::accumulate(dual.y.begin(), dual.y.end(), 0.0);
    for (auto r : active) {
      const ListRule& rule = p.rules[r];
      const double over = evaluate(p, rule, dual, slack) - static_cast<double>(rule.price);
      last_value[r] = over;
      state.use[r] *= 0.98f;
      if (over <= 0) continue;
      state.use[r] += 0.02f;
      value -= over;
      for (std::size_t k = 0; k < rule.pos.size(); ++k)
        if (slack[k] <= 0) slack[k] = 0;
      const auto share = [&](std::size_t k) { return rule.pos_share.empty() ? 1.0f : rule.pos_share[k]; };
      for (std::size_t k = 0; k < rule.pos.size(); ++k)
        if (slack[k] > 0) dir_y[rule.pos[k]] -= (1 - kKeep) * static_cast<double>(share(k));
      for (std::size_t m = 0; m < rule.neg.size(); ++m) {
        const auto h = rule.neg[m];
        if (!column_live[h]) column_live[h] = 1, live.push_back(h);
        float* d = dir_mu.data() + static_cast<std::size_t>(h) * n_pos;
        const float part = rule.neg_share.empty() ? fresh : fresh * rule.neg_share[m];
        float change = 0;
        for (std::size_t k = 0; k < rule.pos.size(); ++k) {
          if (slack[k] <= 0) continue;
          float& at = d[rule.pos[k]];
          const float step = part * share(k);
          change += pos_scale[rule.pos[k]] * step * (2 * at + step);
          at += step;
        }
        norm_mu += static_cast<double>(change * neg_scale[h]);
      }
    }
    if (full) {
      if (value > state.best + 1e-9) {
        since_best = value > state.best + 1e-3 * std::abs(target - state.best) ? 0 : since_best + 1;
        state.best = value;
        state.best_dual = dual;
      } else {
        ++since_best;
      }
      if (state.best > target - 1 + 1e-6) return;
      if (partial) {
        // Keep the rules closest to violation until the next full scan.
        const std::size_t want = std::max<std::size_t>(kAlwaysScan, n_rules / 10);
        std::nth_element(active.begin(), active.begin() + static_cast<long>(want), active.end(),
                         [&](auto a, auto b) { return last_value[a] > last_value[b]; });
        active.resize(want);
        std::sort(active.begin(), active.end());
      }
      if (since_best >= (partial ? 3u : 40u)) {
        since_best = 0;
        state.step_factor = std::max(0.05, state.step_factor * 0.7);
      }
    }
    double norm = 1e-9 + std::max(0.0, norm_mu);
    for (std::size_t g = 0; g < n_pos; ++g) norm += static_cast<double>(pos_scale[g]) * dir_y[g] * dir_y[g];
    const double step = state.step_factor * std::max(0.25, target - value) / norm;
    for (std::size_t g = 0; g < n_pos; ++g)
      dual.y[g] = std::clamp(dual.y[g] + step * static_cast<double>(pos_scale[g]) * dir_y[g], 0.0, static_cast<double>(p.pos_weight[g]));
    // One pass per column: move, clip, add up, and fade the direction for the next iteration.
    norm_mu *= kKeep * kKeep;
    const float keep = static_cast<float>(kKeep);
    std::size_t still = 0;
    for (auto h : live) {
      float* d = dir_mu.data() + static_cast<std::size_t>(h) * n_pos;
      float* column = dual.mu.data() + static_cast<std::size_t>(h) * n_pos;
      const float step_mu = static_cast<float>(step) * neg_scale[h];
      float largest = 0, sum = 0;
      for (std::size_t g = 0; g < n_pos; ++g) {
        const float moved = std::max(0.0f, column[g] + step_mu * pos_scale[g] * d[g]);
        column[g] = moved;
        sum += moved;
        largest = std::max(largest, d[g]);
        d[g] *= keep;
      }
      project(column, pos_scale.data(), n_pos, static_cast<double>(sum), static_cast<double>(p.neg_weight[h]), scratch);
      if (largest < 1e-3f) {
        std::fill(d, d + n_pos, 0.0f);
        column_live[h] = 0;
      } else {
        live[still++] = h;
      }
    }
    live.resize(still);
    if (live.empty()) norm_mu = 0;
  }
}

ExactBound exact_bound(const ListProblem& p, const Dual& dual) {
  const std::size_t n_pos = p.n_pos(), n_neg = p.n_neg(), n_rules = p.rules.size();
  ExactBound out;
  Weight total = p.offset;
  for (auto w : p.pos_weight) total += w;
  for (auto w : p.neg_weight) total += w;
  for (const auto& r : p.rules) total = std::max(total, r.price);
  while (out.scale < (Weight{1} << 20) && total < (Weight{1} << 58) / (2 * out.scale)) out.scale *= 2;
  const double s = static_cast<double>(out.scale);

  std::vector<Weight> y(n_pos), mu(n_pos * n_neg);
  for (std::size_t g = 0; g < n_pos; ++g)
    y[g] = std::clamp<Weight>(static_cast<Weight>(std::floor(dual.y[g] * s)), 0, p.pos_weight[g] * out.scale);
  for (std::size_t h = 0; h < n_neg; ++h) {
    Weight left = p.neg_weight[h] * out.scale;
    for (std::size_t g = 0; g < n_pos; ++g) {
      const Weight share = static_cast<Weight>(std::floor(static_cast<double>(dual.mu[h * n_pos + g]) * s));
      mu[h * n_pos + g] = std::clamp<Weight>(share, 0, left);
      left -= mu[h * n_pos + g];
    }
  }

  // slack[start[r] + k] = y - blame for the k-th positive of rule r.
  std::vector<std::size_t> start(n_rules + 1, 0);
  for (std::size_t r = 0; r < n_rules; ++r) start[r + 1] = start[r] + p.rules[r].pos.size();
  std::vector<Weight> blame(start[n_rules], 0);
  for (std::size_t r = 0; r < n_rules; ++r) {
    Weight* b = blame.data() + start[r];
    const auto& rule = p.rules[r];
    for (auto h : rule.neg) {
      const Weight* column = mu.data() + static_cast<std::size_t>(h) * n_pos;
      for (std::size_t k = 0; k < rule.pos.size(); ++k) b[k] += column[rule.pos[k]];
    }
  }
  const auto over = [&](std::size_t r) {
    const auto& rule = p.rules[r];
    Weight sum = -rule.price * out.scale;
    for (std::size_t k = 0; k < rule.pos.size(); ++k)
      sum += std::max<Weight>(0, y[rule.pos[k]] - blame[start[r] + k]);
    return sum;
  };

  // Repair: lower the prices of violated rules, worst first. Prices only fall, so a rule once
  // satisfied stays so.
  std::vector<std::pair<Weight, std::size_t>> violated;
  for (std::size_t r = 0; r < n_rules; ++r)
    if (const Weight v = over(r); v > 0) violated.emplace_back(-v, r);
  std::sort(violated.begin(), violated.end());
  for (const auto& item : violated) {
    const std::size_t r = item.second;
    Weight v = over(r);
    if (v <= 0) continue;
    const auto& rule = p.rules[r];
    const Weight sum = v + rule.price * out.scale;
    for (std::size_t k = 0; k < rule.pos.size() && v > 0; ++k) {
      const Weight part = std::max<Weight>(0, y[rule.pos[k]] - blame[start[r] + k]);
      // Proportional, rounded up, never more than needed.
      const Weight share = static_cast<Weight>(std::ceil(static_cast<double>(part) / static_cast<double>(sum) *
                                                         static_cast<double>(sum - rule.price * out.scale)));
      const Weight cut = std::min({part, v, share + 1});
      y[rule.pos[k]] -= cut;
      v -= cut;
    }
    for (std::size_t k = 0; k < rule.pos.size() && v > 0; ++k) {
      const Weight cut = std::min(v, std::max<Weight>(0, y[rule.pos[k]] - blame[start[r] + k]));
      y[rule.pos[k]] -= cut;
      v -= cut;
    }
  }

  // Raise: use whatever slack is left, group by group.
  out.reduced_cost.resize(n_rules);
  for (std::size_t r = 0; r < n_rules; ++r) out.reduced_cost[r] = -over(r);
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> uses(n_pos);  // (rule, position)
  for (std::size_t r = 0; r < n_rules; ++r)
    for (std::size_t k = 0; k < p.rules[r].pos.size(); ++k)
      uses[p.rules[r].pos[k]].emplace_back(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(k));
  for (std::size_t g = 0; g < n_pos; ++g) {
    Weight room = p.pos_weight[g] * out.scale - y[g];
    for (auto [r, k] : uses[g]) {
      if (room <= 0) break;
      room = std::min(room, out.reduced_cost[r] + std::max<Weight>(0, blame[start[r] + k] - y[g]));
    }
    if (room <= 0) continue;
    for (auto [r, k] : uses[g])
      out.reduced_cost[r] -= std::max<Weight>(0, room - std::max<Weight>(0, blame[start[r] + k] - y[g]));
    y[g] += room;
  }
  out.bound = p.offset * out.scale + std::accumulate(y.begin(), y.end(), Weight{0});
  return out;
}

}  // namespace laconic
