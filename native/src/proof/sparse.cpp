// Column generation for a certificate.
//
// The solver proves optimality in several ways: listing, exclusion of rules, branching on a list. A certificate needs
// one dual that is feasible for all rules, at the root or at a leaf of a small tree. The optimum is known here, so the
// dual is only raised to that target: ascend on a short list of rules, round to integers on the certificate's scale,
// let the exact pricer repair the prices, and add the rules that needed a repair, until the repaired prices reach the
// target.
#include "proof/sparse.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "sparse/chains.hpp"

namespace laconic {
namespace {

constexpr std::size_t kRulesAtOnce = 24;
constexpr int kPatience = 40;  // rounds without progress before giving up
constexpr std::uint64_t kPartialNodes = 4'000;

}  // namespace

ClassInstance instance_of_rows(const bool* pos, const std::vector<Weight>& pos_weight, const bool* neg,
                               const std::vector<Weight>& neg_weight, std::size_t n_literals, Weight rule_cost,
                               Weight literal_cost) {
  ClassInstance out;
  out.pos = make_side(pos_weight);
  out.neg = make_side(neg_weight);
  out.rule_cost = rule_cost;
  out.literal_cost = literal_cost;
  out.pos_bits.assign(n_literals * out.pos.n_words, 0);
  out.neg_bits.assign(n_literals * out.neg.n_words, 0);
  for (std::size_t l = 0; l < n_literals; ++l) {
    out.literal_code.push_back(static_cast<std::int32_t>(l));
    for (std::size_t i = 0; i < pos_weight.size(); ++i)
      if (pos[l * pos_weight.size() + i]) set_bit(out.pos_bits.data() + l * out.pos.n_words, i);
    for (std::size_t j = 0; j < neg_weight.size(); ++j)
      if (neg[l * neg_weight.size() + j]) set_bit(out.neg_bits.data() + l * out.neg.n_words, j);
  }
  find_chains(out);
  return out;
}

SparsePrices::SparsePrices(ClassInstance instance, Weight scale)
    : in_(std::move(instance)), scale_(scale), pool_(in_) {}

std::uint32_t SparsePrices::add(std::vector<std::uint16_t> body) {
  std::sort(body.begin(), body.end());
  const auto [at, fresh] = number_.emplace(std::move(body), static_cast<std::uint32_t>(pool_.size()));
  if (fresh) pool_.add(at->first);
  return at->second;
}

std::vector<std::vector<std::uint16_t>> SparsePrices::bodies() const {
  std::vector<std::vector<std::uint16_t>> out;
  for (auto r : master_) out.emplace_back(pool_.body(r), pool_.body(r) + pool_.length(r));
  return out;
}

// The float dual in integers on the certificate's scale: prices per row, blame per unit of both weights.
RowDual SparsePrices::rounded(const Dual& dual) const {
  const ListProblem& p = ascent_.grouping().problem;
  const double s = static_cast<double>(scale_);
  RowDual out;
  out.scale = scale_;
  out.pos_group = ascent_.grouping().pos_group;
  out.neg_group = ascent_.grouping().neg_group;
  out.n_pos_groups = p.n_pos();
  for (std::size_t i = 0; i < in_.pos.n_rows; ++i) {
    const auto g = out.pos_group[i];
    const double price = dual.y[g] * s * static_cast<double>(in_.pos.weight[i]) / static_cast<double>(p.pos_weight[g]);
    out.y.push_back(std::clamp<Weight>(static_cast<Weight>(price), 0, in_.pos.weight[i] * scale_));
  }
  out.blame.resize(p.n_neg());
  std::vector<Weight> spent(p.n_neg(), 0);
  for (std::size_t h = 0; h < p.n_neg(); ++h)
    for (std::size_t g = 0; g < p.n_pos(); ++g) {
      const double share = static_cast<double>(dual.mu[h * p.n_pos() + g]);
      const double both = static_cast<double>(p.pos_weight[g]) * static_cast<double>(p.neg_weight[h]);
      const Weight unit = std::min(static_cast<Weight>(share * s / both), (scale_ - spent[h]) / p.pos_weight[g]);
      if (unit <= 0) continue;
      spent[h] += unit * p.pos_weight[g];
      out.blame[h].emplace_back(static_cast<std::uint32_t>(g), static_cast<double>(unit));
    }
  return out;
}

bool SparsePrices::stalled() const { return idle_ >= kPatience; }

// Keeps prices that prove more than the current ones; counts as progress if they close a fair part of the gap.
void SparsePrices::keep(const RowDual& dual, Weight enough) {
  const Weight sum = std::accumulate(dual.y.begin(), dual.y.end(), Weight{0});
  if (sum <= best_sum_) return;
  if (sum > best_sum_ + (enough - best_sum_) / 50) idle_ = 0;
  best_sum_ = sum;
  best_ = dual;
  best_splitters_ = bodies();
}

// With prices far too high the search of the pricer explodes; lower ones are priced quickly and prove some bound.
void SparsePrices::lower_prices(const RowDual& rows, Weight enough, Control& control) {
  const double sum = static_cast<double>(std::accumulate(rows.y.begin(), rows.y.end(), Weight{0}));
  for (double share = 0.8; share > 0.2 && share * sum > 1.05 * static_cast<double>(best_sum_); share *= 0.8) {
    RowDual lower = rows;
    for (auto& y : lower.y) y = static_cast<Weight>(static_cast<double>(y) * share);
    const Pricing quick = price_rules(in_, lower, true, {20'000, thorough_nodes_ / 2}, control);
    if (control.check_now()) return;
    if (!quick.complete) continue;
    keep(lower, enough);
    return;
  }
}

bool SparsePrices::raise(Weight target, const std::vector<std::vector<std::uint16_t>>& start, int rounds,
                         Control& control) {
  for (const auto& body : start) {
    const auto r = add(body);
    if (std::find(master_.begin(), master_.end(), r) == master_.end()) master_.push_back(r);
  }
  if (master_.empty()) master_.push_back(add({}));
  const Weight enough = (target - 1) * scale_ + 1;
  for (const int end = round_ + rounds; round_ < end && !stalled() && best_sum_ < enough && !control.check_now();
       ++round_) {
    ascent_.regroup(in_, group_instance(in_, pool_, master_, control), control);
    const AscentState state = ascent_.ascend(static_cast<double>(target), round_ < 4 ? 400 : 4000, control);
    if (control.stopped()) break;
    dual_ = state.best_dual;
    shares_.clear();
    for (std::size_t k = 0; k < master_.size(); ++k)
      shares_.emplace_back(bodies()[k], static_cast<double>(state.primal.use[k]));

    const RowDual rows = rounded(dual_);
    RowDual repaired = rows;
    Pricing priced = price_rules(in_, repaired, true, {kRulesAtOnce, kPartialNodes}, control);
    if (!priced.complete && (priced.found.size() < 4 || round_ % 4 == 3)) {
      repaired = rows;
      priced = price_rules(in_, repaired, true, {20'000, thorough_nodes_}, control);
      if (!priced.complete) {
        lower_prices(rows, enough, control);
        thorough_nodes_ *= 2;
      }
    }
    ++idle_;
    if (priced.complete) keep(repaired, enough);
    std::sort(priced.found.begin(), priced.found.end(), [](const ViolatedRule& a, const ViolatedRule& b) {
      return a.value != b.value ? a.value > b.value : a.body < b.body;
    });
    const std::set<std::uint32_t> known(master_.begin(), master_.end());
    std::size_t added = 0;
    for (std::size_t k = 0; k < priced.found.size() && added < kRulesAtOnce; ++k) {
      const auto r = add(std::move(priced.found[k].body));
      if (!known.count(r)) master_.push_back(r), ++added;
    }
  }
  return best_sum_ >= enough;
}

}  // namespace laconic
