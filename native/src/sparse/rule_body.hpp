// The current rule of a depth-first search over literals, and the negatives that each of its literals excludes alone.
#pragma once

#include <cstdint>
#include <vector>

#include "sparse/class_instance.hpp"

namespace laconic {

class RuleBody {
 public:
  explicit RuleBody(const ClassInstance& instance) : in_(instance) {}

  std::size_t size() const { return literals_.size(); }
  const std::vector<std::uint16_t>& literals() const { return literals_; }
  const Word* alone(std::size_t k) const { return alone_.data() + alone_.size() - (size() - k) * in_.neg.n_words; }

  // Adds a literal to a rule over these negatives.
  void push(std::uint16_t l, const Word* neg) {
    const std::size_t wn = in_.neg.n_words, before = alone_.size() - size() * wn, now = alone_.size();
    const Word* keeps = in_.neg_of(l);
    alone_.resize(now + (size() + 1) * wn);
    for (std::size_t k = 0; k < size(); ++k)
      assign_and(alone_.data() + now + k * wn, alone_.data() + before + k * wn, keeps, wn);
    Word* own = alone_.data() + now + size() * wn;
    for (std::size_t k = 0; k < wn; ++k) own[k] = neg[k] & ~keeps[k];
    literals_.push_back(l);
  }
  void pop() {
    alone_.resize(alone_.size() - size() * in_.neg.n_words);
    literals_.pop_back();
  }

 private:
  const ClassInstance& in_;
  std::vector<std::uint16_t> literals_;
  std::vector<Word> alone_;  // one set per literal, for every rule on the current path
};

}  // namespace laconic
