// Vectorised loops over floats.
//
// A compiler may not reorder a sum of floats, so a plain loop that adds up is not vectorised. Loops over an array of
// partial sums are, and they give the same result in the portable build and in the one for AVX2. (With only as many
// partial sums as a register holds, gcc unrolls the inner loop and shuffles single floats instead.)
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "base/bitset.hpp"

namespace laconic {

constexpr std::size_t kLanes = 64;

inline float fold(float* lane) {
  for (std::size_t width = kLanes / 2; width > 0; width /= 2)
    for (std::size_t m = 0; m < width; ++m) lane[m] += lane[m + width];
  return lane[0];
}

// Sum of f(k) for k < n.
template <class F>
inline float lane_sum(std::size_t n, F&& f) {
  float lane[kLanes] = {};
  std::size_t k = 0;
  for (; k + kLanes <= n; k += kLanes)
    for (std::size_t m = 0; m < kLanes; ++m) lane[m] += f(k + m);
  for (std::size_t m = 0; k + m < n; ++m) lane[m] += f(k + m);
  return fold(lane);
}

// to += factor * from
inline void add_multiple(float* __restrict to, const float* __restrict from, float factor, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) to[k] += factor * from[k];
}

// Adds four rows, each times its factor, in one pass over `to` instead of four.
inline void add_multiples(float* __restrict to, const float* const* rows, const float* factor, std::size_t n) {
  const float* __restrict a = rows[0];
  const float* __restrict b = rows[1];
  const float* __restrict c = rows[2];
  const float* __restrict d = rows[3];
  const float fa = factor[0], fb = factor[1], fc = factor[2], fd = factor[3];
  for (std::size_t k = 0; k < n; ++k) to[k] += (fa * a[k] + fb * b[k]) + (fc * c[k] + fd * d[k]);
}

// Eight floats of consecutive rows, and a factor of 0 or 1 for each, from a byte of a set of rows.
#if defined(__GNUC__)
using Eight = float __attribute__((vector_size(32)));
#else
struct Eight {
  float at[8];
  float operator[](std::size_t m) const { return at[m]; }
};
template <class Op>
inline Eight each(const Eight& a, const Eight& b, Op op) {
  Eight out;
  for (std::size_t m = 0; m < 8; ++m) out.at[m] = op(a.at[m], b.at[m]);
  return out;
}
inline Eight operator+(const Eight& a, const Eight& b) {
  return each(a, b, [](float x, float y) { return x + y; });
}
inline Eight operator-(const Eight& a, const Eight& b) {
  return each(a, b, [](float x, float y) { return x - y; });
}
inline Eight operator*(const Eight& a, const Eight& b) {
  return each(a, b, [](float x, float y) { return x * y; });
}
inline Eight& operator+=(Eight& a, const Eight& b) { return a = a + b; }
#endif

inline void load(Eight& to, const float* from) { std::memcpy(&to, from, sizeof(Eight)); }
inline void lower(Eight& a, const Eight& b) {  // a = min(a, b)
#if defined(__GNUC__)
  a = a < b ? a : b;
#else
  a = each(a, b, [](float x, float y) { return x < y ? x : y; });
#endif
}
inline float sum(const Eight& a) { return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7])); }

inline const std::array<std::array<float, 8>, 256>& ones_of_bytes() {
  static const auto table = [] {
    std::array<std::array<float, 8>, 256> out{};
    for (std::size_t byte = 0; byte < 256; ++byte)
      for (std::size_t m = 0; m < 8; ++m) out[byte][m] = static_cast<float>((byte >> m) & 1);
    return out;
  }();
  return table;
}

// Calls visit(first row, mask) for each group of eight rows that has a member; the mask has a bit per row.
template <class WordAt, class Visit>
inline void for_each_eight(std::size_t n_words, const WordAt& word, Visit&& visit) {
  const auto& ones = ones_of_bytes();
  for (std::size_t k = 0; k < n_words; ++k) {
    Word w = word(k);
    for (std::size_t row = k * kWordBits; w; w >>= 8, row += 8) {
      if (!(w & 255)) continue;
      Eight in;
      load(in, ones[w & 255].data());
      visit(row, in);
    }
  }
}

}  // namespace laconic
