#include "class_instance.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace laconic {
namespace {

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

}  // namespace

ClassInstance make_instance(const Word* bits, std::size_t n_features, std::size_t n_words, std::size_t n_rows,
                            const bool* allowed, const Weight* in_class, const Weight* outside,
                            Weight literal_cost, Weight rule_cost) {
  ClassInstance out;
  out.literal_cost = literal_cost;
  out.rule_cost = rule_cost;
  std::vector<std::size_t> positives, negatives;
  for (std::size_t i = 0; i < n_rows; ++i) {
    const Weight net = in_class[i] - outside[i];
    out.constant += std::min(in_class[i], outside[i]);
    if (net > 0) positives.push_back(i);
    if (net < 0) negatives.push_back(i);
  }
  const auto net = [&](std::size_t i) { return std::max(in_class[i] - outside[i], outside[i] - in_class[i]); };
  const auto heavier = [&](std::size_t a, std::size_t b) { return net(a) > net(b); };
  std::stable_sort(positives.begin(), positives.end(), heavier);
  std::stable_sort(negatives.begin(), negatives.end(), heavier);
  std::vector<Weight> wp, wn;
  for (auto i : positives) wp.push_back(net(i));
  for (auto i : negatives) wn.push_back(net(i));
  out.pos = make_side(std::move(wp));
  out.neg = make_side(std::move(wn));

  std::map<std::vector<Word>, bool> seen;
  std::vector<Word> set(out.pos.n_words + out.neg.n_words);
  for (std::size_t f = 0; f < n_features; ++f) {
    for (int value = 1; value >= 0; --value) {
      if (!allowed[2 * f + static_cast<std::size_t>(value)]) continue;
      const Word* column = bits + f * n_words;
      std::fill(set.begin(), set.end(), Word{0});
      std::size_t n_pos = 0, n_neg = 0;
      for (std::size_t k = 0; k < positives.size(); ++k)
        if (test_bit(column, positives[k]) == (value == 1)) set_bit(set.data(), k), ++n_pos;
      for (std::size_t k = 0; k < negatives.size(); ++k)
        if (test_bit(column, negatives[k]) == (value == 1)) set_bit(set.data() + out.pos.n_words, k), ++n_neg;
      if (n_pos == 0 || n_neg == negatives.size()) continue;
      if (!seen.emplace(set, true).second) continue;
      out.literal_code.push_back(static_cast<std::int32_t>(2 * f) + value);
      out.pos_bits.insert(out.pos_bits.end(), set.begin(), set.begin() + static_cast<long>(out.pos.n_words));
      out.neg_bits.insert(out.neg_bits.end(), set.begin() + static_cast<long>(out.pos.n_words), set.end());
    }
  }
  return out;
}

}  // namespace laconic
