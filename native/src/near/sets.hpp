// Sets of listed rules within a limit: all of them, or the cheapest one.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/control.hpp"
#include "near/rules.hpp"

namespace laconic {

struct NearSet {
  Weight cost = 0;                   // without the constant part
  Weight paid = 0;                   // likewise, and without the price of the limited amount
  std::vector<std::uint32_t> rules;  // indices into the pool, sorted
};

// A limit on rules, literals or both. The instance's prices include `price` per unit of the limited amount.
struct AmountLimit {
  std::size_t most = std::numeric_limits<std::size_t>::max();
  std::size_t per_rule = 1, per_literal = 1;
  Weight price = 0;

  std::size_t of_rule(std::size_t n_literals) const { return per_rule + per_literal * n_literals; }
};

struct SetRequest {
  Weight max_cost = 0;  // without the constant part
  bool all = true;      // find every irredundant set; otherwise the cheapest one within the limit
  AmountLimit limit;    // only if all = false
  Weight max_paid = 0;  // only if all = false: maximum cost without the price of the limited amount
  Weight step = 1;      // only if all = false: that cost is a multiple of this
  std::size_t cap = 0;  // only if all = true: maximum number of sets
};

struct SetAnswer {
  bool complete = false;      // every set within the limit was visited
  std::vector<NearSet> sets;  // if all = false: the best one, if any
  std::uint64_t n_nodes = 0;
};

// A set is irredundant if it makes more errors without any one of its rules, and without any one literal of a rule.
bool irredundant(const ClassInstance& instance, const RulePool& pool, const std::vector<std::uint32_t>& rules);

// If all = false, max_cost is max_paid + limit.price * limit.most; both are lowered whenever a set is found.
SetAnswer search_sets(const ClassInstance& instance, const RowDual& dual, const RulePool& pool,
                      const SetRequest& request, Control& control);

}  // namespace laconic
