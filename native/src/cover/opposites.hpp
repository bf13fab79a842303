// Which literal is the negation of which.
#pragma once

#include <unordered_map>
#include <vector>

#include "cover/instance.hpp"

namespace laconic {

// For every literal the one that holds where it does not, or itself if the instance has none.
inline std::vector<std::size_t> opposites(const CoverInstance& in) {
  std::unordered_map<std::int32_t, std::size_t> place;
  for (std::size_t l = 0; l < in.n_lit; ++l) place[in.code[l]] = l;
  std::vector<std::size_t> out(in.n_lit);
  for (std::size_t l = 0; l < in.n_lit; ++l) {
    const auto found = place.find(in.code[l] ^ 1);
    out[l] = found == place.end() ? l : found->second;
  }
  return out;
}

}  // namespace laconic
