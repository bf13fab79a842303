#pragma once

#include <vector>

#include "base/random.hpp"
#include "cover/prune.hpp"

namespace laconic {

// Grows consistent rules around a positive.
class RuleGrower {
 public:
  explicit RuleGrower(const CoverInstance& instance);

  // Returns a prime rule that covers the seed and has a large `weight` (one per positive) over the `wanted`. noise > 0
  // perturbs the choices.
  Literals grow(std::size_t seed, const double* weight, const Word* wanted, double noise, Random& random);

 private:
  const CoverInstance& instance_;
  RulePruner pruner_;
  std::vector<Word> pos_, neg_;
  std::vector<std::size_t> pos_active_, active_;  // words that are not empty
};

}  // namespace laconic
