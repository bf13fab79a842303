// Grouping of rows.
//
// The dual of a group is spread evenly over its rows, so grouping loses what separate duals of these rows would gain.
// The relaxation's primal shows where: if the rules in use cover some rows of a group more often than others, separate
// prices would fall on the former and rise on the latter. A group is split by the rule that explains most of that
// difference (the variance between the two parts, as in a regression tree). The most promising groups are split first,
// in terms of gain per added pair. Rules not in use count a little, so that all rows are separated in the end. Rival:
// splitting all groups by one rule after another, in order of use; it needs two to four times as many pairs for the
// same bound.
#include "sparse/listed/grouping.hpp"

#include <algorithm>
#include <numeric>

namespace laconic {
namespace {

// The rows of one side in groups, split by one rule after another. The rows of a rule are given as a function that
// calls back with each of them.
struct Partition {
  const std::vector<Weight>& row_weight;
  std::vector<std::uint32_t> group;  // per row
  std::vector<Weight> weight;        // per group
  std::vector<Weight> covered;       // per group, zero between calls
  std::vector<std::uint32_t> touched;

  explicit Partition(const std::vector<Weight>& weights) : row_weight(weights), group(weights.size(), 0) {
    if (weights.empty()) return;
    weight.push_back(0);
    for (auto w : weights) weight[0] += w;
    covered.push_back(0);
  }
  Partition(const std::vector<Weight>& weights, std::vector<std::uint32_t> groups, std::vector<Weight> group_weights)
      : row_weight(weights), group(std::move(groups)), weight(std::move(group_weights)), covered(weight.size(), 0) {}

  template <class Rows>
  void weigh(const Rows& rows) {
    touched.clear();
    rows([&](std::size_t i) {
      if (covered[group[i]] == 0) touched.push_back(group[i]);
      covered[group[i]] += row_weight[i];
    });
  }

  // Splits every group that the rule covers in part.
  template <class Rows>
  void split(const Rows& rows) {
    weigh(rows);
    const std::size_t before = weight.size();
    std::vector<std::uint32_t> fresh(before, kNoGroup);
    for (auto g : touched) {
      const Weight part = covered[g];
      covered[g] = 0;
      if (part == weight[g]) continue;
      fresh[g] = static_cast<std::uint32_t>(weight.size());
      weight.push_back(part);
      weight[g] -= part;
    }
    covered.resize(weight.size(), 0);
    rows([&](std::size_t i) {
      if (fresh[group[i]] != kNoGroup) group[i] = fresh[group[i]];
    });
  }

  // Returns the groups of a rule's rows and, for a group that it covers in part, the covered share.
  template <class Rows>
  void cover(const Rows& rows, std::vector<std::uint32_t>& groups, std::vector<Weight>& part) {
    weigh(rows);
    groups = touched;
    std::sort(groups.begin(), groups.end());
    bool parts = false;
    for (auto g : groups) parts |= covered[g] != weight[g];
    for (auto g : groups) {
      if (parts) part.push_back(covered[g]);
      covered[g] = 0;
    }
  }
};

// The rows of rules in a pool, by the rule's number.
struct PoolRows {
  const ClassInstance& in;
  const RulePool& pool;
  const std::vector<std::uint32_t>& rules;

  const SharedOptions& options() const { return in.options; }
  std::size_t size() const { return rules.size(); }
  std::uint32_t id(std::size_t k) const { return rules[k]; }
  Weight price(std::size_t k) const { return pool.price(rules[k]); }
  auto pos(std::size_t k) const {
    return [this, k](auto&& visit) { for_each(pool.pos(rules[k]), in.pos.n_words, visit); };
  }
  auto neg(std::size_t k) const {
    return [this, k](auto&& visit) { for_each(pool.neg(rules[k]), in.neg.n_words, visit); };
  }
};

// The groups of a problem as rows.
struct ProblemRows {
  const ListProblem& p;

  const SharedOptions& options() const { return p.options; }
  std::size_t size() const { return p.rules.size(); }
  std::uint32_t id(std::size_t k) const { return p.rules[k].id; }
  Weight price(std::size_t k) const { return p.rules[k].price; }
  auto pos(std::size_t k) const {
    return [this, k](auto&& visit) {
      for (auto g : p.rules[k].pos) visit(g);
    };
  }
  auto neg(std::size_t k) const {
    return [this, k](auto&& visit) {
      for (auto h : p.rules[k].neg) visit(h);
    };
  }
};

struct Split {
  double gain = 0;  // zero: no split
  std::size_t rule = 0;
};

// Finds for each group the rule that explains most of the difference in coverage between its rows.
template <class RowsOf, class ClaimOf>
std::vector<Split> best_splits(const Partition& side, const std::vector<std::size_t>& rules, const RowsOf& rows_of,
                               const ClaimOf& claim_of, Control& control) {
  const std::size_t n = side.weight.size();
  std::vector<double> depth(side.group.size(), 0.0), sum(n, 0.0), covered(n, 0.0), part(n, 0.0);
  for (auto k : rules) rows_of(k)([&](std::size_t i) { depth[i] += static_cast<double>(claim_of(k, i)); });
  for (std::size_t i = 0; i < depth.size(); ++i)
    sum[side.group[i]] += depth[i] * static_cast<double>(side.row_weight[i]);
  std::vector<Split> best(n);
  std::vector<std::uint32_t> touched;
  for (auto k : rules) {
    if (control.check_now()) return best;
    touched.clear();
    rows_of(k)([&](std::size_t i) {
      const auto g = side.group[i];
      const auto w = static_cast<double>(side.row_weight[i]);
      if (covered[g] == 0) touched.push_back(g);
      covered[g] += w;
      part[g] += w * depth[i];
    });
    for (auto g : touched) {
      const double all = static_cast<double>(side.weight[g]), other = all - covered[g];
      if (other > 0.5) {
        const double apart = part[g] / covered[g] - (sum[g] - part[g]) / other;
        const double gain = covered[g] * other / all * apart * apart;
        if (gain > best[g].gain) best[g] = {gain, k};
      }
      covered[g] = part[g] = 0;
    }
  }
  return best;
}

template <class RowsOf>
void make(Partition& side, const std::vector<Split>& splits, const RowsOf& rows_of) {
  std::vector<std::size_t> rules;
  for (const auto& split : splits)
    if (split.gain > 0) rules.push_back(split.rule);
  std::sort(rules.begin(), rules.end());
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  std::vector<std::uint32_t> fresh(splits.size(), kNoGroup);
  for (auto k : rules)
    rows_of(k)([&](std::size_t i) {
      const auto g = side.group[i];
      if (g >= splits.size() || splits[g].gain == 0 || splits[g].rule != k) return;
      if (fresh[g] == kNoGroup) {
        fresh[g] = static_cast<std::uint32_t>(side.weight.size());
        side.weight.push_back(0);
        side.covered.push_back(0);
      }
      side.group[i] = fresh[g];
      side.weight[fresh[g]] += side.row_weight[i];
      side.weight[g] -= side.row_weight[i];
    });
}

// Splits groups as long as one of these rules covers a part of a group and pairs are left; returns false if no pairs
// are left or it was stopped.
template <class Rules, class Claim, class Use>
bool split_by(const std::vector<std::size_t>& which, const Rules& rules, const Claim& claim, const Use& use,
              std::size_t max_pairs, Partition& pos, Partition& neg, Control& control) {
  struct Ranked {
    double worth;  // gain per pair
    bool positive;
    std::uint32_t group;
  };
  const auto pos_rows = [&](std::size_t k) { return rules.pos(k); };
  const auto neg_rows = [&](std::size_t k) { return rules.neg(k); };
  for (;;) {
    const auto of_pos = best_splits(pos, which, pos_rows, claim, control),
               of_neg = best_splits(neg, which, neg_rows, use, control);
    if (control.stopped()) return false;
    std::size_t n_pos = pos.weight.size(), n_neg = neg.weight.size();
    std::vector<Ranked> ranked;
    for (std::uint32_t g = 0; g < n_pos; ++g)
      if (of_pos[g].gain > 0) ranked.push_back({of_pos[g].gain / static_cast<double>(n_neg), true, g});
    for (std::uint32_t h = 0; h < n_neg; ++h)
      if (of_neg[h].gain > 0) ranked.push_back({of_neg[h].gain / static_cast<double>(n_pos), false, h});
    if (ranked.empty()) return true;
    std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
      return a.worth != b.worth ? a.worth > b.worth : a.positive != b.positive ? a.positive : a.group < b.group;
    });
    std::vector<Split> chosen_pos(n_pos), chosen_neg(n_neg);
    const std::size_t most = ranked.size() / rules.options()->group_at_once + 1;
    for (std::size_t k = 0; k < most; ++k) {
      const bool positive = ranked[k].positive;
      const auto g = ranked[k].group;
      if ((n_pos + positive) * (n_neg + !positive) > max_pairs) {
        if (k == 0) return false;
        break;
      }
      if (positive)
        chosen_pos[g] = of_pos[g], ++n_pos;
      else
        chosen_neg[g] = of_neg[g], ++n_neg;
    }
    make(pos, chosen_pos, pos_rows);
    make(neg, chosen_neg, neg_rows);
  }
}

// Claims are indexed by the row's group in claimed_by.
template <class Rules>
void refine(const Rules& rules, const Primal& primal, const std::vector<std::uint32_t>& claimed_by,
            std::size_t max_pairs, Partition& pos, Partition& neg, Control& control) {
  const Options& options = *rules.options();
  const auto use = [&](std::size_t k, std::size_t) { return std::max(options.group_unused, primal.use[k]); };
  const auto claim = [&](std::size_t k, std::size_t i) {
    return primal.use[k] > 0 ? std::max(options.group_unused, primal.claim[k][claimed_by[i]]) : options.group_unused;
  };
  std::vector<std::size_t> in_use, all;
  for (std::size_t k = 0; k < rules.size(); ++k) {
    all.push_back(k);
    if (primal.use[k] > 0) in_use.push_back(k);
  }
  const bool pairs_left = split_by(in_use, rules, claim, use, max_pairs, pos, neg, control);
  if (pairs_left && (in_use.empty() || all.size() <= options.group_long_list))
    split_by(all, rules, claim, use, max_pairs, pos, neg, control);
}

template <class Rules>
Grouping finish(const Rules& rules, Partition pos, Partition neg, Control& control) {
  Grouping out;
  out.problem.options = rules.options();
  for (std::size_t k = 0; k < rules.size(); ++k) {
    if (control.check_now()) return out;
    ListRule rule;
    rule.id = rules.id(k);
    rule.price = rules.price(k);
    pos.cover(rules.pos(k), rule.pos, rule.pos_part);
    neg.cover(rules.neg(k), rule.neg, rule.neg_part);
    out.coarse |= !rule.pos_part.empty() || !rule.neg_part.empty();
    out.problem.rules.push_back(std::move(rule));
  }
  out.pos_group = std::move(pos.group);
  out.neg_group = std::move(neg.group);
  out.problem.pos_weight = std::move(pos.weight);
  out.problem.neg_weight = std::move(neg.weight);
  return out;
}

}  // namespace

Grouping group_instance(const ClassInstance& in, const RulePool& pool, const std::vector<std::uint32_t>& rules,
                        Control& control) {
  const PoolRows source{in, pool, rules};
  Partition pos(in.pos.weight), neg(in.neg.weight);
  for (std::size_t k = 0; k < rules.size() && !control.check_now(); ++k)
    pos.split(source.pos(k)), neg.split(source.neg(k));
  return finish(source, std::move(pos), std::move(neg), control);
}

Grouping refine_groups(const ClassInstance& in, const RulePool& pool, const std::vector<std::uint32_t>& rules,
                       const Grouping& old, const Primal& primal, std::size_t max_pairs, Control& control) {
  const PoolRows source{in, pool, rules};
  const bool fresh = old.pos_group.empty();
  Partition pos = fresh ? Partition(in.pos.weight) : Partition(in.pos.weight, old.pos_group, old.problem.pos_weight);
  Partition neg = fresh ? Partition(in.neg.weight) : Partition(in.neg.weight, old.neg_group, old.problem.neg_weight);
  refine(source, primal, old.pos_group, max_pairs, pos, neg, control);
  return finish(source, std::move(pos), std::move(neg), control);
}

Grouping merge_groups(const ListProblem& problem, const Primal& primal, std::size_t max_pairs, Control& control) {
  const ProblemRows source{problem};
  Partition pos(problem.pos_weight), neg(problem.neg_weight);
  std::vector<std::uint32_t> self(problem.n_pos());
  std::iota(self.begin(), self.end(), 0u);
  refine(source, primal, self, max_pairs, pos, neg, control);
  Grouping out = finish(source, std::move(pos), std::move(neg), control);
  out.problem.offset = problem.offset;
  return out;
}

}  // namespace laconic
