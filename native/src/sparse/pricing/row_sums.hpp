// Sums of floats over sets of rows.
#pragma once

#include "base/bitset.hpp"

namespace laconic {

struct Sums {
  float first, second;
};

// Returns the sum of of[i] for the rows i in the set. The array must extend to the end of the last word. Every build
// and every processor adds in the same order.
float sum_rows(const float* of, const Word* set, std::size_t n_words);
Sums sum_rows(const float* first, const float* second, const Word* set, std::size_t n_words);

}  // namespace laconic
