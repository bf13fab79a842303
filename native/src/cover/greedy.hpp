#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "cover/column.hpp"

namespace laconic {

// A small generator with the same numbers on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }

 private:
  std::uint64_t state_;
};

// Grows consistent rules around a positive.
class RuleGrower {
 public:
  explicit RuleGrower(const CoverInstance& instance);

  // A prime rule that covers the seed and little else that is negative, heavy in `weight` (one per positive,
  // or null for one each) among the `wanted`. noise > 0 perturbs the choices.
  Literals grow(std::size_t seed, const double* weight, const Word* wanted, double noise, Random& random);

  // Drops literals that the rule can do without, those first whose loss gains the most positives.
  void make_prime(Literals& literals, const double* weight, const Word* wanted);

 private:
  const CoverInstance& instance_;
  std::vector<Word> pos_, neg_;
  std::vector<std::size_t> pos_active_, active_;  // words that are not empty
};

// Adds columns (indices into the pool) to `chosen` that cover every positive. False if the control stopped it: then what
// is left is covered by the columns of a cover that is known already or, without one, by a tree at once.
bool greedy_cover(const CoverInstance& instance, RuleGrower& grower, ColumnPool& pool, double noise, Random& random,
                  Control& control, const std::vector<std::size_t>& known, std::vector<std::size_t>& chosen);

}  // namespace laconic
