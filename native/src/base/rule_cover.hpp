#pragma once

#include <cstdint>
#include <vector>

#include "base/bitset.hpp"

namespace laconic {

// Computes for each row and class whether a rule of the class covers the row; `out` is n_rows x n_classes. `bits` is
// feature-major with row_words words per feature; literal 2f+1 is "feature f holds", 2f its negation.
void rows_of_classes(const Word* bits, std::size_t row_words, std::size_t n_rows, std::size_t n_classes,
                     const std::vector<std::size_t>& targets, const std::vector<std::vector<std::int32_t>>& rules,
                     bool* out);

}  // namespace laconic
