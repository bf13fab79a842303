#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "cover/columns.hpp"
#include "cover/seed.hpp"

namespace laconic {

// A request for rules whose value, y(positives covered) - scale * price, exceeds a threshold.
struct PricingRequest {
  const std::int64_t* y = nullptr;  // one per positive, non-negative, in units of 1/scale
  std::int64_t scale = 1;
  std::int64_t threshold = 0;
  std::size_t max_columns = 64;   // stop after this number of columns
  std::size_t keep_per_seed = 0;  // maximum number of rules kept per seed, the best ones; 0: all
  bool unpriced_too = false;      // also search positives without a price, which a negative threshold needs
  std::uint64_t max_nodes = ~std::uint64_t{0}, max_nodes_per_seed = ~std::uint64_t{0};
};

struct PricingAnswer {
  PricedRules found;            // best first if their number is limited, else in the order of discovery
  bool exhausted = false;       // every positive was searched completely
  std::vector<std::int64_t> y;  // lowered prices that overpay no rule (for thresholds of zero)
  std::uint64_t nodes = 0;

  explicit PricingAnswer(std::size_t words) : found(words) {}
};

class RulePricer {
 public:
  explicit RulePricer(const CoverInstance& instance);
  PricingAnswer price(const PricingRequest& request, Control& control);

 private:
  const CoverInstance& instance_;
  SeedSearch search_;
};

}  // namespace laconic
