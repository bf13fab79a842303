// A covering problem given row by row, for certificates.
#pragma once

#include "cover/solver.hpp"

namespace laconic {

// pos, neg: literal-major covers. Every literal holds on some positive and excludes some negative.
CoverInstance cover_of_rows(const bool* pos, std::size_t n_pos, const bool* neg, std::size_t n_neg,
                            std::size_t n_literals, Cost rule_cost, Cost literal_cost);

}  // namespace laconic
