// Rows covered by rules, for the cost function; no search uses it.
#include "base/rule_cover.hpp"

#include <algorithm>

namespace laconic {
namespace {

// Bits beyond the last row are arbitrary.
void add_cover(const Word* bits, std::size_t row_words, const std::vector<std::int32_t>& literals, Word* covered) {
  constexpr std::size_t kBlock = 64;
  Word rows[kBlock];
  for (std::size_t first = 0; first < row_words; first += kBlock) {
    const std::size_t n = std::min(kBlock, row_words - first);
    std::fill(rows, rows + n, ~Word{0});
    for (const std::int32_t literal : literals) {
      const Word* feature = bits + static_cast<std::size_t>(literal / 2) * row_words + first;
      const Word flipped = literal % 2 == 1 ? 0 : ~Word{0};
      for (std::size_t w = 0; w < n; ++w) rows[w] &= feature[w] ^ flipped;
    }
    for (std::size_t w = 0; w < n; ++w) covered[first + w] |= rows[w];
  }
}

}  // namespace

void rows_of_classes(const Word* bits, std::size_t row_words, std::size_t n_rows, std::size_t n_classes,
                     const std::vector<std::size_t>& targets, const std::vector<std::vector<std::int32_t>>& rules,
                     bool* out) {
  std::vector<Word> covered(n_classes * row_words, 0);
  for (std::size_t k = 0; k < rules.size(); ++k)
    add_cover(bits, row_words, rules[k], covered.data() + targets[k] * row_words);
  for (std::size_t i = 0; i < n_rows; ++i)
    for (std::size_t c = 0; c < n_classes; ++c) out[i * n_classes + c] = test_bit(covered.data() + c * row_words, i);
}

}  // namespace laconic
