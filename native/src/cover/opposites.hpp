// Which literal is the negation of which.
#pragma once

#include <algorithm>
#include <vector>

#include "cover/instance.hpp"

namespace laconic {

// For every literal the one that holds where it does not, or itself if the instance has none.
inline std::vector<std::size_t> opposites(const CoverInstance& in) {
  std::int32_t last = 0;
  for (const auto code : in.code) last = std::max(last, code | 1);
  std::vector<std::size_t> place(static_cast<std::size_t>(last) + 1, in.n_lit), out(in.n_lit);
  for (std::size_t l = 0; l < in.n_lit; ++l) place[static_cast<std::size_t>(in.code[l])] = l;
  for (std::size_t l = 0; l < in.n_lit; ++l) {
    const std::size_t other = place[static_cast<std::size_t>(in.code[l] ^ 1)];
    out[l] = other < in.n_lit ? other : l;
  }
  return out;
}

}  // namespace laconic
