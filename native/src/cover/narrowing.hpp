#pragma once

#include <cstdint>
#include <vector>

#include "base/bitset.hpp"

namespace laconic {

// The rows that a growing rule still covers, and the number of them that each literal keeps.
class Narrowing {
 public:
  // `by_literal` holds the set of rows of each literal, one after the other, and must outlive this. `opposite[l]` is
  // the negation of l, or l itself if there is none. Rows are packed again when fewer than one in `packing` is left.
  Narrowing(std::size_t n_rows, const Word* by_literal, const std::vector<std::size_t>& opposite, std::size_t packing);

  std::size_t n_left() const { return n_left_; }
  // Starts again with the members of `rows`, or with all rows.
  void reset(const Word* rows);
  void reset();
  // Keeps the rows on which the literal holds.
  void narrow(std::size_t literal);
  // Counts the remaining rows that each literal keeps.
  void count_kept(std::vector<std::uint32_t>& kept) const;

 private:
  struct Base {
    std::size_t literal, opposite;
  };

  const Word* column(std::size_t b) const {
    return numbers_.empty() ? by_literal_ + bases_[b].literal * words_ : packed_.data() + b * words_;
  }
  void pack();

  const std::size_t n_rows_, packing_;
  const Word* by_literal_;
  std::vector<Base> bases_;           // literals without a negation, and the first of each pair
  std::vector<std::size_t> base_of_;  // by literal
  std::size_t base_words_;
  std::vector<Word> by_row_;  // n_rows x base_words

  // The remaining rows, as a subset of the rows in view: all rows of the table, or those in `numbers`.
  std::size_t in_view_ = 0, words_ = 0, n_left_ = 0;
  std::vector<std::uint32_t> numbers_, next_numbers_;
  std::vector<Word> left_, packed_;
};

}  // namespace laconic
