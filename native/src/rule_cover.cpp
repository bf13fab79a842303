// Which rows a rule covers, for the cost function: no search uses it.
#include "rule_cover.hpp"

#include <algorithm>

namespace laconic {

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

}  // namespace laconic
