// Exact search over an explicit list of rules.
#pragma once

#include "list_dual.hpp"

namespace laconic {

struct Incumbent {
  Weight cost = 0;
  std::vector<std::uint32_t> rules;  // pool numbers
};

struct ListSearch {
  // Solves `problem` exactly unless stopped. `best` holds a valid solution on entry (its cost
  // is the value to beat) and the best one on return. With must_choose the empty set is not
  // admitted. Returns a valid lower bound on the cost (at most best.cost).
  Weight solve(ListProblem problem, bool must_choose, Incumbent& best, Control& control);

  std::uint64_t n_nodes = 0;
  std::uint64_t n_iterations = 0;

 private:
  // The last dual, on the groups it was found for, and how the problem's groups descend from them.
  struct Past {
    ListProblem groups;  // weights only
    Dual dual;
    Lineage lineage;
  };
  bool search(ListProblem problem, Past past, std::vector<std::uint32_t>& chosen, bool must_choose, int depth);
  void consider(Weight cost, const std::vector<std::uint32_t>& chosen);

  Incumbent* best_ = nullptr;
  Control* control_ = nullptr;
  Weight root_bound_ = 0;
};

// Greedy adding, then adding, dropping and exchanging single rules while that helps.
// `start` and the result are indices into problem.rules.
std::vector<std::uint32_t> local_search(const ListProblem& problem, std::vector<std::uint32_t> start,
                                        const std::vector<std::uint32_t>& candidates, bool must_choose,
                                        Control& control);

}  // namespace laconic
