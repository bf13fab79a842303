#include "sparse/class_instance.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "sparse/chains.hpp"

namespace laconic {
RowSide make_side(std::vector<Weight> weights) {
  RowSide side;
  side.n_rows = weights.size();
  side.n_words = std::max<std::size_t>(1, words_for(weights.size()));
  side.word_weight.assign(side.n_words, 0);
  for (std::size_t k = 0; k < side.n_words; ++k) {
    const std::size_t from = k * kWordBits, to = std::min(weights.size(), from + kWordBits);
    if (from >= to) continue;
    const bool uniform = std::all_of(weights.begin() + static_cast<long>(from), weights.begin() + static_cast<long>(to),
                                     [&](Weight w) { return w == weights[from]; });
    side.word_weight[k] = uniform ? weights[from] : -1;
  }
  side.total = std::accumulate(weights.begin(), weights.end(), Weight{0});
  side.weight = std::move(weights);
  return side;
}

ClassInstance make_instance(const Word* bits, std::size_t n_features, std::size_t n_words, std::size_t n_rows,
                            const bool* allowed, const Weight* in_class, const Weight* outside, Weight literal_cost,
                            Weight rule_cost, Weighing weighing, Keep keep) {
  ClassInstance out;
  out.literal_cost = literal_cost;
  out.rule_cost = rule_cost;
  std::vector<std::size_t> positives, negatives;
  std::vector<Weight> pos_weight(n_rows), neg_weight(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) {
    const Weight shared = weighing == Weighing::net ? std::min(in_class[i], outside[i]) : 0;
    out.constant += shared;
    pos_weight[i] = in_class[i] - shared;
    neg_weight[i] = outside[i] - shared;
    if (pos_weight[i] > 0) positives.push_back(i);
    if (neg_weight[i] > 0) negatives.push_back(i);
  }
  const auto sort_by = [](std::vector<std::size_t>& rows, const std::vector<Weight>& weight) {
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return weight[a] > weight[b]; });
    std::vector<Weight> sorted;
    for (auto i : rows) sorted.push_back(weight[i]);
    return sorted;
  };
  std::vector<Weight> wp = sort_by(positives, pos_weight), wn = sort_by(negatives, neg_weight);
  out.pos = make_side(std::move(wp));
  out.neg = make_side(std::move(wn));

  std::set<std::vector<Word>> seen;
  std::vector<Word> set(out.pos.n_words + out.neg.n_words);
  for (std::size_t f = 0; f < n_features; ++f) {
    for (int value = 1; value >= 0; --value) {
      if (!allowed[2 * f + static_cast<std::size_t>(value)]) continue;
      const Word* column = bits + f * n_words;
      std::fill(set.begin(), set.end(), Word{0});
      std::size_t n_neg = 0;
      for (std::size_t k = 0; k < positives.size(); ++k)
        if (test_bit(column, positives[k]) == (value == 1)) set_bit(set.data(), k);
      for (std::size_t k = 0; k < negatives.size(); ++k)
        if (test_bit(column, negatives[k]) == (value == 1)) set_bit(set.data() + out.pos.n_words, k), ++n_neg;
      if (n_neg == negatives.size()) continue;  // excludes no negative: never worth a literal
      if (!seen.insert(set).second && keep != Keep::all) continue;
      out.literal_code.push_back(static_cast<std::int32_t>(2 * f) + value);
      out.pos_bits.insert(out.pos_bits.end(), set.begin(), set.begin() + static_cast<long>(out.pos.n_words));
      out.neg_bits.insert(out.neg_bits.end(), set.begin() + static_cast<long>(out.pos.n_words), set.end());
    }
  }
  find_chains(out);
  if (keep == Keep::undominated) drop_dominated_in_chains(out);
  return out;
}

}  // namespace laconic
