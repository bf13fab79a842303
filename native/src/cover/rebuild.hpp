#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "base/control.hpp"
#include "base/random.hpp"
#include "cover/column_pool.hpp"
#include "cover/conquer.hpp"
#include "cover/prune.hpp"

namespace laconic {

// Better covers by taking rules out and growing others in their place.
class CoverRebuilder {
 public:
  // Of more columns only those of the best cover are kept.
  explicit CoverRebuilder(const CoverInstance& instance, std::size_t most_columns);

  // So many rounds from a cover by columns of the pool, unless it costs `stop_at` before or the control stops it.
  // Returns the best cover met; its columns are added to the pool.
  std::vector<std::size_t> run(ColumnPool& pool, const std::vector<std::size_t>& start, Cost stop_at,
                               std::uint64_t rounds, Random& random, Control& control);

 private:
  struct Candidate {
    double worth;  // positives newly covered per cost, when last looked at
    std::size_t column;
    bool operator<(const Candidate& other) const {
      return worth != other.worth ? worth < other.worth : column > other.column;
    }
  };

  // Without the rules that cover the fewest positives alone for what they cost, give or take chance.
  std::vector<std::size_t> thinned(const std::vector<std::size_t>& cover, Random& random) const;
  // Covers what a thinned cover leaves; false if stopped.
  bool fill(std::vector<std::size_t>& cover, Random& random, Control& control);
  double worth(std::size_t column) const;
  void grow(Random& random);

  const CoverInstance& in_;
  Conqueror conqueror_;
  RulePruner pruner_;
  const std::size_t most_columns_;
  ColumnPool columns_;       // more than are worth keeping for anything else
  std::size_t learned_ = 0;  // of the caller's pool
  std::vector<Word> left_;
  std::priority_queue<Candidate> candidates_;
};

}  // namespace laconic
