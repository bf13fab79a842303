// Rules as columns of a covering problem.
//
// Millions of columns may be listed, compared and dropped at once. They are stored in blocks of plain arrays, thousands
// per block, so no large array is ever moved, and all of them are freed quickly when a search is stopped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cover/instance.hpp"
#include "cover/pack.hpp"

namespace laconic {

using Literals = std::vector<std::int32_t>;

// A view of one column, valid until more are added.
struct Column {
  const std::int32_t* literals;  // sorted, instance numbers
  std::size_t n_literals;
  const Word* cover;  // positives
  Cost cost;

  Literals rule() const { return {literals, literals + n_literals}; }
};

class Columns {
 public:
  explicit Columns(std::size_t words) : words_(words) {}  // words per cover

  std::size_t size() const {
    return blocks_.empty() ? 0 : (blocks_.size() - 1) * kInBlock + blocks_.back().costs.size();
  }
  bool empty() const { return blocks_.empty(); }
  std::size_t words() const { return words_; }
  Column operator[](std::size_t k) const {
    const Block& block = blocks_[k / kInBlock];
    const std::size_t at = k % kInBlock;
    return {block.literals.data() + block.begins[at], block.lengths[at], block.covers.data() + at * words_,
            block.costs[at]};
  }

  void add(const Column& column) {
    if (blocks_.empty() || blocks_.back().costs.size() == kInBlock) blocks_.emplace_back();
    Block& block = blocks_.back();
    block.begins.push_back(static_cast<std::uint32_t>(block.literals.size()));
    block.lengths.push_back(static_cast<std::uint32_t>(column.n_literals));
    block.literals.insert(block.literals.end(), column.literals, column.literals + column.n_literals);
    block.covers.insert(block.covers.end(), column.cover, column.cover + words_);
    block.costs.push_back(column.cost);
  }

  // Replaces the rule of a column by one with the same cover and no more literals.
  void shorten(std::size_t k, const Literals& literals, Cost cost) {
    Block& block = blocks_[k / kInBlock];
    const std::size_t at = k % kInBlock;
    std::copy(literals.begin(), literals.end(), block.literals.begin() + block.begins[at]);
    block.lengths[at] = static_cast<std::uint32_t>(literals.size());
    block.costs[at] = cost;
  }

 private:
  static constexpr std::size_t kInBlock = 4096;
  struct Block {
    std::vector<std::int32_t> literals;
    std::vector<std::uint32_t> begins, lengths;  // of each rule's literals
    std::vector<Word> covers;
    std::vector<Cost> costs;
  };

  std::size_t words_;
  std::vector<Block> blocks_;
};

inline void find_cover(const CoverInstance& instance, const Literals& literals, std::vector<Word>& cover) {
  fill_ones(cover, instance.n_pos);
  for (const auto l : literals)
    assign_and(cover.data(), cover.data(), instance.pos(static_cast<std::size_t>(l)), cover.size());
}

inline std::vector<Word> cover_of(const CoverInstance& instance, const Literals& literals) {
  std::vector<Word> cover;
  find_cover(instance, literals, cover);
  return cover;
}

// Drops redundant columns of a cover, the most expensive first. `columns` are Columns or a pool of them.
template <class Some>
void drop_redundant(std::size_t n_rows, const Some& columns, std::vector<std::size_t>& chosen) {
  const std::size_t words = words_for(n_rows);
  std::vector<std::int32_t> times(n_rows, 0);
  for (const std::size_t k : chosen) for_each(columns[k].cover, words, [&](std::size_t i) { ++times[i]; });
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](std::size_t a, std::size_t b) { return columns[a].cost > columns[b].cost; });
  std::vector<std::size_t> kept;
  for (const std::size_t k : chosen) {
    bool needed = false;
    for_each(columns[k].cover, words, [&](std::size_t i) { needed |= times[i] == 1; });
    if (needed)
      kept.push_back(k);
    else
      for_each(columns[k].cover, words, [&](std::size_t i) { --times[i]; });
  }
  chosen = std::move(kept);
}

}  // namespace laconic
