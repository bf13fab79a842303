// Chains of literals: runs of which each implies the next or is implied by it, such as the thresholds of a column.
//
// A rule with two literals of a chain covers what it covers without the weaker one, so a rule that matters holds at
// most one. Bounds that add over literals take the best of each chain. On the rows of a rule, nested literals that keep
// the same weight keep the same rows, so two numbers per literal tell which of a chain are dominated there: between a
// row of the class and the next row outside it, all but one.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sparse/class_instance.hpp"

namespace laconic {

constexpr auto kNoChain = std::numeric_limits<std::uint32_t>::max();

// Sets the chain of each literal of an instance, by the rows that literals cover.
void find_chains(ClassInstance& instance);

// Drops literals that another one of the same chain dominates: one that keeps their positives and excludes their
// negatives. Of the thresholds of a column, this leaves those between a value of the class and a value of another.
void drop_dominated_in_chains(ClassInstance& instance);

// What a literal does to a rule: the weight of the positives that it keeps and of the negatives that it excludes.
struct Effect {
  std::uint16_t literal;
  Weight kept, excluded;
};

// A value per chain that is forgotten at once.
class ChainMarks {
 public:
  explicit ChainMarks(const ClassInstance& instance) : in_(instance), at_(instance.n_chains, {0, 0}) {}

  void clear() { ++now_; }
  bool has(std::uint16_t l) const { return at_[in_.chain[l]].since == now_; }
  std::uint32_t value(std::uint16_t l) const { return at_[in_.chain[l]].value; }
  void set(std::uint16_t l, std::uint32_t value = 0) { at_[in_.chain[l]] = {now_, value}; }
  // Whether no literal of the chain was marked before.
  bool mark(std::uint16_t l) {
    const bool first = !has(l);
    if (first) set(l);
    return first;
  }

 private:
  struct Mark {
    std::uint64_t since;
    std::uint32_t value;
  };
  const ClassInstance& in_;
  std::vector<Mark> at_;
  std::uint64_t now_ = 1;
};

// Of literals in increasing order, drops those that one of the same chain dominates on the rows of a rule; of two with
// the same effect the first stays. Clears the marks.
void drop_dominated_in_chains(std::vector<Effect>& effects, ChainMarks& marks);

}  // namespace laconic
