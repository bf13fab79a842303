// Exact search over an explicit list of rules.
#pragma once

#include "sparse/listed/branching.hpp"

namespace laconic {

struct Incumbent {
  Weight cost = 0;
  std::vector<std::uint32_t> rules;  // pool numbers
};

std::vector<std::uint32_t> ids_of(const std::vector<ListRule>& rules);
// Of a list of rules, from what is known by id.
Primal primal_of(const std::vector<std::uint32_t>& ids, const std::map<std::uint32_t, RuleUse>& known);

// An ascent so far, on the groups it was made on, and how the groups of a problem descend from them.
struct Past {
  ListProblem groups;                       // weights only
  Dual dual;                                // none: nothing is known
  std::map<std::uint32_t, RuleUse> primal;  // of the rules in use, by id
  Lineage lineage;
};

// A search that can be stopped and resumed.
class ListSearch {
 public:
  // A new problem; `past` is where the ascent begins. With must_choose the empty set is not admitted. The bound is
  // taken on at most max_pairs pairs of a positive and a negative group.
  void begin(ListProblem problem, bool must_choose, Past past, std::size_t max_pairs);
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
    double value = 0;  // the last bound, before rounding
    bool is_root = false;
    // How it came about: its parent, with the question that this node answers.
    double parent_value = 0;
    std::optional<std::pair<Ask, bool>> answer{};
  };
  enum class Outcome { closed, branch, stopped };
  Outcome process(Node& node, Incumbent& best, Control& control);
  void learn_from(const Node& node, bool is_closed, Weight best_cost);
  Node split(Node& node);

  std::vector<Node> open_;  // a stack
  std::size_t max_pairs_ = 0;
  Experience experience_;
};

// Greedy adding, then adding, dropping and exchanging single rules while that helps.
// `start` and the result are indices into problem.rules.
std::vector<std::uint32_t> local_search(const ListProblem& problem, std::vector<std::uint32_t> start,
                                        const std::vector<std::uint32_t>& candidates, bool must_choose,
                                        Control& control);

}  // namespace laconic
