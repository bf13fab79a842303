// Pricing without what hardly counts.
#pragma once

#include "sparse/pricing/rule_pricer.hpp"

namespace laconic {

// What may be given up.
struct Spare {
  Weight prices = 0;  // of all prices together (scaled)
  double blame = 0;   // part of each negative's blame
};

// As price_rules with repair, but positives whose prices are next to nothing are given none at all and left out of
// every sum, and so are the smallest shares of blame. What they were blamed for falls on the others.
Pricing price_what_counts(const ClassInstance& instance, RowDual& dual, const Spare& spare, const PricingLimits& limits,
                          Control& control);

}  // namespace laconic
