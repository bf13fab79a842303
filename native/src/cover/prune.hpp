#pragma once

#include <vector>

#include "cover/columns.hpp"

namespace laconic {

// Drops literals that a consistent rule can do without, those first whose loss gains the most of `wanted`.
class RulePruner {
 public:
  explicit RulePruner(const CoverInstance& instance) : in_(instance) {}

  // weight: one per positive, or null for one each.
  void prune(Literals& literals, const double* weight, const Word* wanted);

 private:
  const CoverInstance& in_;
  std::vector<Word> before_, pos_, neg_;
};

}  // namespace laconic
