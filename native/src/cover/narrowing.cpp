// Counts of the rows that each literal keeps, while a growing rule covers fewer and fewer rows.
//
// A rule of eight literals over 50,000 rows covers a few hundred of them after three literals. The table is stored
// literal by literal, so their bits are scattered over all words. The remaining rows are therefore packed again: 64
// rows at a time are read as sets of literals and transposed as blocks of 64 x 64 bits, at some nanoseconds per row;
// packing the bits of every literal would read all words of each. Only one of a literal and its negation is stored.
#include "cover/narrowing.hpp"

#include <algorithm>

#include "cover/pack.hpp"

namespace laconic {
namespace {

// Transposes a block of bits: bit c of word r becomes bit r of word c.
void transpose(Word (&block)[kWordBits]) {
  Word mask = 0x00000000ffffffffull;
  for (std::size_t j = kWordBits / 2; j > 0; j /= 2, mask ^= mask << j)
    for (std::size_t r = 0; r < kWordBits; r = (r + j + 1) & ~j) {
      const Word swapped = ((block[r] >> j) ^ block[r + j]) & mask;
      block[r] ^= swapped << j;
      block[r + j] ^= swapped;
    }
}

}  // namespace

Narrowing::Narrowing(std::size_t n_rows, const Word* by_literal, const std::vector<std::size_t>& opposite,
                     std::size_t packing)
    : n_rows_(n_rows), packing_(packing), by_literal_(by_literal), base_of_(opposite.size()) {
  for (std::size_t l = 0; l < opposite.size(); ++l) {
    base_of_[l] = opposite[l] < l ? base_of_[opposite[l]] : bases_.size();
    if (opposite[l] >= l) bases_.push_back({l, opposite[l]});
  }
  base_words_ = words_for(bases_.size());
  by_row_.assign(n_rows * base_words_, 0);
  reset();
  Word block[kWordBits];
  for (std::size_t w = 0; w < words_; ++w)
    for (std::size_t c = 0; c < base_words_; ++c) {
      for (std::size_t r = 0; r < kWordBits; ++r)
        block[r] = c * kWordBits + r < bases_.size() ? column(c * kWordBits + r)[w] : 0;
      transpose(block);
      for (std::size_t r = 0; r < kWordBits && w * kWordBits + r < n_rows; ++r)
        by_row_[(w * kWordBits + r) * base_words_ + c] = block[r];
    }
}

void Narrowing::reset() {
  in_view_ = n_left_ = n_rows_;
  words_ = words_for(n_rows_);
  numbers_.clear();
  fill_ones(left_, n_rows_);
}

void Narrowing::reset(const Word* rows) {
  reset();
  left_.assign(rows, rows + words_);
  n_left_ = count(rows, words_);
}

void Narrowing::narrow(std::size_t literal) {
  const std::size_t b = base_of_[literal];
  const Word* kept = column(b);
  if (bases_[b].literal == literal)
    assign_and(left_.data(), left_.data(), kept, words_);
  else
    remove_all(left_.data(), kept, words_);
  n_left_ = count(left_.data(), words_);
  if (words_ > 1 && n_left_ * packing_ < in_view_) pack();
}

void Narrowing::count_kept(std::vector<std::uint32_t>& kept) const {
  kept.resize(base_of_.size());
  for (std::size_t b = 0; b < bases_.size(); ++b) {
    const std::size_t n = count_and(left_.data(), column(b), words_);
    kept[bases_[b].opposite] = static_cast<std::uint32_t>(n_left_ - n);
    kept[bases_[b].literal] = static_cast<std::uint32_t>(n);
  }
}

void Narrowing::pack() {
  next_numbers_.clear();
  for_each(left_.data(), words_, [&](std::size_t i) {
    next_numbers_.push_back(numbers_.empty() ? static_cast<std::uint32_t>(i) : numbers_[i]);
  });
  if (next_numbers_.empty()) return;
  numbers_.swap(next_numbers_);
  in_view_ = n_left_;
  words_ = words_for(n_left_);
  packed_.resize(bases_.size() * words_);
  Word block[kWordBits] = {};  // bits beyond the last row are arbitrary: left_ ends there
  for (std::size_t w = 0; w < words_; ++w)
    for (std::size_t c = 0; c < base_words_; ++c) {
      const std::size_t n = std::min(kWordBits, n_left_ - w * kWordBits);
      for (std::size_t r = 0; r < n; ++r) block[r] = by_row_[numbers_[w * kWordBits + r] * base_words_ + c];
      transpose(block);
      const std::size_t last = std::min(bases_.size(), (c + 1) * kWordBits);
      for (std::size_t b = c * kWordBits; b < last; ++b) packed_[b * words_ + w] = block[b - c * kWordBits];
    }
  fill_ones(left_, n_left_);
}

}  // namespace laconic
