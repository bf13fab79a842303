#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bitset.hpp"
#include "base/options.hpp"

namespace laconic {

using Cost = std::int64_t;

// One class of a perfect problem: positives to cover, negatives to exclude, and the literals. Literals are renumbered
// from 0; code[l] is the caller's number.
struct CoverInstance {
  std::size_t n_pos = 0, n_neg = 0, n_lit = 0;
  std::size_t pos_words = 0, neg_words = 0, lit_words = 0;
  std::vector<Word> lit_pos;   // n_lit x pos_words: positives on which the literal holds
  std::vector<Word> lit_neg;   // n_lit x neg_words: negatives on which the literal holds
  std::vector<Word> pos_lits;  // n_pos x lit_words: literals that hold on the positive
  std::vector<Word> neg_lits;  // n_neg x lit_words: likewise for negatives
  std::vector<std::int32_t> code;
  Cost rule_cost = 1, literal_cost = 1;
  SharedOptions options = default_options();

  // Fills the row-major halves from the literal-major ones.
  void index_rows();
  const Word* pos(std::size_t l) const { return lit_pos.data() + l * pos_words; }
  const Word* neg(std::size_t l) const { return lit_neg.data() + l * neg_words; }
  const Word* lits(std::size_t i) const { return pos_lits.data() + i * lit_words; }
  Cost price(std::size_t n_literals) const { return rule_cost + literal_cost * static_cast<Cost>(n_literals); }
};

// bits is feature-major, row_words words per feature; literal 2f+1 is "feature f holds", 2f its negation.
CoverInstance make_cover_instance(const Word* bits, std::size_t row_words, const std::vector<std::int32_t>& literals,
                                  const std::vector<std::int64_t>& positives,
                                  const std::vector<std::int64_t>& negatives, Cost rule_cost, Cost literal_cost);

}  // namespace laconic
