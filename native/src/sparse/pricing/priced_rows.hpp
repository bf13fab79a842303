// Pricing without the rows that hardly count.
#pragma once

#include "sparse/pricing/rule_pricer.hpp"

namespace laconic {

// As price_rules with repair, but positives whose prices are next to nothing, together at most `spare` (scaled), are given
// none at all and left out of every sum. What they were blamed for falls on the others.
Pricing price_rows_that_count(const ClassInstance& instance, RowDual& dual, Weight spare, const PricingLimits& limits,
                              Control& control);

}  // namespace laconic
