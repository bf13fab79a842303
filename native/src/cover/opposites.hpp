// Which literal is the negation of which.
#pragma once

#include <algorithm>
#include <vector>

#include "cover/instance.hpp"

namespace laconic {

// For every literal the one that holds where it does not, or itself if the instance has none. Codes tell where to look,
// rows whether it is so: the instances of certificates number literals as they please.
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
