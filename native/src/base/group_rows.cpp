// Merging of equal rows into one weighted row, which makes large tables small.
//
// Idea: one pass with an open-addressing table of group numbers. A hit is confirmed by comparing the words, so a hash
// collision costs time but never correctness. Rival: sorting the rows (numpy.unique on a void view) takes n log n
// comparisons of whole rows and is about ten times slower at a million rows of 100 bits.
#include "base/group_rows.hpp"

#include <cstring>

namespace laconic {
namespace {

// The finaliser of splitmix64, folded over the words.
std::uint64_t hash_words(const std::uint64_t* row, std::size_t n_words) {
  std::uint64_t h = 0x9e3779b97f4a7c15ull;
  for (std::size_t k = 0; k < n_words; ++k) {
    h ^= row[k];
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebull;
    h ^= h >> 31;
  }
  return h;
}

}  // namespace

RowGroups group_rows(const std::uint64_t* rows, std::size_t n, std::size_t n_words) {
  RowGroups out;
  out.group_of.resize(n);
  std::size_t capacity = 1024;
  std::vector<std::int64_t> slots(capacity, -1);
  std::vector<std::uint64_t> hashes;

  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t* row = rows + i * n_words;
    const std::uint64_t h = hash_words(row, n_words);
    std::size_t at = h & (capacity - 1);
    std::int64_t group = -1;
    for (; slots[at] >= 0; at = (at + 1) & (capacity - 1)) {
      const auto g = static_cast<std::size_t>(slots[at]);
      if (hashes[g] == h &&
          std::memcmp(rows + static_cast<std::size_t>(out.first_row[g]) * n_words, row, n_words * 8) == 0) {
        group = slots[at];
        break;
      }
    }
    if (group < 0) {
      group = static_cast<std::int64_t>(out.first_row.size());
      slots[at] = group;
      out.first_row.push_back(static_cast<std::int64_t>(i));
      hashes.push_back(h);
      if (2 * out.first_row.size() > capacity) {
        capacity *= 4;
        slots.assign(capacity, -1);
        for (std::size_t g = 0; g < hashes.size(); ++g) {
          std::size_t s = hashes[g] & (capacity - 1);
          while (slots[s] >= 0) s = (s + 1) & (capacity - 1);
          slots[s] = static_cast<std::int64_t>(g);
        }
      }
    }
    out.group_of[i] = group;
  }
  return out;
}

}  // namespace laconic
