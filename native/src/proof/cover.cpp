#include "proof/cover.hpp"

namespace laconic {

CoverInstance cover_of_rows(const bool* pos, std::size_t n_pos, const bool* neg, std::size_t n_neg,
                            std::size_t n_literals, Cost rule_cost, Cost literal_cost) {
  CoverInstance out;
  out.n_pos = n_pos;
  out.n_neg = n_neg;
  out.n_lit = n_literals;
  out.pos_words = words_for(n_pos);
  out.neg_words = words_for(n_neg);
  out.rule_cost = rule_cost;
  out.literal_cost = literal_cost;
  out.lit_pos.assign(n_literals * out.pos_words, 0);
  out.lit_neg.assign(n_literals * out.neg_words, 0);
  for (std::size_t l = 0; l < n_literals; ++l) {
    out.code.push_back(static_cast<std::int32_t>(l));
    for (std::size_t i = 0; i < n_pos; ++i)
      if (pos[l * n_pos + i]) set_bit(out.lit_pos.data() + l * out.pos_words, i);
    for (std::size_t j = 0; j < n_neg; ++j)
      if (neg[l * n_neg + j]) set_bit(out.lit_neg.data() + l * out.neg_words, j);
  }
  out.index_rows();
  return out;
}

}  // namespace laconic
