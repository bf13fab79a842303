// Rows with a negligible price are left out of pricing. On large tables a third to a half of the rows of an ascended
// dual share a hundredth of the sum of prices. A row without a price counts in no rule, so the search need not carry
// it, and the blame that it took helps more elsewhere.
#include "sparse/pricing/priced_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace laconic {
namespace {

std::vector<std::uint32_t> rows_that_count(const std::vector<Weight>& y, Weight spare) {
  std::vector<std::uint32_t> rows(y.size());
  std::iota(rows.begin(), rows.end(), 0u);
  std::sort(rows.begin(), rows.end(), [&](auto a, auto b) { return y[a] != y[b] ? y[a] < y[b] : a < b; });
  std::size_t n_left_out = 0;
  while (n_left_out < rows.size() && y[rows[n_left_out]] <= spare) spare -= y[rows[n_left_out++]];
  rows.erase(rows.begin(), rows.begin() + static_cast<long>(n_left_out));
  std::sort(rows.begin(), rows.end());
  return rows;
}

ClassInstance part_of(const ClassInstance& in, const std::vector<std::uint32_t>& positives) {
  ClassInstance out;
  out.rule_cost = in.rule_cost;
  out.literal_cost = in.literal_cost;
  out.options = in.options;
  out.literal_code = in.literal_code;
  out.chain = in.chain;
  out.n_chains = in.n_chains;
  out.neg = in.neg;
  out.neg_bits = in.neg_bits;
  std::vector<Weight> weights;
  for (auto i : positives) weights.push_back(in.pos.weight[i]);
  out.pos = make_side(std::move(weights));
  out.pos_bits.assign(in.n_literals() * out.pos.n_words, 0);
  for (std::size_t l = 0; l < in.n_literals(); ++l) {
    const Word* from = in.pos_of(l);
    Word* to = out.pos_bits.data() + l * out.pos.n_words;
    for (std::size_t k = 0; k < positives.size(); ++k)
      to[k / kWordBits] |= Word{test_bit(from, positives[k])} << (k % kWordBits);
  }
  return out;
}

// Drops the smallest shares of each negative, up to a part of its total blame, and blames the remaining positives for
// all of its weight.
void blame_in_full(const ClassInstance& part, RowDual& dual, double spare) {
  std::vector<double> weight(dual.n_pos_groups, 0);
  for (std::size_t k = 0; k < part.pos.n_rows; ++k)
    if (dual.pos_group[k] != kNoGroup) weight[dual.pos_group[k]] += static_cast<double>(part.pos.weight[k]);
  const double all = static_cast<double>(dual.scale) * (dual.whole_units ? 1 : 1 - kTinyShare);
  std::vector<double> blame;
  for (auto& shares : dual.blame) {
    blame.clear();
    for (const auto& [g, unit] : shares) blame.push_back(unit * weight[g]);
    std::sort(blame.begin(), blame.end());
    std::size_t first = 0;  // the first share that is kept, with all that are as large
    for (double may_go = spare * std::accumulate(blame.begin(), blame.end(), 0.0);
         first + 1 < blame.size() && blame[first] <= may_go; ++first)
      may_go -= blame[first];
    const double least = blame.empty() ? 0 : std::max(blame[first], std::numeric_limits<double>::min());
    const double spent = std::accumulate(std::lower_bound(blame.begin(), blame.end(), least), blame.end(), 0.0);
    std::vector<std::pair<std::uint32_t, double>> kept;
    for (const auto& [g, unit] : shares) {
      if (unit * weight[g] < least) continue;
      const double more = unit * std::max(1.0, all / spent * (1 - 1e-12));
      kept.emplace_back(g, dual.whole_units ? std::floor(more) : more);
    }
    shares = std::move(kept);
  }
}

}  // namespace

Pricing price_what_counts(const ClassInstance& in, RowDual& dual, const Spare& spare, const PricingLimits& limits,
                          Control& control) {
  const std::vector<std::uint32_t> rows = rows_that_count(dual.y, spare.prices);
  if ((in.pos.n_rows - rows.size()) * in.options->pass_few_rows < in.pos.n_rows) {
    if (spare.blame > 0) blame_in_full(in, dual, spare.blame);
    return price_rules(in, dual, true, limits, control);
  }
  const ClassInstance part = part_of(in, rows);
  RowDual of_part = dual;
  of_part.y.clear(), of_part.pos_group.clear();
  for (auto i : rows) of_part.y.push_back(dual.y[i]), of_part.pos_group.push_back(dual.pos_group[i]);
  blame_in_full(part, of_part, spare.blame);
  const Pricing priced = price_rules(part, of_part, true, limits, control);
  std::fill(dual.y.begin(), dual.y.end(), 0);
  std::fill(dual.pos_group.begin(), dual.pos_group.end(), kNoGroup);
  for (std::size_t k = 0; k < rows.size(); ++k)
    dual.y[rows[k]] = of_part.y[k], dual.pos_group[rows[k]] = of_part.pos_group[k];
  dual.blame = std::move(of_part.blame);
  return priced;
}

}  // namespace laconic
