// One class, sparse objective: the whole search.
#pragma once

#include <functional>

#include "class_instance.hpp"
#include "control.hpp"

namespace laconic {

struct SparseResult {
  Weight cost = 0, bound = 0;                        // constant included
  std::vector<std::vector<std::int32_t>> rules;      // table literal numbers
  std::uint64_t n_candidates = 0, n_nodes = 0, n_iterations = 0, n_pricings = 0;
};

// report(cost, bound) is called whenever either improves. With must_choose at least one rule is kept.
SparseResult solve_sparse(const ClassInstance& instance, bool must_choose, Control& control,
                          const std::function<void(Weight, Weight)>& report);

}  // namespace laconic
