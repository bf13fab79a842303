// Lower bounds from the blame relaxation.
//
// Each covered positive i names one covering rule, and each false positive j of that rule is charged to i. The dual has
// a price y_i <= w_i per positive and a share mu_ij of each negative's blame, sum_i mu_ij <= w_j. It is feasible iff
// every rule R satisfies sum_{i in pos R} max(0, y_i - sum_{j in neg R} mu_ij) <= price(R), and then sum y is a lower
// bound. sparse/listed/ascent.cpp maximises it.
//
// Floats prove nothing. exact_bound rounds them down to integers, repairs the prices until no rule is violated, raises
// prices where slack is left, and returns an integer bound with integer reduced costs.
#include "sparse/listed/dual.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace laconic {
namespace {

Origins origins(const std::vector<std::uint32_t>& old, const std::vector<std::uint32_t>& fresh, std::size_t n_fresh,
                const std::vector<Weight>& weight) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Weight> shared;
  for (std::size_t i = 0; i < fresh.size(); ++i)
    if (fresh[i] != kNoGroup && old[i] != kNoGroup) shared[{fresh[i], old[i]}] += weight[i];
  Origins out(n_fresh);
  for (const auto& [key, w] : shared) out[key.first].emplace_back(key.second, w);
  return out;
}

// Relative margin of rounded parts, above the error of a double.
constexpr double kMargin = 1e-14;
double part_of(const std::vector<Weight>& parts, std::size_t k, Weight whole) {
  return parts.empty() || parts[k] == whole ? 1.0 : static_cast<double>(parts[k]) / static_cast<double>(whole);
}
Weight rounded_down(double share, Weight x) {
  return static_cast<Weight>(std::floor(share * static_cast<double>(x) * (1 - kMargin)));
}
Weight rounded_up(double share, Weight x) {
  return static_cast<Weight>(std::ceil(share * static_cast<double>(x) * (1 + kMargin)));
}

}  // namespace

Dual initial_dual(const ListProblem& problem) {
  Dual dual;
  dual.y.assign(problem.pos_weight.begin(), problem.pos_weight.end());
  // Unused blame is spread evenly: it still weakens the rules that are not listed yet.
  double total = 0;
  for (auto w : problem.pos_weight) total += static_cast<double>(w);
  dual.mu.resize(problem.n_pos() * problem.n_neg());
  for (std::size_t h = 0; h < problem.n_neg(); ++h)
    for (std::size_t g = 0; g < problem.n_pos(); ++g)
      dual.mu[h * problem.n_pos() + g] = static_cast<float>(static_cast<double>(problem.neg_weight[h]) *
                                                            static_cast<double>(problem.pos_weight[g]) / total);
  return dual;
}

Dual carry_dual(const ListProblem& old, const Dual& dual, const Lineage& lineage, const ListProblem& fresh,
                Control& control) {
  const std::size_t n_pos = fresh.n_pos(), n_neg = fresh.n_neg(), old_pos = old.n_pos();
  Dual out{std::vector<double>(n_pos, 0.0), std::vector<float>(n_pos * n_neg, 0.0f)};
  const auto share = [](Weight part, Weight whole) { return static_cast<double>(part) / static_cast<double>(whole); };
  for (std::size_t g = 0; g < n_pos; ++g)
    for (const auto& [from, w] : lineage.pos[g]) out.y[g] += dual.y[from] * share(w, old.pos_weight[from]);
  std::vector<double> column(old_pos);
  for (std::size_t h = 0; h < n_neg && !control.should_stop(); ++h) {
    std::fill(column.begin(), column.end(), 0.0);
    for (const auto& [from, w] : lineage.neg[h]) {
      const double part = share(w, old.neg_weight[from]);
      for (std::size_t g = 0; g < old_pos; ++g) column[g] += part * static_cast<double>(dual.mu[from * old_pos + g]);
    }
    for (std::size_t g = 0; g < n_pos; ++g)
      for (const auto& [from, w] : lineage.pos[g])
        out.mu[h * n_pos + g] += static_cast<float>(column[from] * share(w, old.pos_weight[from]));
  }
  return out;
}

std::vector<float> carry_claims(const std::vector<float>& claims, const Origins& origins) {
  std::vector<float> out;
  for (const auto& from : origins) {
    double sum = 0, weight = 0;
    for (const auto& [g, w] : from)
      sum += static_cast<double>(claims[g]) * static_cast<double>(w), weight += static_cast<double>(w);
    out.push_back(weight > 0 ? static_cast<float>(sum / weight) : 0.0f);
  }
  return out;
}

Lineage lineage_between(const ClassInstance& in, const Grouping& old, const Grouping& fresh) {
  return {origins(old.pos_group, fresh.pos_group, fresh.problem.n_pos(), in.pos.weight),
          origins(old.neg_group, fresh.neg_group, fresh.problem.n_neg(), in.neg.weight)};
}

Dual carry_dual(const ClassInstance& in, const Grouping& old, const Dual& dual, const Grouping& fresh,
                Control& control) {
  if (old.pos_group.empty()) return initial_dual(fresh.problem);
  return carry_dual(old.problem, dual, lineage_between(in, old, fresh), fresh.problem, control);
}

ExactBound exact_bound(const ListProblem& p, const Dual& dual, Control& control) {
  const std::size_t n_pos = p.n_pos(), n_neg = p.n_neg(), n_rules = p.rules.size();
  ExactBound out;
  Weight total = p.offset;
  for (auto w : p.pos_weight) total += w;
  for (auto w : p.neg_weight) total += w;
  for (const auto& r : p.rules) total = std::max(total, r.price);
  while (out.scale < (Weight{1} << 20) && total < (Weight{1} << 58) / (2 * out.scale)) out.scale *= 2;
  const double s = static_cast<double>(out.scale);

  struct Share {
    std::uint32_t group;
    Weight blame;
  };
  std::vector<Weight> y(n_pos);
  std::vector<std::vector<Share>> mu(n_neg);  // most shares are zero
  for (std::size_t g = 0; g < n_pos; ++g)
    y[g] = std::clamp<Weight>(static_cast<Weight>(std::floor(dual.y[g] * s)), 0, p.pos_weight[g] * out.scale);
  for (std::size_t h = 0; h < n_neg; ++h) {
    if (control.should_stop()) return out;
    Weight left = p.neg_weight[h] * out.scale;
    for (std::size_t g = 0; g < n_pos; ++g) {
      if (!(dual.mu[h * n_pos + g] > 0)) continue;
      const Weight share =
          std::min(left, static_cast<Weight>(std::floor(static_cast<double>(dual.mu[h * n_pos + g]) * s)));
      if (share > 0) mu[h].push_back({static_cast<std::uint32_t>(g), share});
      left -= share;
    }
  }

  // blame[start[r] + k]: the blame of the rule on the k-th group that it covers, rounded down; share: the covered part
  // of the group. Parts of groups are rounded so that a rule never seems cheaper than it is.
  std::vector<std::size_t> start(n_rules + 1, 0);
  for (std::size_t r = 0; r < n_rules; ++r) start[r + 1] = start[r] + p.rules[r].pos.size();
  std::vector<Weight> blame(start[n_rules], 0), by_group(n_pos, 0);
  std::vector<double> share(start[n_rules], 1);
  for (std::size_t r = 0; r < n_rules; ++r) {
    if (control.should_stop()) return out;
    Weight* b = blame.data() + start[r];
    const auto& rule = p.rules[r];
    std::fill(by_group.begin(), by_group.end(), 0);
    for (std::size_t m = 0; m < rule.neg.size(); ++m) {
      const auto h = rule.neg[m];
      const double part = part_of(rule.neg_part, m, p.neg_weight[h]);
      for (const auto& [g, x] : mu[h]) by_group[g] += part == 1 ? x : rounded_down(part, x);
    }
    for (std::size_t k = 0; k < rule.pos.size(); ++k) b[k] = by_group[rule.pos[k]];
    for (std::size_t k = 0; k < rule.pos.size(); ++k)
      share[start[r] + k] = part_of(rule.pos_part, k, p.pos_weight[rule.pos[k]]);
  }
  // The contribution of the k-th group to rule r at the price `price`.
  const auto counts = [&](std::size_t at, Weight price) {
    const Weight slack = std::max<Weight>(0, price - blame[at]);
    return share[at] == 1 ? slack : rounded_up(share[at], slack);
  };
  const auto over = [&](std::size_t r) {
    const auto& rule = p.rules[r];
    Weight sum = -rule.price * out.scale;
    for (std::size_t k = 0; k < rule.pos.size(); ++k) sum += counts(start[r] + k, y[rule.pos[k]]);
    return sum;
  };

  // Repair: lower the prices of violated rules, worst first. Prices only fall, so a satisfied rule stays satisfied.
  std::vector<std::pair<Weight, std::size_t>> violated;
  for (std::size_t r = 0; r < n_rules; ++r)
    if (const Weight v = over(r); v > 0) violated.emplace_back(-v, r);
  std::sort(violated.begin(), violated.end());
  for (const auto& item : violated) {
    if (control.should_stop()) return out;
    const std::size_t r = item.second;
    const Weight v = over(r);
    if (v <= 0) continue;
    const auto& rule = p.rules[r];
    const double factor = static_cast<double>(v) / static_cast<double>(v + rule.price * out.scale);
    // First proportionally; the remainder is taken from the first groups that have enough.
    for (std::size_t k = 0; k < rule.pos.size(); ++k) {
      Weight& price = y[rule.pos[k]];
      const Weight slack = std::max<Weight>(0, price - blame[start[r] + k]);
      price -= std::min(slack, static_cast<Weight>(factor * static_cast<double>(slack)));
    }
    for (std::size_t k = 0; k < rule.pos.size(); ++k) {
      const Weight left = over(r);
      if (left <= 0) break;
      Weight& price = y[rule.pos[k]];
      const Weight slack = std::max<Weight>(0, price - blame[start[r] + k]);
      price -= std::min(slack, static_cast<Weight>(static_cast<double>(left) / share[start[r] + k]) + 1);
    }
  }

  // Raise prices group by group, as far as the slack allows.
  out.reduced_cost.resize(n_rules);
  for (std::size_t r = 0; r < n_rules; ++r) out.reduced_cost[r] = -over(r);
  std::vector<std::vector<std::pair<std::uint32_t, std::size_t>>> uses(n_pos);  // (rule, place)
  for (std::size_t r = 0; r < n_rules; ++r)
    for (std::size_t k = 0; k < p.rules[r].pos.size(); ++k)
      uses[p.rules[r].pos[k]].emplace_back(static_cast<std::uint32_t>(r), start[r] + k);
  for (std::size_t g = 0; g < n_pos; ++g) {
    if (control.should_stop()) return out;
    Weight room = p.pos_weight[g] * out.scale - y[g];
    for (auto [r, at] : uses[g]) {
      if (room <= 0) break;
      const Weight spare = share[at] == 1 ? out.reduced_cost[r] : rounded_down(1 / share[at], out.reduced_cost[r]) - 2;
      room = std::min(room, spare + std::max<Weight>(0, blame[at] - y[g]));
    }
    if (room <= 0) continue;
    const auto loses = [&, g, room](std::size_t at) { return counts(at, y[g] + room) - counts(at, y[g]); };
    if (!std::all_of(uses[g].begin(), uses[g].end(),
                     [&](const auto& use) { return loses(use.second) <= out.reduced_cost[use.first]; }))
      continue;  // rounding
    for (auto [r, at] : uses[g]) out.reduced_cost[r] -= loses(at);
    y[g] += room;
  }
  out.bound = p.offset * out.scale + std::accumulate(y.begin(), y.end(), Weight{0});
  out.y = std::move(y);
  return out;
}

}  // namespace laconic
