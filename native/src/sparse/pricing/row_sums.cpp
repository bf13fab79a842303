// Row i is added to partial sum i mod 32: enough of them that no addition waits for the previous one, and few enough
// for the registers. With AVX-512, sixteen bits of a set select sixteen floats at once; it is detected at run time,
// because a third build of everything would only serve these two loops.
#include "sparse/pricing/row_sums.hpp"

#include "base/lanes.hpp"

#if defined(__GNUC__) && defined(__AVX2__)
#define LACONIC_AVX512
#include <immintrin.h>
#endif

namespace laconic {
namespace {

struct Partial {
  Eight at[4] = {};

  void add(Word w, const float* x) {
    const auto& ones = ones_of_bytes();
    for (std::size_t k = 0; k < 4; ++k, w >>= 8, x += 8) {
      Eight in, values;
      load(in, ones[w & 255].data()), load(values, x);
      at[k] += in * values;
    }
  }
  float total() const { return sum((at[0] + at[1]) + (at[2] + at[3])); }
};

constexpr Word kHalf = 0xffffffff;

#ifdef LACONIC_AVX512
#define LACONIC_WITH_AVX512 __attribute__((target("avx512f")))

bool has_avx512() {
  static const bool has = __builtin_cpu_supports("avx512f");
  return has;
}

struct Partial512 {
  __m512 at[2];

  LACONIC_WITH_AVX512 float total() const {
    float lane[32];
    _mm512_storeu_ps(lane, at[0]);
    _mm512_storeu_ps(lane + 16, at[1]);
    Partial out;
    for (std::size_t k = 0; k < 4; ++k) load(out.at[k], lane + 8 * k);
    return out.total();
  }
};

LACONIC_WITH_AVX512 float sum_rows_512(const float* of, const Word* set, std::size_t n_words) {
  Partial512 sum{{_mm512_setzero_ps(), _mm512_setzero_ps()}};
  for (std::size_t k = 0; k < n_words; ++k) {
    const float* x = of + k * kWordBits;
    for (Word w = set[k]; w; w >>= 32, x += 32) {
      sum.at[0] = _mm512_add_ps(sum.at[0], _mm512_maskz_loadu_ps(static_cast<__mmask16>(w), x));
      sum.at[1] = _mm512_add_ps(sum.at[1], _mm512_maskz_loadu_ps(static_cast<__mmask16>(w >> 16), x + 16));
    }
  }
  return sum.total();
}

LACONIC_WITH_AVX512 Sums sum_rows_512(const float* first, const float* second, const Word* set, std::size_t n_words) {
  Partial512 a{{_mm512_setzero_ps(), _mm512_setzero_ps()}}, b = a;
  for (std::size_t k = 0; k < n_words; ++k) {
    const float *x = first + k * kWordBits, *y = second + k * kWordBits;
    for (Word w = set[k]; w; w >>= 32, x += 32, y += 32) {
      const auto low = static_cast<__mmask16>(w), high = static_cast<__mmask16>(w >> 16);
      a.at[0] = _mm512_add_ps(a.at[0], _mm512_maskz_loadu_ps(low, x));
      b.at[0] = _mm512_add_ps(b.at[0], _mm512_maskz_loadu_ps(low, y));
      a.at[1] = _mm512_add_ps(a.at[1], _mm512_maskz_loadu_ps(high, x + 16));
      b.at[1] = _mm512_add_ps(b.at[1], _mm512_maskz_loadu_ps(high, y + 16));
    }
  }
  return {a.total(), b.total()};
}
#endif

}  // namespace

float sum_rows(const float* of, const Word* set, std::size_t n_words) {
#ifdef LACONIC_AVX512
  if (has_avx512()) return sum_rows_512(of, set, n_words);
#endif
  Partial sum;
  for (std::size_t k = 0; k < n_words; ++k) {
    const float* x = of + k * kWordBits;
    for (Word w = set[k]; w; w >>= 32, x += 32)
      if (w & kHalf) sum.add(w, x);
  }
  return sum.total();
}

Sums sum_rows(const float* first, const float* second, const Word* set, std::size_t n_words) {
#ifdef LACONIC_AVX512
  if (has_avx512()) return sum_rows_512(first, second, set, n_words);
#endif
  Partial a, b;
  for (std::size_t k = 0; k < n_words; ++k) {
    const float *x = first + k * kWordBits, *y = second + k * kWordBits;
    for (Word w = set[k]; w; w >>= 32, x += 32, y += 32)
      if (w & kHalf) a.add(w, x), b.add(w, y);
  }
  return {a.total(), b.total()};
}

}  // namespace laconic
