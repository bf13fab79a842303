// Ascents of a growing list of rules, each from where the last one ended.
#pragma once

#include "sparse/listed/search.hpp"

namespace laconic {

class MasterAscent {
 public:
  // Splits its groups further, and takes these rules as the list.
  void refine(const ClassInstance& instance, const RulePool& pool, const std::vector<std::uint32_t>& rules,
              std::size_t max_pairs, Control& control);
  // Moves to new groups; stays where it is if stopped on the way.
  void regroup(const ClassInstance& instance, Grouping fresh, Control& control);
  const Grouping& grouping() const { return grouping_; }

  AscentState ascend(double target, std::size_t iterations, Control& control);

  // Where a search of rules in other groups can start from.
  Past past_for(const ClassInstance& instance, const Grouping& other) const;

 private:
  Grouping grouping_;
  Dual ascended_;
  std::map<std::uint32_t, RuleUse> primal_;  // of the rules in use, by id
};

}  // namespace laconic
