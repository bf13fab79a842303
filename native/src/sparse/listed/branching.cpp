// Branching on rules or on groups of rows.
//
// With few rules over many groups (large tables), branching on a rule works: choosing it decides nearly everything, and
// a chain of exclusions removes one rule after another. With many rules over few groups (small noisy tables),
// forbidding one of ten thousand rules changes nothing. But all rows of a group are covered or none is: a group that
// must not be covered forbids hundreds of rules, and a negative that is covered is paid for and leaves the problem. The
// better kind is found by experience: if the two children close shares a and b of the gap, a tree grows like x with
// x^-a + x^-b = 1, and the kind with the smallest x is used. (Shares closed by no and yes on backache at 4 bins: by a
// negative 74 and 70 %, by a rule 24 and 100; on credit at 3 bins: by a negative 22 and 18 %, by a rule 19 and 100.)
#include "sparse/listed/branching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace laconic {
namespace {

double tree_growth(double a, double b) {
  double low = 1, high = 1e6;
  for (int k = 0; k < 50; ++k) {
    const double x = std::sqrt(low * high);
    (std::pow(x, -a) + std::pow(x, -b) > 1 ? low : high) = x;
  }
  return low;
}

// Rules in use with their claims on the problem's groups.
using Used = std::vector<std::pair<std::size_t, std::vector<float>>>;

struct Undecided {
  const double decided;
  double score = 0;
  std::optional<Question> question = std::nullopt;
  void consider(Ask ask, std::size_t index, double share, Weight weight) {
    const double s = share * (1 - share) * static_cast<double>(weight);
    if (share > decided && share < 1 - decided && s > score) score = s, question = Question{ask, index};
  }
};

// A positive is covered to the extent that it is claimed.
std::optional<Question> undecided_positive(const ListProblem& p, const Used& used) {
  std::vector<float> covered(p.n_pos(), 0.0f);
  for (const auto& [r, claims] : used)
    for (auto g : p.rules[r].pos) covered[g] += claims[g];
  Undecided best{p.options->list_branching_decided};
  for (std::size_t g = 0; g < p.n_pos(); ++g)
    if (p.must_cover.empty() || !p.must_cover[g]) best.consider(Ask::positive, g, covered[g], p.pos_weight[g]);
  return best.question;
}

// A negative is covered to the extent of the largest claim of a positive over the same rules.
std::optional<Question> undecided_negative(const ListProblem& p, const Used& used) {
  std::vector<std::vector<std::size_t>> over(p.n_neg());
  for (std::size_t u = 0; u < used.size(); ++u)
    for (auto h : p.rules[used[u].first].neg) over[h].push_back(u);
  Undecided best{p.options->list_branching_decided};
  std::vector<float> claimed(p.n_pos());
  for (std::size_t h = 0; h < p.n_neg(); ++h) {
    if (over[h].empty()) continue;
    std::fill(claimed.begin(), claimed.end(), 0.0f);
    for (auto u : over[h])
      for (auto g : p.rules[used[u].first].pos) claimed[g] += used[u].second[g];
    best.consider(Ask::negative, h, *std::max_element(claimed.begin(), claimed.end()), p.neg_weight[h]);
  }
  return best.question;
}

// The rule with the largest use in the relaxation.
Question rule_in_use(const ListProblem& p, const std::map<std::uint32_t, RuleUse>& primal) {
  std::size_t best = 0;
  float score = -1;
  for (std::size_t r = 0; r < p.rules.size(); ++r) {
    const auto at = primal.find(p.rules[r].id);
    const float use = at == primal.end() ? 0.0f : at->second.use;
    const float s =
        use + 1e-6f * static_cast<float>(p.pos_weight_of(p.rules[r])) / static_cast<float>(1 + p.rules[r].price);
    if (s > score) score = s, best = r;
  }
  return {Ask::rule, best};
}

bool has(const std::vector<std::uint32_t>& groups, std::size_t group) {
  return std::binary_search(groups.begin(), groups.end(), static_cast<std::uint32_t>(group));
}

void pay_for_negative(ListProblem& p, std::size_t group, Lineage& lineage) {
  p.offset += p.neg_weight[group];
  p.neg_weight.erase(p.neg_weight.begin() + static_cast<std::ptrdiff_t>(group));
  lineage.neg.erase(lineage.neg.begin() + static_cast<std::ptrdiff_t>(group));
  for (auto& rule : p.rules) {
    rule.neg.erase(std::remove(rule.neg.begin(), rule.neg.end(), static_cast<std::uint32_t>(group)), rule.neg.end());
    for (auto& h : rule.neg) h -= h > group;
  }
}

}  // namespace

void Experience::learn(Ask ask, bool answer, double gain) {
  Gains& gains = gains_[static_cast<std::size_t>(ask)][answer];
  gains.sum += std::clamp(gain, 0.0, 1.0);
  ++gains.n;
}

std::array<Ask, 3> Experience::order(const Options& options) const {
  std::array<double, 3> size;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& [no, yes] = gains_[k];
    const auto mean = [&](const Gains& g) { return (g.sum + options.list_branching_prior) / (g.n + 1); };
    size[k] =
        yes.n < options.list_branching_tries ? yes.n - options.list_branching_tries : tree_growth(mean(no), mean(yes));
  }
  std::array<Ask, 3> order = kAsks;
  std::stable_sort(order.begin(), order.end(),
                   [&](Ask a, Ask b) { return size[static_cast<std::size_t>(a)] < size[static_cast<std::size_t>(b)]; });
  return order;
}

Question most_undecided(const ListProblem& p, const std::map<std::uint32_t, RuleUse>& primal, const Origins& origins,
                        const std::array<Ask, 3>& order) {
  Used used;
  for (std::size_t r = 0; r < p.rules.size(); ++r)
    if (const auto at = primal.find(p.rules[r].id); at != primal.end())
      used.emplace_back(r, carry_claims(at->second.claims, origins));
  for (const Ask ask : order) {
    if (ask == Ask::rule) break;
    if (const auto found = ask == Ask::positive ? undecided_positive(p, used) : undecided_negative(p, used))
      return *found;
  }
  return rule_in_use(p, primal);
}

// Removes the rule, or the rules over a group; pays for a negative that is covered; or makes missing a positive that
// must be covered cost more than covering it.
void restrict_to(ListProblem& p, const Question& question, bool answer, Lineage& lineage) {
  const std::size_t at = question.index;
  std::vector<char> keep(p.rules.size(), 1);
  if (question.ask == Ask::rule) {
    keep[at] = 0;
  } else if (!answer) {
    for (std::size_t r = 0; r < p.rules.size(); ++r)
      keep[r] = !has(question.ask == Ask::positive ? p.rules[r].pos : p.rules[r].neg, at);
  } else if (question.ask == Ask::negative) {
    pay_for_negative(p, at, lineage);
  } else {
    Weight alone = std::numeric_limits<Weight>::max() / p.options->list_branching_missing;
    for (const auto& rule : p.rules)
      if (has(rule.pos, at)) alone = std::min(alone, rule.price + p.neg_weight_of(rule));
    p.pos_weight[at] = std::max(p.pos_weight[at], p.options->list_branching_missing * alone);
    p.must_cover.resize(p.n_pos(), 0);
    p.must_cover[at] = 1;
  }
  shrink(p, keep, lineage);
}

}  // namespace laconic
