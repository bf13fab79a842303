// Packing of sets: the members that still matter become adjacent, so that small problems fit in a word or two.
#pragma once

#include <algorithm>
#include <vector>

#include "base/bitset.hpp"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace laconic {

inline Word extract_bits(Word value, Word mask) {
#if defined(__BMI2__)
  return _pext_u64(value, mask);
#else
  Word out = 0;
  for (int at = 0; mask; mask &= mask - 1, ++at)
    if (value & mask & (~mask + 1)) out |= Word{1} << at;
  return out;
#endif
}

// Packs the members of `mask` of a source row into adjacent bits.
inline void pack_row(const Word* source, const Word* mask, std::size_t n_words, Word* out, std::size_t out_words) {
  std::fill(out, out + out_words, 0);
  std::size_t at = 0;
  for (std::size_t k = 0; k < n_words; ++k) {
    if (!mask[k]) continue;
    const Word bits = extract_bits(source[k], mask[k]);
    const std::size_t n = static_cast<std::size_t>(popcount(mask[k]));
    out[at / kWordBits] |= bits << (at % kWordBits);
    if (at % kWordBits + n > kWordBits) out[at / kWordBits + 1] |= bits >> (kWordBits - at % kWordBits);
    at += n;
  }
}

inline void fill_ones(std::vector<Word>& set, std::size_t n_bits) {
  set.assign(words_for(n_bits), ~Word{0});
  if (n_bits % kWordBits) set.back() = (Word{1} << (n_bits % kWordBits)) - 1;
}

}  // namespace laconic
