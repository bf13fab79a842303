// The choice of a branch: is this rule chosen, is this group covered?
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

// The use of a rule, and the part of it that each positive group claims.
struct RuleUse {
  float use;
  std::vector<float> claims;
};

// The share of the gap that each kind of question has closed so far.
class Experience {
 public:
  void learn(Ask ask, bool answer, double gain);
  // Returns the kinds, those with the smallest trees first. Each is tried a few times before it is judged.
  std::array<Ask, 3> order(const Options& options) const;

 private:
  struct Gains {
    double sum = 0;
    int n = 0;
  };
  std::array<std::array<Gains, 2>, 3> gains_{};
};

// Returns the most undecided question of the relaxation, of the first kind that has one. `primal` holds the rules in
// use by id, with claims by the groups from which those of the problem descend.
Question most_undecided(const ListProblem& problem, const std::map<std::uint32_t, RuleUse>& primal,
                        const Origins& origins, const std::array<Ask, 3>& order);

// Restricts the problem to the sets that give the answer, except where a rule is chosen (choose_rule). Other sets may
// cost more in the restricted problem, but never less.
void restrict_to(ListProblem& problem, const Question& question, bool answer, Lineage& lineage);

}  // namespace laconic
