// The negation of each literal.
#pragma once

#include <algorithm>
#include <vector>

#include "cover/instance.hpp"

namespace laconic {

// Returns the negation of each literal, or the literal itself if the instance has none. Codes only suggest candidates,
// and rows decide: the instances of certificates number literals in any order.
inline std::vector<std::size_t> opposites(const CoverInstance& in) {
  const auto complementary = [](const Word* a, const Word* b, std::size_t n_rows) {
    const std::size_t whole = n_rows / kWordBits;
    for (std::size_t k = 0; k < whole; ++k)
      if (a[k] != ~b[k]) return false;
    return n_rows % kWordBits == 0 || (a[whole] ^ b[whole]) == (Word{1} << (n_rows % kWordBits)) - 1;
  };
  std::int32_t last = 0;
  for (const auto code : in.code) last = std::max(last, code | 1);
  std::vector<std::size_t> place(static_cast<std::size_t>(last) + 1, in.n_lit), out(in.n_lit);
  for (std::size_t l = 0; l < in.n_lit; ++l) place[static_cast<std::size_t>(in.code[l])] = l;
  for (std::size_t l = 0; l < in.n_lit; ++l) {
    const std::size_t other = place[static_cast<std::size_t>(in.code[l] ^ 1)];
    const bool opposite = other < in.n_lit && complementary(in.pos(l), in.pos(other), in.n_pos) &&
                          complementary(in.neg(l), in.neg(other), in.n_neg);
    out[l] = opposite ? other : l;
  }
  return out;
}

}  // namespace laconic
