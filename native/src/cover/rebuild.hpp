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

// Improves covers by removing rules and growing others in their place.
class CoverRebuilder {
 public:
  // Above `most_columns`, only the columns of the best cover are kept.
  explicit CoverRebuilder(const CoverInstance& instance, std::size_t most_columns);

  // Runs `rounds` rounds from a cover by columns of the pool, unless it reaches the cost `stop_at` before or the
  // control stops it. Returns the best cover found; its columns are added to the pool.
  std::vector<std::size_t> run(ColumnPool& pool, const std::vector<std::size_t>& start, Cost stop_at,
                               std::uint64_t rounds, Random& random, Control& control);

 private:
  struct Candidate {
    double worth;  // newly covered positives per cost, when last computed
    std::size_t column;
    bool operator<(const Candidate& other) const {
      return worth != other.worth ? worth < other.worth : column > other.column;
    }
  };

  // Returns a cover without the rules that cover the fewest positives alone per cost, with some randomness.
  std::vector<std::size_t> thinned(const std::vector<std::size_t>& cover, Random& random) const;
  // Covers the rows that a thinned cover leaves uncovered; returns false if stopped.
  bool fill(std::vector<std::size_t>& cover, Random& random, Control& control);
  double worth(std::size_t column) const;
  void grow(Random& random);

  const CoverInstance& in_;
  Conqueror conqueror_;
  RulePruner pruner_;
  const std::size_t most_columns_;
  ColumnPool columns_;       // a local pool, because most of these columns are useless to the caller
  std::size_t learned_ = 0;  // number of the caller's columns that are in it
  std::vector<Word> left_;
  std::priority_queue<Candidate> candidates_;
};

}  // namespace laconic
