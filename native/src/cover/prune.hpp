#pragma once

#include <vector>

#include "cover/columns.hpp"

namespace laconic {

// Drops unneeded literals of a consistent rule, first those whose loss gains the most of `wanted`.
class RulePruner {
 public:
  explicit RulePruner(const CoverInstance& instance) : in_(instance) {}

  // `weight` has one entry per positive; null means one each.
  void prune(Literals& literals, const double* weight, const Word* wanted);

 private:
  const CoverInstance& in_;
  std::vector<Word> before_, pos_, neg_;
};

}  // namespace laconic
