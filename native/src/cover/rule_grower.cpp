// Rules around a positive with a large weight in given prices.
//
// Growing from a seed (as in AQ) uses only literals that hold on the seed, so every rule covers it. Each step takes the
// literal that excludes the most negatives per weight of wanted positives lost.
#include "cover/rule_grower.hpp"

#include "cover/pack.hpp"

namespace laconic {
namespace {

// Returns the weight of a & b over the listed words.
double weigh(const Word* a, const Word* b, const std::vector<std::size_t>& words, const double* weight) {
  double sum = 0;
  for (const std::size_t k : words)
    for (Word w = a[k] & b[k]; w; w &= w - 1) sum += weight[k * kWordBits + static_cast<std::size_t>(lowest_bit(w))];
  return sum;
}

// Intersects a with b, and lists the words that are not empty.
void intersect(Word* a, const Word* b, std::vector<std::size_t>& words) {
  std::size_t alive = 0;
  for (const std::size_t k : words)
    if (a[k] &= b[k]) words[alive++] = k;
  words.resize(alive);
}

}  // namespace

RuleGrower::RuleGrower(const CoverInstance& instance)
    : instance_(instance), pruner_(instance), pos_(instance.pos_words), neg_(instance.neg_words) {}

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
  pruner_.prune(chosen, weight, wanted);
  return chosen;
}

}  // namespace laconic
