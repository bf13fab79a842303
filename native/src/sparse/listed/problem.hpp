// The sparse problem over an explicit list of rules, with merged rows.
//
// Rows that the same rules cover are interchangeable, so they become one group with the sum of their weights. Groups
// merge again whenever rules are excluded; this keeps the blame matrix (groups x groups) small on tables of 50,000
// rows.
#pragma once

#include <cstdint>
#include <vector>

#include "sparse/rule_pool.hpp"

namespace laconic {

struct ListRule {
  std::vector<std::uint32_t> pos, neg;     // groups covered
  std::vector<Weight> pos_part, neg_part;  // covered part of each group's weight; empty: all of it
  Weight price = 0;
  std::uint32_t id = 0;  // number in the pool
};

// Prices per positive group and shares of blame per (negative group, positive group), negative-major, so that the
// projected columns are contiguous.
struct Dual {
  std::vector<double> y;
  std::vector<float> mu;  // single precision: the ascent is bound by memory, and proves nothing by itself
};

// The primal variables of the relaxation: the use of each rule, and the part of it that each positive group claims.
struct Primal {
  std::vector<float> use;
  std::vector<std::vector<float>> claim;  // per rule in use: per positive group
};

struct ListProblem {
  std::vector<Weight> pos_weight, neg_weight;
  std::vector<char> must_cover;  // per positive group; empty: none
  std::vector<ListRule> rules;
  std::size_t undominated = static_cast<std::size_t>(-1) / 8;  // number of rules when dominated ones were last dropped
  SharedOptions options = default_options();
  Weight offset = 0;  // cost already decided: chosen rules, their negatives, positives no rule covers

  std::size_t n_pos() const { return pos_weight.size(); }
  std::size_t n_neg() const { return neg_weight.size(); }
  Weight pos_weight_of(const ListRule& rule) const {
    Weight sum = 0;
    for (auto g : rule.pos) sum += pos_weight[g];
    return sum;
  }
  Weight neg_weight_of(const ListRule& rule) const {
    Weight sum = 0;
    for (auto h : rule.neg) sum += neg_weight[h];
    return sum;
  }
};

constexpr std::uint32_t kNoGroup = 0xffffffffu;

// The weight of each new group by origin: (old group, weight).
using Origins = std::vector<std::vector<std::pair<std::uint32_t, Weight>>>;
struct Lineage {
  Origins pos, neg;
};

// The lineage in which every group descends from itself.
Lineage own_lineage(const ListProblem& problem);

// Combines the origins of groups that are merged into larger groups.
void merge_origins(Origins& origins, const std::vector<std::uint32_t>& group, std::size_t n_groups);

// Removes the rules not in `keep`, then merges rows that no remaining rule separates, and drops rules that cannot pay
// for themselves and dominated ones. Updates the lineage.
void shrink(ListProblem& problem, const std::vector<char>& keep, Lineage& lineage);

// The problem after choosing rule `r`: pays for it, and removes the rows that it covers.
ListProblem choose_rule(const ListProblem& problem, std::size_t r, const Lineage& lineage, Lineage& lineage_out);

// Cost of a set of rules (indices into problem.rules).
Weight cost_of(const ListProblem& problem, const std::vector<std::uint32_t>& chosen);

}  // namespace laconic
