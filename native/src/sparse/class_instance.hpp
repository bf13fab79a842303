// One class against the rest: positives, negatives, literals, prices.
//
// A row with weight a in the class and b in the others costs at least min(a, b); a wrong decision costs |a - b| more.
// So a row is a positive of weight a - b, a negative of weight b - a, or (a = b) no row at all, and every bound below
// uses these net weights and adds a constant.
//
// Rows are sorted by weight, so that almost every 64-bit word holds rows of a single weight and a weighted count is a
// popcount times a number.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bitset.hpp"
#include "base/options.hpp"

namespace laconic {

// Rows of one sign, heaviest first.
struct RowSide {
  std::size_t n_rows = 0;
  std::size_t n_words = 0;
  std::vector<Weight> weight;       // per row
  std::vector<Weight> word_weight;  // the common weight of a word's rows, or -1 if they differ
  Weight total = 0;

  Weight weigh(const Word* set) const {
    Weight sum = 0;
    for (std::size_t k = 0; k < n_words; ++k) sum += weigh_word(set[k], k);
    return sum;
  }
  Weight weigh_and(const Word* a, const Word* b) const {
    Weight sum = 0;
    for (std::size_t k = 0; k < n_words; ++k) sum += weigh_word(a[k] & b[k], k);
    return sum;
  }
  // a \ b
  Weight weigh_minus(const Word* a, const Word* b) const {
    Weight sum = 0;
    for (std::size_t k = 0; k < n_words; ++k) sum += weigh_word(a[k] & ~b[k], k);
    return sum;
  }

 private:
  Weight weigh_word(Word w, std::size_t k) const {
    if (word_weight[k] >= 0) return popcount(w) * word_weight[k];
    Weight sum = 0;
    for (; w; w &= w - 1) sum += weight[k * kWordBits + static_cast<std::size_t>(lowest_bit(w))];
    return sum;
  }
};

// From weights in non-increasing order.
RowSide make_side(std::vector<Weight> weights);

constexpr std::size_t kAnyLength = ~std::size_t{0};

struct ClassInstance {
  RowSide pos, neg;
  std::vector<std::int32_t> literal_code;  // the table's number of each literal kept
  std::vector<Word> pos_bits, neg_bits;    // literal-major
  std::vector<std::uint32_t> chain;        // of each literal (sparse/chains.hpp)
  std::uint32_t n_chains = 0;
  Weight literal_cost = 0, rule_cost = 0;
  Weight constant = 0;                  // part of the cost that no decision changes
  std::size_t max_length = kAnyLength;  // maximum number of literals of a rule
  SharedOptions options = default_options();

  std::size_t n_literals() const { return literal_code.size(); }
  const Word* pos_of(std::size_t l) const { return pos_bits.data() + l * pos.n_words; }
  const Word* neg_of(std::size_t l) const { return neg_bits.data() + l * neg.n_words; }
  Weight price(std::size_t n_literals) const { return rule_cost + literal_cost * static_cast<Weight>(n_literals); }
};

// How rows become positives and negatives: by net weight as above, or (gross) every row with weight in the class is a
// positive and every row with weight outside is a negative, so a row can be both. Gross weights are for errors counted
// per row, where a row with labels of several classes always matters.
enum class Weighing { net, gross };

// Which literals an instance keeps. Literals that hold for every negative are useless and never kept.
// - all: the rest. Where a rule is compulsory, covering nothing can be the best choice, and "a and not b" does that
//   with a copy b of a, while "a and not a" is not a rule.
// - distinct: of literals that hold for the same rows only the first.
// - undominated: of these, for one optimal set, no literal that another one of its chain dominates (sparse/chains.hpp).
enum class Keep { all, distinct, undominated };

// in_class[i], outside[i]: weights of table row i. allowed: n_features x 2.
ClassInstance make_instance(const Word* bits, std::size_t n_features, std::size_t n_words, std::size_t n_rows,
                            const bool* allowed, const Weight* in_class, const Weight* outside, Weight literal_cost,
                            Weight rule_cost, Weighing weighing = Weighing::net, Keep keep = Keep::distinct);

}  // namespace laconic
