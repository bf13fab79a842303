#include "sparse/listed/master_ascent.hpp"

namespace laconic {

void MasterAscent::refine(const ClassInstance& instance, const RulePool& pool, const std::vector<std::uint32_t>& rules,
                          std::size_t max_pairs, Control& control) {
  regroup(instance, refine_groups(instance, pool, rules, grouping_, primal_of(rules, primal_), max_pairs, control),
          control);
}

void MasterAscent::regroup(const ClassInstance& instance, Grouping fresh, Control& control) {
  if (control.stopped()) return;
  Dual carried = carry_dual(instance, grouping_, ascended_, fresh, control);
  if (control.stopped()) return;
  ascended_ = std::move(carried);
  if (!primal_.empty()) {
    const Origins origins = lineage_between(instance, grouping_, fresh).pos;
    for (auto& item : primal_) item.second.claims = carry_claims(item.second.claims, origins);
  }
  grouping_ = std::move(fresh);
}

AscentState MasterAscent::ascend(double target, std::size_t iterations, Control& control) {
  const auto& rules = grouping_.problem.rules;
  AscentState state;
  state.primal = primal_of(ids_of(rules), primal_);
  laconic::ascend(grouping_.problem, ascended_, target, iterations, state, control);
  primal_.clear();
  for (std::size_t r = 0; r < rules.size(); ++r)
    if (state.primal.use[r] > 0) primal_[rules[r].id] = {state.primal.use[r], state.primal.claim[r]};
  return state;
}

Past MasterAscent::past_for(const ClassInstance& instance, const Grouping& other) const {
  if (grouping_.pos_group.empty()) return {};
  Past past;
  past.groups.pos_weight = grouping_.problem.pos_weight;
  past.groups.neg_weight = grouping_.problem.neg_weight;
  past.dual = ascended_;
  past.primal = primal_;
  past.lineage = lineage_between(instance, grouping_, other);
  return past;
}

}  // namespace laconic
