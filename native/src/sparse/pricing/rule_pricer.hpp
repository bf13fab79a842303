// Exact pricing: finds every rule that violates a dual by search instead of by listing.
#pragma once

#include <atomic>
#include <limits>

#include "base/control.hpp"
#include "sparse/pricing/pass_forecast.hpp"
#include "sparse/pricing/row_dual.hpp"
#include "sparse/rule_pool.hpp"

namespace laconic {

struct ViolatedRule {
  std::vector<std::uint16_t> body;
  double value;  // sum of (price - blame)+ minus the rule's price, scaled; an integer
};

constexpr auto kAnyNodes = std::numeric_limits<std::uint64_t>::max();
constexpr auto kAnyWidth = std::numeric_limits<std::size_t>::max();

struct PricingLimits {
  std::size_t found = std::numeric_limits<std::size_t>::max();
  std::uint64_t nodes = kAnyNodes;
  std::size_t width = kAnyWidth;  // number of literals tried first; half as many at each further one
  // Null: one search, in which each rule sees the prices lowered so far. Otherwise the parts are searched separately,
  // on this number of threads, which may grow.
  const std::atomic<std::size_t>* threads = nullptr;
  const PassPlan* plan = nullptr;  // of a search in parts, if it has one
};

struct Pricing {
  bool complete = false;  // false: stopped by the clock or a limit
  std::vector<ViolatedRule> found;
  std::uint64_t n_nodes = 0;
  std::vector<std::uint64_t> part_nodes;  // of a complete search in parts, by first literal
  double reckoned_s = 0;                  // estimated total seconds of a search with a plan; zero: not known yet
};

// Finds the rules with value > 0. With `repair`, prices are lowered on the way so that at the end
// (if complete) the dual is feasible for every rule.
Pricing price_rules(const ClassInstance& instance, RowDual& dual, bool repair, const PricingLimits& limits,
                    Control& control);

// For a feasible dual: all rules with value > -slack (scaled), as far as they can matter.
Pricing enumerate_rules(const ClassInstance& instance, RowDual& dual, Weight slack, const PricingLimits& limits,
                        Control& control);

}  // namespace laconic
