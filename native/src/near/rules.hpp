// Rules that can be in a set whose cost does not exceed a limit.
#pragma once

#include <vector>

#include "base/control.hpp"
#include "sparse/pricing/rule_pricer.hpp"
#include "sparse/rule_pool.hpp"

namespace laconic {

struct ListingRequest {
  Weight max_cost = 0;          // of a set, without the constant part of the cost
  Weight min_alone = 1;         // weight of negatives that each literal of a rule must exclude alone
  std::vector<Weight> min_pos;  // minimum number of positives that a rule covers, by its number of literals;
                                // never decreasing. Its length limits the number of literals.
  bool exchange = false;        // leave out rules with a literal that another one can replace at no loss
  std::size_t cap = 0;          // maximum number of rules
};

// The blame of a set of negatives, per unit of weight of each positive group, scaled.
class BlameTable {
 public:
  BlameTable(const ClassInstance& instance, const RowDual& dual) : in_(instance), dual_(dual) {}
  void blame_of(const Word* negatives, std::vector<Weight>& per_group) const;
  // Value of positive i to a rule that also covers these negatives.
  Weight value(std::size_t i, const std::vector<Weight>& per_group) const {
    const auto g = dual_.pos_group[i];
    const Weight left = dual_.y[i] - (g == kNoGroup ? 0 : in_.pos.weight[i] * per_group[g]);
    return left > 0 ? left : 0;
  }

 private:
  const ClassInstance& in_;
  const RowDual& dual_;
};

// Adds every rule that fits the request to the pool; returns false if the clock or the cap stopped it. `dual` is
// feasible for every rule on the rows of the instance.
bool list_near_rules(const ClassInstance& instance, const RowDual& dual, const ListingRequest& request,
                     Control& control, RulePool& pool);

}  // namespace laconic
