// Sets of rows as machine words.
//
// Every engine needs the same operations on sets of rows: the cover of a conjunction, the weight of a set, inclusion of
// one set in another. A row set is an array of 64-bit words whose length is fixed per table, so it lives in plain
// arrays without allocation in inner loops, and the loops below vectorise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace laconic {

using Word = std::uint64_t;
using Weight = std::int64_t;

constexpr std::size_t kWordBits = 64;

inline std::size_t words_for(std::size_t n_bits) { return (n_bits + kWordBits - 1) / kWordBits; }

#if defined(_MSC_VER)
inline int popcount(Word w) { return static_cast<int>(__popcnt64(w)); }
inline int lowest_bit(Word w) {
  unsigned long at;
  _BitScanForward64(&at, w);
  return static_cast<int>(at);
}
#else
inline int popcount(Word w) { return __builtin_popcountll(w); }
inline int lowest_bit(Word w) { return __builtin_ctzll(w); }
#endif

inline bool test_bit(const Word* set, std::size_t i) { return (set[i / kWordBits] >> (i % kWordBits)) & 1u; }
inline void set_bit(Word* set, std::size_t i) { set[i / kWordBits] |= Word{1} << (i % kWordBits); }
inline void clear_bit(Word* set, std::size_t i) { set[i / kWordBits] &= ~(Word{1} << (i % kWordBits)); }

inline std::size_t count(const Word* a, std::size_t n) {
  std::size_t total = 0;
  for (std::size_t k = 0; k < n; ++k) total += static_cast<std::size_t>(popcount(a[k]));
  return total;
}
inline std::size_t count_and(const Word* a, const Word* b, std::size_t n) {
  std::size_t total = 0;
  for (std::size_t k = 0; k < n; ++k) total += static_cast<std::size_t>(popcount(a[k] & b[k]));
  return total;
}
inline bool any(const Word* a, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k)
    if (a[k]) return true;
  return false;
}
inline bool intersects(const Word* a, const Word* b, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k)
    if (a[k] & b[k]) return true;
  return false;
}
inline bool is_subset(const Word* a, const Word* b, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k)
    if (a[k] & ~b[k]) return false;
  return true;
}
inline void assign_and(Word* out, const Word* a, const Word* b, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) out[k] = a[k] & b[k];
}
inline void remove_all(Word* from, const Word* what, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) from[k] &= ~what[k];
}

// Makes the set {0, ..., n_bits - 1}.
inline void fill_all(Word* set, std::size_t n_bits, std::size_t n_words) {
  for (std::size_t k = 0; k < n_words; ++k) set[k] = 0;
  for (std::size_t i = 0; i < n_bits; ++i) set_bit(set, i);
}
inline std::uint64_t hash_of(const Word* a, std::size_t n) {
  std::uint64_t hash = 0;
  for (std::size_t k = 0; k < n; ++k) hash = (hash ^ a[k]) * 0xbf58476d1ce4e5b9ull, hash ^= hash >> 31;
  return hash;
}

// Calls visit(i) for every member, in increasing order.
template <class Visit>
inline void for_each(const Word* a, std::size_t n, Visit visit) {
  for (std::size_t k = 0; k < n; ++k)
    for (Word w = a[k]; w; w &= w - 1) visit(k * kWordBits + static_cast<std::size_t>(lowest_bit(w)));
}

// Sum of weight[i] over the members; T is an integer or a float type.
template <class T>
inline T weight_of(const Word* a, std::size_t n, const T* weight) {
  T total = 0;
  for_each(a, n, [&](std::size_t i) { total += weight[i]; });
  return total;
}

}  // namespace laconic
