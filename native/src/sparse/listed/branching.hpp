// What to branch on: is this rule chosen, is this group covered?
#pragma once

#include <array>
#include <map>
#include <optional>

#include "sparse/listed/dual.hpp"

namespace laconic {

enum class Ask { rule, positive, negative };
constexpr std::array<Ask, 3> kAsks{Ask::rule, Ask::positive, Ask::negative};

struct Question {
  Ask ask;
  std::size_t index;  // of the rule, or of the group
};

// How much a rule is used, and how much of that each positive group claims.
struct RuleUse {
  float use;
  std::vector<float> claims;
};

// By how much of what was missing each kind of question has raised the bound so far.
class Experience {
 public:
  void learn(Ask ask, bool answer, double gain);
  // The kinds, those with the smallest trees first. Each is tried a few times before it is judged.
  std::array<Ask, 3> order(const Options& options) const;

 private:
  struct Gains {
    double sum = 0;
    int n = 0;
  };
  std::array<std::array<Gains, 2>, 3> gains_{};
};

// The question about which the relaxation is most undecided, of the first kind that has one. `primal` holds the rules
// in use by id, with claims by the groups that those of the problem descend from.
Question most_undecided(const ListProblem& problem, const std::map<std::uint32_t, RuleUse>& primal,
                        const Origins& origins, const std::array<Ask, 3>& order);

// Leaves the sets that answer so, except where a rule is chosen (choose_rule). In the problem that is left other sets
// may cost more than they do, never less.
void restrict_to(ListProblem& problem, const Question& question, bool answer, Lineage& lineage);

}  // namespace laconic
