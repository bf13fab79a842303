// Rules that can be in a set whose cost is known not to exceed a limit, without those that cannot matter removed.
#pragma once

#include <vector>

#include "base/control.hpp"
#include "sparse/pricing/rule_pricer.hpp"
#include "sparse/rule_pool.hpp"

namespace laconic {

struct ListingRequest {
  Weight max_cost = 0;          // of a set, net of what is paid whatever is decided
  Weight min_alone = 1;         // negatives that each literal of a rule must exclude alone
  std::vector<Weight> min_pos;  // positives that a rule must cover, by number of literals, never falling; no
                                // rule has as many literals as this has entries
  bool exchange = false;        // leave out rules with a literal that another can replace at no loss
  std::size_t cap = 0;          // at most so many rules
};

// The blame of a set of negatives, per unit of weight of each positive group, scaled.
class BlameTable {
 public:
  BlameTable(const ClassInstance& instance, const RowDual& dual) : in_(instance), dual_(dual) {}
  void blame_of(const Word* negatives, std::vector<Weight>& per_group) const;
  // What the dual pays for positive i if these negatives are covered with it.
  Weight value(std::size_t i, const std::vector<Weight>& per_group) const {
    const auto g = dual_.pos_group[i];
    const Weight left = dual_.y[i] - (g == kNoGroup ? 0 : in_.pos.weight[i] * per_group[g]);
    return left > 0 ? left : 0;
  }

 private:
  const ClassInstance& in_;
  const RowDual& dual_;
};

// Adds every rule that fits the request to the pool; false if stopped by the clock or the cap. `dual` is feasible
// for every rule, on the instance's rows.
bool list_near_rules(const ClassInstance& instance, const RowDual& dual, const ListingRequest& request,
                     Control& control, RulePool& pool);

}  // namespace laconic
