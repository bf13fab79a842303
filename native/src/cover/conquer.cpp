// Separate and conquer: one rule after another, each grown from nothing by information gain.
//
// Each step takes the literal with the largest FOIL gain over the positives that are left (Quinlan, "Learning logical
// definitions from relations", 1990). Most of the work is at the first two literals, where nearly all rows are still
// covered. Their counts are mostly reused: the positives of a first literal are updated as rules cover them, and the
// negatives of one or two literals never change.
#include "cover/conquer.hpp"

#include <cmath>

#include "cover/opposites.hpp"
#include "cover/pack.hpp"

namespace laconic {

Conqueror::Conqueror(const CoverInstance& in) : Conqueror(in, opposites(in)) {}

Conqueror::Conqueror(const CoverInstance& in, const std::vector<std::size_t>& opposite)
    : in_(in), pos_(in.n_pos, in.lit_pos.data(), opposite, in.options->cover_grow_packing),
      neg_(in.n_neg, in.lit_neg.data(), opposite, in.options->cover_grow_packing), log2_(in.n_pos + in.n_neg + 1),
      second_neg_(in.n_lit) {
  for (std::size_t k = 1; k < log2_.size(); ++k) log2_[k] = std::log2(static_cast<float>(k));
  fill_ones(left_, in.n_pos);
  pos_.count_kept(first_pos_);
  neg_.count_kept(first_neg_);
}

// Updates the counts of first literals from the changed rows, or recomputes them if most rows have changed.
void Conqueror::look_at(const std::vector<Word>& left) {
  std::size_t changed = 0;
  for (std::size_t w = 0; w < left.size(); ++w) changed += static_cast<std::size_t>(popcount(left_[w] ^ left[w]));
  pos_.reset(left.data());
  if (changed > in_.n_pos / kWordBits)
    pos_.count_kept(first_pos_);
  else
    for (std::size_t w = 0; w < left.size(); ++w)
      for (Word moved = left_[w] ^ left[w]; moved; moved &= moved - 1) {
        const std::size_t i = w * kWordBits + static_cast<std::size_t>(lowest_bit(moved));
        const std::uint32_t step = test_bit(left.data(), i) ? 1u : ~0u;
        for_each(in_.lits(i), in_.lit_words, [&](std::size_t l) { first_pos_[l] += step; });
      }
  left_ = left;
}

std::size_t Conqueror::best_literal(const std::vector<std::uint32_t>& pos, const std::vector<std::uint32_t>& neg,
                                    const Word* among) const {
  const float before = log2_[pos_.n_left() + neg_.n_left()] - log2_[pos_.n_left()];
  float most = 0;
  std::size_t best = in_.n_lit;
  for (std::size_t l = 0; l < in_.n_lit; ++l) {
    if (pos[l] == 0 || neg[l] == neg_.n_left() || (among && !test_bit(among, l))) continue;
    const float kept = static_cast<float>(pos[l]);
    if (best < in_.n_lit && kept * before <= most) continue;  // not even if it excluded every negative
    const float gain = kept * (before - (log2_[pos[l] + neg[l]] - log2_[pos[l]]));
    if (best == in_.n_lit || gain > most) most = gain, best = l;
  }
  return best;
}

Literals Conqueror::next_rule(const std::vector<Word>& left, const Word* among) {
  look_at(left);
  neg_.reset();
  Literals body;
  while (neg_.n_left() > 0) {
    const std::vector<std::uint32_t>*pos = &first_pos_, *neg = &first_neg_;
    if (!body.empty()) {
      pos_.count_kept(kept_pos_);
      pos = &kept_pos_;
      auto& second = second_neg_[static_cast<std::size_t>(body[0])];
      neg = body.size() == 1 ? &second : &kept_neg_;
      if (body.size() > 1)
        neg_.count_kept(kept_neg_);
      else if (second.empty())
        neg_.count_kept(second);
    }
    const std::size_t l = best_literal(*pos, *neg, among);
    if (l == in_.n_lit) return {};
    body.push_back(static_cast<std::int32_t>(l));
    pos_.narrow(l);
    neg_.narrow(l);
  }
  return body;
}

}  // namespace laconic
