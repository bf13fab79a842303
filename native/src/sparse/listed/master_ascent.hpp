// Ascents of a growing list of rules; each starts from the end of the previous one.
#pragma once

#include "sparse/listed/search.hpp"

namespace laconic {

class MasterAscent {
 public:
  // Splits the groups further, and takes these rules as the list.
  void refine(const ClassInstance& instance, const RulePool& pool, const std::vector<std::uint32_t>& rules,
              std::size_t max_pairs, Control& control);
  // Moves to new groups; nothing changes if stopped on the way.
  void regroup(const ClassInstance& instance, Grouping fresh, Control& control);
  const Grouping& grouping() const { return grouping_; }

  AscentState ascend(double target, std::size_t iterations, Control& control);

  // Returns a start for a search over rules in other groups.
  Past past_for(const ClassInstance& instance, const Grouping& other) const;

 private:
  Grouping grouping_;
  Dual ascended_;
  std::map<std::uint32_t, RuleUse> primal_;  // of the rules in use, by id
};

}  // namespace laconic
