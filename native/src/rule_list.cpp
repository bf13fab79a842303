// Every rule that matters, for classes that have few.
//
// A consistent rule from which no literal can be dropped is a minimal hitting set: its literals exclude every negative,
// and each excludes one that the others let through (its critical negatives). They are listed one by one without
// repetition, as Murakami and Uno do ("Efficient algorithms for dualizing large-scale hypergraphs", 2014): take a
// negative that is still let through and try each literal that excludes it; literals tried before are allowed again
// further down, those that come after are not. A literal that leaves another without critical negatives, or no positive
// covered, would do so further down as well and stays forbidden there.
//
// A rule that costs at least as much as the cheapest known rules over each of its positives together is never needed.
#include "rule_list.hpp"

#include <algorithm>
#include <limits>

namespace laconic {
namespace {

constexpr std::size_t kNegativesCompared = 8;
constexpr std::size_t kFewPositives = 4;

class Lister {
 public:
  Lister(const CoverInstance& instance, const std::vector<Column>& in_hand, std::uint64_t words)
      : in_(instance), words_left_(words), cheapest_(in_.n_pos, std::numeric_limits<Cost>::max() / (kFewPositives + 1)) {
    for (const auto& column : in_hand) learn(column.cover.data(), column.cost);
    reserve(0);
    fill(uncovered(0), in_.n_neg);
    fill(positives(0), in_.n_pos);
    fill(candidates(0), in_.n_lit);
  }

  RuleList run() {
    out_.complete = visit(0);
    return std::move(out_);
  }

 private:
  // By depth: negatives that the rule covers, positives that it covers, literals that may join, critical negatives by literal.
  Word* uncovered(std::size_t depth) { return frames_[depth].data(); }
  Word* positives(std::size_t depth) { return uncovered(depth) + in_.neg_words; }
  Word* candidates(std::size_t depth) { return positives(depth) + in_.pos_words; }
  Word* critical(std::size_t depth, std::size_t k) { return candidates(depth) + in_.lit_words + k * in_.neg_words; }

  void reserve(std::size_t depth) {
    if (frames_.size() > depth) return;
    frames_.emplace_back((1 + depth) * in_.neg_words + in_.pos_words + 2 * in_.lit_words);
    chosen_.push_back(0);
  }

  static void fill(Word* set, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) set_bit(set, i);
  }

  void learn(const Word* cover, Cost cost) {
    for_each(cover, in_.pos_words, [&](std::size_t i) { cheapest_[i] = std::min(cheapest_[i], cost); });
  }

  bool is_needless(const Word* cover, Cost cost) const {
    if (count(cover, in_.pos_words) > kFewPositives) return false;
    return cost >= weight_of(cover, in_.pos_words, cheapest_.data());
  }

  // A negative that few candidates exclude, of the first ones that are still let through.
  std::size_t hardest(std::size_t depth) {
    std::size_t best = in_.n_neg, fewest = in_.n_lit + 1, compared = 0;
    const Word *rows = uncovered(depth), *allowed = candidates(depth);
    for (std::size_t k = 0; k < in_.neg_words; ++k)
      for (Word w = rows[k]; w; w &= w - 1) {
        const std::size_t j = k * kWordBits + static_cast<std::size_t>(lowest_bit(w));
        const std::size_t n = n_excluding(j, allowed);
        if (n < fewest) fewest = n, best = j;
        if (n <= 1 || ++compared == kNegativesCompared) return best;
      }
    return best;
  }

  std::size_t n_excluding(std::size_t j, const Word* allowed) const {
    const Word* hold = in_.neg_lits.data() + j * in_.lit_words;
    std::size_t n = 0;
    for (std::size_t w = 0; w < in_.lit_words; ++w) n += static_cast<std::size_t>(popcount(allowed[w] & ~hold[w]));
    return n;
  }

  // Goes on with the first `depth` literals chosen; false once too many words were looked at.
  bool visit(std::size_t depth) {
    ++out_.nodes;
    const std::uint64_t looked_at = (depth + 2) * in_.neg_words + in_.pos_words + kNegativesCompared * in_.lit_words;
    if (looked_at > words_left_) return false;
    words_left_ -= looked_at;
    if (!any(uncovered(depth), in_.neg_words)) {
      emit(depth);
      return true;
    }
    if (is_needless(positives(depth), in_.price(depth + 1))) return true;
    reserve(depth + 1);
    const std::size_t j = hardest(depth);
    const Word* hold = in_.neg_lits.data() + j * in_.lit_words;
    Word* allowed = candidates(depth);
    Word* tried = allowed + in_.lit_words + depth * in_.neg_words;
    for (std::size_t w = 0; w < in_.lit_words; ++w) {
      tried[w] = allowed[w] & ~hold[w];
      allowed[w] &= hold[w];
    }
    for (std::size_t w = 0; w < in_.lit_words; ++w)
      for (Word left = tried[w]; left; left &= left - 1) {
        const std::size_t l = w * kWordBits + static_cast<std::size_t>(lowest_bit(left));
        if (!add(depth, l)) continue;
        if (!visit(depth + 1)) return false;
        set_bit(allowed, l);
      }
    return true;
  }

  // Sets up the next depth; false if the literal leaves no positive, or another literal without purpose.
  bool add(std::size_t depth, std::size_t l) {
    const Word *pos = in_.pos(l), *neg = in_.neg(l);
    if (!intersects(positives(depth), pos, in_.pos_words)) return false;
    for (std::size_t k = 0; k < depth; ++k) {
      if (!intersects(critical(depth, k), neg, in_.neg_words)) return false;
      assign_and(critical(depth + 1, k), critical(depth, k), neg, in_.neg_words);
    }
    for (std::size_t w = 0; w < in_.neg_words; ++w) {
      critical(depth + 1, depth)[w] = uncovered(depth)[w] & ~neg[w];
      uncovered(depth + 1)[w] = uncovered(depth)[w] & neg[w];
    }
    assign_and(positives(depth + 1), positives(depth), pos, in_.pos_words);
    std::copy(candidates(depth), candidates(depth) + in_.lit_words, candidates(depth + 1));
    chosen_[depth] = static_cast<std::int32_t>(l);
    return true;
  }

  void emit(std::size_t depth) {
    const Word* cover = positives(depth);
    const Cost cost = in_.price(depth);
    if (is_needless(cover, cost)) return;
    learn(cover, cost);
    Column column{{chosen_.begin(), chosen_.begin() + static_cast<std::ptrdiff_t>(depth)}, {cover, cover + in_.pos_words}, cost};
    std::sort(column.literals.begin(), column.literals.end());
    out_.rules.push_back(std::move(column));
  }

  const CoverInstance& in_;
  std::uint64_t words_left_;
  std::vector<Cost> cheapest_;  // known rule over each positive
  std::vector<std::vector<Word>> frames_;
  Literals chosen_;
  RuleList out_;
};

}  // namespace

RuleList list_rules(const CoverInstance& instance, const std::vector<Column>& in_hand, std::uint64_t words) {
  return Lister(instance, in_hand, words).run();
}

}  // namespace laconic
