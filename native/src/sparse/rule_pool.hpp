// Rules of one class with their covers, stored flat.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sparse/class_instance.hpp"

namespace laconic {

class RulePool {
 public:
  explicit RulePool(const ClassInstance& instance) : in_(&instance) { start_.push_back(0); }

  std::size_t size() const { return price_.size(); }
  const Word* pos(std::size_t r) const { return pos_.data() + r * in_->pos.n_words; }
  const Word* neg(std::size_t r) const { return neg_.data() + r * in_->neg.n_words; }
  Weight price(std::size_t r) const { return price_[r]; }
  const std::uint16_t* body(std::size_t r) const { return body_.data() + start_[r]; }
  std::size_t length(std::size_t r) const { return start_[r + 1] - start_[r]; }

  void add(const std::vector<std::uint16_t>& body, const Word* pos, const Word* neg) {
    body_.insert(body_.end(), body.begin(), body.end());
    start_.push_back(body_.size());
    pos_.insert(pos_.end(), pos, pos + in_->pos.n_words);
    neg_.insert(neg_.end(), neg, neg + in_->neg.n_words);
    price_.push_back(in_->price(body.size()));
  }
  // Covers are computed from the body.
  void add(const std::vector<std::uint16_t>& body) {
    std::vector<Word> pos(in_->pos.n_words), neg(in_->neg.n_words);
    cover_of(body, pos.data(), neg.data());
    add(body, pos.data(), neg.data());
  }
  void cover_of(const std::vector<std::uint16_t>& body, Word* pos, Word* neg) const {
    fill_all(pos, in_->pos.n_rows, in_->pos.n_words);
    fill_all(neg, in_->neg.n_rows, in_->neg.n_words);
    for (auto l : body) {
      assign_and(pos, pos, in_->pos_of(l), in_->pos.n_words);
      assign_and(neg, neg, in_->neg_of(l), in_->neg.n_words);
    }
  }
  std::size_t bytes() const { return 8 * (pos_.size() + neg_.size()) + 2 * body_.size() + 16 * price_.size(); }

 private:
  const ClassInstance* in_;
  std::vector<std::size_t> start_;
  std::vector<std::uint16_t> body_;
  std::vector<Word> pos_, neg_;
  std::vector<Weight> price_;
};

}  // namespace laconic
