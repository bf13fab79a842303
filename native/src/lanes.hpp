// Loops over floats side by side.
//
// A compiler may not reorder a sum of floats, so a plain loop that adds up is not vectorised. Many
// partial sums in an array are, and give the same result in the portable build and in the one for AVX2. (With only
// as many sums as a register holds, gcc unrolls the inner loop and shuffles single floats instead.)
#pragma once

#include <cstddef>

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

// to += the four rows, each with its factor: one pass over `to` instead of four.
inline void add_multiples(float* __restrict to, const float* const* rows, const float* factor, std::size_t n) {
  const float* __restrict a = rows[0];
  const float* __restrict b = rows[1];
  const float* __restrict c = rows[2];
  const float* __restrict d = rows[3];
  const float fa = factor[0], fb = factor[1], fc = factor[2], fd = factor[3];
  for (std::size_t k = 0; k < n; ++k) to[k] += (fa * a[k] + fb * b[k]) + (fc * c[k] + fd * d[k]);
}

}  // namespace laconic
