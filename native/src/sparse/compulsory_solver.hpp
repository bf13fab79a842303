// One class that must have a rule (`every_class`): the sparse problem without the empty set.
#pragma once

#include <memory>

#include "sparse/solver.hpp"

namespace laconic {

class CompulsorySolver {
 public:
  explicit CompulsorySolver(const ClassInstance& instance);

  bool advance(Control& control);
  void use(std::size_t threads, Control::Clock::time_point end);

  bool shares_work() const { return free_.shares_work(); }
  bool proved() const { return bound_ == cost_; }
  // Cost and bound; callable while the search is paused.
  Weight cost() const { return cost_so_far() / 2; }
  Weight bound() const;
  std::vector<std::vector<std::int32_t>> best() const { return rules_; }
  SparseCounts counts() const;

 private:
  void consider(Weight cost, std::vector<std::vector<std::int32_t>> rules);
  Weight cost_so_far() const;
  Weight cost_of(const std::vector<std::vector<std::int32_t>>& rules) const;
  void search_single(Control& control);

  const ClassInstance twice_;  // all weights and prices doubled, so that half a price is an integer
  std::size_t threads_ = 1;
  Control::Clock::time_point end_ = Control::Clock::time_point::max();
  SparseSolver free_;
  std::unique_ptr<SparseSolver> discounted_, last_;
  bool single_known_ = false;
  Weight cost_, bound_ = 0;
  std::vector<std::vector<std::int32_t>> rules_;
};

}  // namespace laconic
