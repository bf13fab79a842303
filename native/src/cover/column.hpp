// Rules as columns of the covering problem, each kept once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cover/instance.hpp"

namespace laconic {

using Literals = std::vector<std::int32_t>;

struct Column {
  Literals literals;        // sorted, instance numbers
  std::vector<Word> cover;  // positives
  Cost cost = 0;
};

inline std::vector<Word> cover_of(const CoverInstance& instance, const Literals& literals) {
  std::vector<Word> cover(instance.pos_words, ~Word{0});
  if (instance.n_pos % kWordBits) cover.back() = (Word{1} << (instance.n_pos % kWordBits)) - 1;
  for (const auto l : literals) assign_and(cover.data(), cover.data(), instance.pos(static_cast<std::size_t>(l)), cover.size());
  return cover;
}

class ColumnPool {
 public:
  explicit ColumnPool(const CoverInstance& instance) : instance_(&instance) {}

  // Returns the column's index and whether it is new.
  std::pair<std::size_t, bool> add(Literals literals) {
    std::sort(literals.begin(), literals.end());
    std::uint64_t h = 0x9e3779b97f4a7c15ull;
    for (const auto l : literals) h = (h ^ static_cast<std::uint64_t>(l)) * 0xbf58476d1ce4e5b9ull, h ^= h >> 29;
    auto [first, last] = by_hash_.equal_range(h);
    for (auto it = first; it != last; ++it)
      if (columns_[it->second].literals == literals) return {it->second, false};
    Column column;
    column.cover = cover_of(*instance_, literals);
    column.cost = instance_->price(literals.size());
    column.literals = std::move(literals);
    columns_.push_back(std::move(column));
    by_hash_.emplace(h, columns_.size() - 1);
    return {columns_.size() - 1, true};
  }

  const Column& operator[](std::size_t k) const { return columns_[k]; }
  std::size_t size() const { return columns_.size(); }

 private:
  const CoverInstance* instance_;
  std::vector<Column> columns_;
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash_;
};

// Drops columns of a cover that the others make superfluous, the dearest first. `columns` is a pool or a vector.
template <class Columns>
void drop_redundant(std::size_t n_rows, const Columns& columns, std::vector<std::size_t>& chosen) {
  const std::size_t words = words_for(n_rows);
  std::vector<std::int32_t> times(n_rows, 0);
  for (const std::size_t k : chosen) for_each(columns[k].cover.data(), words, [&](std::size_t i) { ++times[i]; });
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) { return columns[a].cost > columns[b].cost; });
  std::vector<std::size_t> kept;
  for (const std::size_t k : chosen) {
    bool needed = false;
    for_each(columns[k].cover.data(), words, [&](std::size_t i) { needed |= times[i] == 1; });
    if (needed)
      kept.push_back(k);
    else
      for_each(columns[k].cover.data(), words, [&](std::size_t i) { --times[i]; });
  }
  chosen = std::move(kept);
}

}  // namespace laconic
