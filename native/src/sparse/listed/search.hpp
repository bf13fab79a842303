// Exact search over an explicit list of rules.
#pragma once

#include <map>

#include "sparse/listed/dual.hpp"

namespace laconic {

struct Incumbent {
  Weight cost = 0;
  std::vector<std::uint32_t> rules;  // pool numbers
};

// How much a rule is used, and how much of that each positive group claims.
struct RuleUse {
  float use;
  std::vector<float> claims;
};

std::vector<std::uint32_t> ids_of(const std::vector<ListRule>& rules);
// Of a list of rules, from what is known by id.
Primal primal_of(const std::vector<std::uint32_t>& ids, const std::map<std::uint32_t, RuleUse>& known);

// An ascent so far, on the groups it was made on, and how the groups of a problem descend from them.
struct Past {
  ListProblem groups;  // weights only
  Dual dual;           // none: nothing is known
  std::map<std::uint32_t, RuleUse> primal;  // of the rules in use, by id
  Lineage lineage;
};

// A search that can be stopped and resumed.
class ListSearch {
 public:
  // A new problem; `past` is where the ascent begins. With must_choose the empty set is not admitted.
  void begin(ListProblem problem, bool must_choose, Past past);
  bool is_open() const { return !open_.empty(); }

  // Works until the problem is solved or told to stop. `best` holds a valid solution on entry (its cost is the value
  // to beat) and the best one on return. Returns a valid lower bound on the cost (at most best.cost).
  Weight advance(Incumbent& best, Control& control);

  std::uint64_t n_nodes = 0;
  std::uint64_t n_iterations = 0;

 private:
  // The sets that contain the chosen rules and others of the problem only.
  struct Node {
    ListProblem problem;
    Past past;
    std::vector<std::uint32_t> chosen;
    bool must_choose;
    Weight bound;
    bool is_root = false;
  };
  enum class Outcome { closed, branch, stopped };
  Outcome process(Node& node, Incumbent& best, Control& control);
  static Node split(Node& node);

  std::vector<Node> open_;  // a stack
};

// Greedy adding, then adding, dropping and exchanging single rules while that helps.
// `start` and the result are indices into problem.rules.
std::vector<std::uint32_t> local_search(const ListProblem& problem, std::vector<std::uint32_t> start,
                                        const std::vector<std::uint32_t>& candidates, bool must_choose,
                                        Control& control);

}  // namespace laconic
