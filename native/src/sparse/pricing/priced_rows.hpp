// Pricing without negligible rows and shares.
#pragma once

#include "sparse/pricing/rule_pricer.hpp"

namespace laconic {

// Amounts that may be given up.
struct Spare {
  Weight prices = 0;  // of all prices together (scaled)
  double blame = 0;   // share of each negative's blame
};

// As price_rules with repair, but positives with negligible prices get no price and are left out of every sum, and so
// are the smallest shares of blame. Their blame is moved to the other positives.
Pricing price_what_counts(const ClassInstance& instance, RowDual& dual, const Spare& spare, const PricingLimits& limits,
                          Control& control);

}  // namespace laconic
