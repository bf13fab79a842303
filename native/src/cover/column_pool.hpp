// The columns of column generation, without duplicates.
#pragma once

#include <unordered_map>
#include <utility>

#include "cover/columns.hpp"

namespace laconic {

class ColumnPool {
 public:
  explicit ColumnPool(const CoverInstance& instance) : instance_(&instance), columns_(instance.pos_words) {}

  // Returns the column's index and whether it is new.
  std::pair<std::size_t, bool> add(Literals literals) {
    std::sort(literals.begin(), literals.end());
    std::uint64_t h = 0x9e3779b97f4a7c15ull;
    for (const auto l : literals) h = (h ^ static_cast<std::uint64_t>(l)) * 0xbf58476d1ce4e5b9ull, h ^= h >> 29;
    auto [first, last] = by_hash_.equal_range(h);
    for (auto it = first; it != last; ++it) {
      const Column known = columns_[it->second];
      if (std::equal(literals.begin(), literals.end(), known.literals, known.literals + known.n_literals))
        return {it->second, false};
    }
    const std::vector<Word> cover = cover_of(*instance_, literals);
    columns_.add({literals.data(), literals.size(), cover.data(), instance_->price(literals.size())});
    by_hash_.emplace(h, columns_.size() - 1);
    return {columns_.size() - 1, true};
  }

  Column operator[](std::size_t k) const { return columns_[k]; }
  std::size_t size() const { return columns_.size(); }
  const Columns& columns() const { return columns_; }

 private:
  const CoverInstance* instance_;
  Columns columns_;
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash_;
};

}  // namespace laconic
