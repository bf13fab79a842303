#pragma once

#include <cstdint>
#include <vector>

#include "cover/columns.hpp"
#include "cover/narrowing.hpp"

namespace laconic {

// Grows consistent rules over the positives that are left (separate and conquer).
class Conqueror {
 public:
  explicit Conqueror(const CoverInstance& instance);

  // Returns a rule over some of `left`, with literals of the set `among` only (null: any). It is empty if no literal
  // excludes a covered negative, which cannot happen where all of `among` hold on a positive of `left`.
  Literals next_rule(const std::vector<Word>& left, const Word* among = nullptr);

 private:
  Conqueror(const CoverInstance& instance, const std::vector<std::size_t>& opposite);
  std::size_t best_literal(const std::vector<std::uint32_t>& pos, const std::vector<std::uint32_t>& neg,
                           const Word* among) const;
  void look_at(const std::vector<Word>& left);

  const CoverInstance& in_;
  Narrowing pos_, neg_;
  std::vector<float> log2_;                             // logarithms of whole numbers
  std::vector<Word> left_;                              // the positives that first_pos_ counts
  std::vector<std::uint32_t> first_pos_, first_neg_;    // kept by each literal alone
  std::vector<std::vector<std::uint32_t>> second_neg_;  // by first literal: negatives kept by each second one
  std::vector<std::uint32_t> kept_pos_, kept_neg_;
};

}  // namespace laconic
