// Exact search over an explicit list of rules.
#pragma once

#include "sparse/listed/branching.hpp"

namespace laconic {

struct Incumbent {
  Weight cost = 0;
  std::vector<std::uint32_t> rules;  // pool numbers
};

std::vector<std::uint32_t> ids_of(const std::vector<ListRule>& rules);
// Returns the primal of a list of rules, from the uses by id.
Primal primal_of(const std::vector<std::uint32_t>& ids, const std::map<std::uint32_t, RuleUse>& known);

// An earlier ascent: its groups and result, and the descent of a problem's groups from them.
struct Past {
  ListProblem groups;                       // weights only
  Dual dual;                                // empty: none
  std::map<std::uint32_t, RuleUse> primal;  // of the rules in use, by id
  Lineage lineage;
};

// A search that can be stopped and resumed.
class ListSearch {
 public:
  // Begins a new problem; the ascent starts from `past`. With must_choose the empty set is not admitted. The bound is
  // computed on at most max_pairs pairs of a positive and a negative group.
  void begin(ListProblem problem, bool must_choose, Past past, std::size_t max_pairs);
  bool is_open() const { return !open_.empty(); }

  // Runs until the problem is solved or the search is stopped. `best` holds a valid solution on entry (its cost is the
  // upper bound) and the best one on return. Returns a valid lower bound on the cost (at most best.cost).
  Weight advance(Incumbent& best, Control& control);

  std::uint64_t n_nodes = 0;
  std::uint64_t n_iterations = 0;

 private:
  // The sets that contain the chosen rules and otherwise only rules of the problem.
  struct Node {
    ListProblem problem;
    Past past;
    std::vector<std::uint32_t> chosen;
    bool must_choose;
    Weight bound;
    double value = 0;  // the last bound, before rounding
    bool is_root = false;
    // Its origin: the parent node, and the question that this node answers.
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

// Greedy adding, then adding, dropping and exchanging single rules while the cost falls. `start` and the result are
// indices into problem.rules.
std::vector<std::uint32_t> local_search(const ListProblem& problem, std::vector<std::uint32_t> start,
                                        const std::vector<std::uint32_t>& candidates, bool must_choose,
                                        Control& control);

}  // namespace laconic
