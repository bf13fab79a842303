// Listing of all rules that matter, for classes with few of them.
//
// A consistent rule from which no literal can be dropped is a minimal hitting set: its literals exclude every negative,
// and each of them excludes one that the others do not (its critical negatives). They are listed one by one without
// repetition, as by Murakami and Uno ("Efficient algorithms for dualizing large-scale hypergraphs", 2014): pick a
// negative that is not excluded and try each literal that excludes it. Literals tried before are allowed again further
// down, those that come after are not. A literal that leaves another one without critical negatives, or no positive
// covered, would do the same further down, so it stays forbidden there.
//
// A rule is redundant if a listed rule covers its positives at no greater cost, or if it costs at least as much as the
// cheapest known rules over each of its positives together. Rules further down cover less and cost more, so the search
// turns back where this holds of a rule with one more literal. A listed rule is replaced by a cheaper one over the same
// positives.
//
// Too many rules should be noticed early. Every node's share of the tree is divided among the literals it tries; if the
// completed share of the tree is smaller than the used share of the allowed words, the listing is abandoned.
#include "cover/rule_list.hpp"

#include <algorithm>
#include <limits>

namespace laconic {
namespace {

constexpr std::size_t kFree = ~std::size_t{0};

class Lister {
 public:
  Lister(const CoverInstance& instance, const Columns& in_hand, std::uint64_t words)
      : in_(instance), options_(*instance.options), words_(words),
        next_look_(words / options_.cover_list_first_forecast),
        cheapest_(in_.n_pos, std::numeric_limits<Cost>::max() / (options_.cover_list_positives + 1)), over_(in_.n_pos),
        out_(in_.pos_words) {
    for (std::size_t k = 0; k < in_hand.size(); ++k) learn(in_hand[k].cover, in_hand[k].cost);
    reserve(0);
    fill_all(uncovered(0), in_.n_neg, in_.neg_words);
    fill_all(positives(0), in_.n_pos, in_.pos_words);
    fill_all(candidates(0), in_.n_lit, in_.lit_words);
  }

  RuleList run() {
    out_.complete = visit(0, 1.0);
    return std::move(out_);
  }

 private:
  // By depth: covered negatives, covered positives, literals that may be added, critical negatives by literal.
  Word* uncovered(std::size_t depth) { return frames_[depth].data(); }
  Word* positives(std::size_t depth) { return uncovered(depth) + in_.neg_words; }
  Word* candidates(std::size_t depth) { return positives(depth) + in_.pos_words; }
  Word* critical(std::size_t depth, std::size_t k) { return candidates(depth) + in_.lit_words + k * in_.neg_words; }

  void reserve(std::size_t depth) {
    if (frames_.size() > depth) return;
    frames_.emplace_back((1 + depth) * in_.neg_words + in_.pos_words + 2 * in_.lit_words);
    chosen_.push_back(0);
  }

  void learn(const Word* cover, Cost cost) {
    for_each(cover, in_.pos_words, [&](std::size_t i) { cheapest_[i] = std::min(cheapest_[i], cost); });
  }

  // Whether rules over these positives, or fewer, are redundant at this cost or more.
  bool is_needless(const Word* cover, Cost cost) const {
    if (count(cover, in_.pos_words) <= options_.cover_list_positives &&
        cost >= weight_of(cover, in_.pos_words, cheapest_.data()))
      return true;
    std::size_t first = 0;
    while (!cover[first]) ++first;
    first = first * kWordBits + static_cast<std::size_t>(lowest_bit(cover[first]));
    for (const std::size_t k : over_[first])
      if (out_.rules[k].cost <= cost && is_subset(cover, out_.rules[k].cover, in_.pos_words)) return true;
    return false;
  }

  // Returns, of the first covered negatives, one that few candidates exclude.
  std::size_t hardest(std::size_t depth) {
    std::size_t best = in_.n_neg, fewest = in_.n_lit + 1, compared = 0;
    const Word *rows = uncovered(depth), *allowed = candidates(depth);
    for (std::size_t k = 0; k < in_.neg_words; ++k)
      for (Word w = rows[k]; w; w &= w - 1) {
        const std::size_t j = k * kWordBits + static_cast<std::size_t>(lowest_bit(w));
        const std::size_t n = n_excluding(j, allowed);
        if (n < fewest) fewest = n, best = j;
        if (n <= 1 || ++compared == options_.cover_list_negatives) return best;
      }
    return best;
  }

  std::size_t n_excluding(std::size_t j, const Word* allowed) const {
    const Word* hold = in_.neg_lits.data() + j * in_.lit_words;
    std::size_t n = 0;
    for (std::size_t w = 0; w < in_.lit_words; ++w) n += static_cast<std::size_t>(popcount(allowed[w] & ~hold[w]));
    return n;
  }

  // Counts the words of a node; returns false if they exceed the limit, or are going to.
  bool can_go_on(std::size_t depth) {
    ++out_.nodes;
    used_ += (depth + 2) * in_.neg_words + in_.pos_words + options_.cover_list_negatives * in_.lit_words;
    if (used_ < next_look_) return true;
    next_look_ = std::min(2 * used_, words_);
    return used_ < words_ && done_ * static_cast<double>(words_) >= static_cast<double>(used_);
  }

  // Continues with the first `depth` literals chosen, for a share of the tree; returns false once the listing is
  // abandoned.
  bool visit(std::size_t depth, double share) {
    if (!can_go_on(depth)) return false;
    if (!any(uncovered(depth), in_.neg_words)) {
      emit(depth);
      done_ += share;
      return true;
    }
    if (is_needless(positives(depth), in_.price(depth + 1))) {
      done_ += share;
      return true;
    }
    reserve(depth + 1);
    const std::size_t j = hardest(depth);
    const Word* hold = in_.neg_lits.data() + j * in_.lit_words;
    Word* allowed = candidates(depth);
    Word* tried = allowed + in_.lit_words + depth * in_.neg_words;
    for (std::size_t w = 0; w < in_.lit_words; ++w) {
      tried[w] = allowed[w] & ~hold[w];
      allowed[w] &= hold[w];
    }
    const double each = share / static_cast<double>(std::max<std::size_t>(1, count(tried, in_.lit_words)));
    for (std::size_t w = 0; w < in_.lit_words; ++w)
      for (Word left = tried[w]; left; left &= left - 1) {
        const std::size_t l = w * kWordBits + static_cast<std::size_t>(lowest_bit(left));
        if (!add(depth, l)) {
          done_ += each;
          continue;
        }
        if (!visit(depth + 1, each)) return false;
        set_bit(allowed, l);
      }
    return true;
  }

  // Sets up the next depth; returns false if no positive is left, or a literal without critical negatives.
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
    rule_.assign(chosen_.begin(), chosen_.begin() + static_cast<std::ptrdiff_t>(depth));
    std::sort(rule_.begin(), rule_.end());
    if (2 * out_.rules.size() >= slots_.size()) grow();
    std::size_t& number = slots_[slot_of(cover)];
    if (number != kFree) return out_.rules.shorten(number, rule_, cost);  // cheaper, or it would be redundant
    number = out_.rules.size();
    for_each(cover, in_.pos_words, [&](std::size_t i) { over_[i].push_back(number); });
    out_.rules.add({rule_.data(), rule_.size(), cover, cost});
  }

  // Returns the slot of the listed rule with exactly these positives, or a free one.
  std::size_t slot_of(const Word* cover) const {
    std::size_t at = hash_of(cover, in_.pos_words) & (slots_.size() - 1);
    while (slots_[at] != kFree && !std::equal(cover, cover + in_.pos_words, out_.rules[slots_[at]].cover))
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), kFree);
    for (std::size_t k = 0; k < out_.rules.size(); ++k) slots_[slot_of(out_.rules[k].cover)] = k;
  }

  const CoverInstance& in_;
  const Options& options_;
  std::uint64_t words_, used_ = 0, next_look_;
  double done_ = 0;                             // share of the tree
  std::vector<Cost> cheapest_;                  // known rule over each positive
  std::vector<std::vector<std::size_t>> over_;  // numbers of the listed rules over each positive
  std::vector<std::vector<Word>> frames_;
  Literals chosen_, rule_;
  RuleList out_;
  std::vector<std::size_t> slots_;  // a hash table of listed rules by cover
};

}  // namespace

RuleList list_rules(const CoverInstance& instance, const Columns& in_hand, std::uint64_t words) {
  return Lister(instance, in_hand, words).run();
}

}  // namespace laconic
