// A first cover, fast: grow one rule at a time around a positive that is still uncovered.
//
// Growing from a seed (as AQ does) looks only at literals true on the seed, so every rule found covers
// something new and tables of 50,000 rows take well under a second; the rival, growing from nothing (as
// CN2 does), looks at every literal for every rule and still can end on a rule that covers no new row. Each
// step takes the literal that excludes the most negatives per weight of wanted positives lost.
#include "cover/greedy.hpp"

#include "cover/pack.hpp"
#include "cover/tree.hpp"

namespace laconic {
namespace {

// The weight of a & b, looking only at the words listed; without weights, how many there are.
double weigh(const Word* a, const Word* b, const std::vector<std::size_t>& words, const double* weight) {
  std::size_t n = 0;
  double sum = 0;
  if (!weight) {
    for (const std::size_t k : words) n += static_cast<std::size_t>(popcount(a[k] & b[k]));
    return static_cast<double>(n);
  }
  for (const std::size_t k : words)
    for (Word w = a[k] & b[k]; w; w &= w - 1) sum += weight[k * kWordBits + static_cast<std::size_t>(lowest_bit(w))];
  return sum;
}

// Intersects a with b and lists the words that are left.
void intersect(Word* a, const Word* b, std::vector<std::size_t>& words) {
  std::size_t alive = 0;
  for (const std::size_t k : words)
    if (a[k] &= b[k]) words[alive++] = k;
  words.resize(alive);
}

}  // namespace

RuleGrower::RuleGrower(const CoverInstance& instance)
    : instance_(instance), pos_(instance.pos_words), neg_(instance.neg_words) {}

Literals RuleGrower::grow(std::size_t seed, const double* weight, const Word* wanted, double noise, Random& random) {
  const CoverInstance& in = instance_;
  pos_active_.clear();
  for (std::size_t k = 0; k < in.pos_words; ++k)
    if ((pos_[k] = wanted[k])) pos_active_.push_back(k);
  fill_ones(neg_, in.n_neg);
  active_.clear();
  for (std::size_t k = 0; k < in.neg_words; ++k) active_.push_back(k);

  Literals candidates, chosen;
  for_each(in.lits(seed), in.lit_words, [&](std::size_t l) { candidates.push_back(static_cast<std::int32_t>(l)); });
  double held = weigh(pos_.data(), pos_.data(), pos_active_, weight);
  while (!active_.empty()) {
    double best_score = -1;
    std::size_t best = candidates.size();
    std::size_t write = 0;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const auto l = static_cast<std::size_t>(candidates[c]);
      const Word* literal_neg = in.neg(l);
      std::size_t excluded = 0;
      for (const std::size_t k : active_) excluded += static_cast<std::size_t>(popcount(neg_[k] & ~literal_neg[k]));
      if (excluded == 0) continue;
      const double kept = weigh(pos_.data(), in.pos(l), pos_active_, weight);
      const double lost = held - kept;
      double score = static_cast<double>(excluded) / (lost + 0.1 * held + 1e-9);
      if (noise > 0) score *= 1.0 + noise * random.uniform();
      candidates[write] = candidates[c];
      if (score > best_score) {
        best_score = score;
        best = write;
      }
      ++write;
    }
    candidates.resize(write);
    if (best >= candidates.size()) return {};  // no literal excludes what is left: the rows contradict
    const auto l = static_cast<std::size_t>(candidates[best]);
    chosen.push_back(candidates[best]);
    candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(best));
    intersect(pos_.data(), in.pos(l), pos_active_);
    held = weigh(pos_.data(), pos_.data(), pos_active_, weight);
    intersect(neg_.data(), in.neg(l), active_);
  }
  make_prime(chosen, weight, wanted);
  return chosen;
}

void RuleGrower::make_prime(Literals& literals, const double* weight, const Word* wanted) {
  const CoverInstance& in = instance_;
  for (;;) {
    double best_gain = -1;
    std::size_t best = literals.size();
    for (std::size_t out = 0; out < literals.size(); ++out) {
      bool consistent = true;
      for (std::size_t k = 0; k < in.neg_words && consistent; ++k) {
        Word left = ~Word{0};
        if (k + 1 == in.neg_words && in.n_neg % kWordBits) left = (Word{1} << (in.n_neg % kWordBits)) - 1;
        for (std::size_t c = 0; c < literals.size(); ++c)
          if (c != out) left &= in.neg(static_cast<std::size_t>(literals[c]))[k];
        consistent = left == 0;
      }
      if (!consistent) continue;
      pos_active_.clear();
      for (std::size_t k = 0; k < in.pos_words; ++k) {
        pos_[k] = wanted[k];
        for (std::size_t c = 0; c < literals.size(); ++c)
          if (c != out) pos_[k] &= in.pos(static_cast<std::size_t>(literals[c]))[k];
        if (pos_[k]) pos_active_.push_back(k);
      }
      const double gain = weigh(pos_.data(), pos_.data(), pos_active_, weight);
      if (gain > best_gain) {
        best_gain = gain;
        best = out;
      }
    }
    if (best >= literals.size()) return;
    literals.erase(literals.begin() + static_cast<std::ptrdiff_t>(best));
  }
}

namespace {

// Takes a column into the cover and its rows out of those left.
void take(const ColumnPool& pool, std::size_t k, std::vector<Word>& left, std::vector<std::size_t>& chosen) {
  chosen.push_back(k);
  for (std::size_t w = 0; w < left.size(); ++w) left[w] &= ~pool[k].cover[w];
}

}  // namespace

bool greedy_cover(const CoverInstance& in, RuleGrower& grower, ColumnPool& pool, double noise, Random& random,
                  Control& control, const std::vector<std::size_t>& known, std::vector<std::size_t>& chosen) {
  std::vector<Word> left;
  fill_ones(left, in.n_pos);
  std::vector<std::size_t> order(in.n_pos);
  for (std::size_t i = 0; i < in.n_pos; ++i) order[i] = i;
  if (noise > 0)
    for (std::size_t i = in.n_pos; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  bool stopped = false;
  for (const std::size_t seed : order) {
    if (!test_bit(left.data(), seed)) continue;
    if ((stopped = control.check_now())) break;
    take(pool, pool.add(grower.grow(seed, nullptr, left.data(), noise, random)).first, left, chosen);
  }
  if (stopped && !known.empty()) {
    for (const std::size_t k : known)
      if (intersects(left.data(), pool[k].cover.data(), left.size())) take(pool, k, left, chosen);
  } else if (stopped) {
    for (Literals& rule : tree_cover(in, left)) take(pool, pool.add(std::move(rule)).first, left, chosen);
  }
  drop_redundant(in.n_pos, pool, chosen);
  return !stopped;
}

}  // namespace laconic
