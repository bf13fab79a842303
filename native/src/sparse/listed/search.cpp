// Branch and bound over a list of rules.
//
// At every node: ascend the dual, turn it into an integer bound, exclude every rule whose reduced cost does not fit
// between bound and incumbent, merge the rows that no remaining rule separates, and repeat while that shrinks the list;
// then branch on a rule or on a group of rows (sparse/listed/branching.cpp). The bound is nearly tight at the root on
// real tables, so the tree stays small; excluding rules does most of the work.
#include "sparse/listed/search.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace laconic {
namespace {

void consider(Weight cost, const std::vector<std::uint32_t>& rules, Incumbent& best) {
  if (cost < best.cost) best = {cost, rules};
}

// Searches for good sets among the rules that the dual favours.
void look_nearby(const ListProblem& p, const std::vector<std::uint32_t>& chosen, const ExactBound& bound,
                 const std::vector<float>& use, bool must_choose, Incumbent& best, Control& control) {
  std::vector<std::uint32_t> order(p.rules.size());
  std::iota(order.begin(), order.end(), 0u);
  const std::size_t top = std::min(order.size(), p.options->list_improve_rules);
  std::partial_sort(order.begin(), order.begin() + static_cast<long>(top), order.end(), [&](auto a, auto b) {
    return std::make_pair(bound.reduced_cost[a], a) < std::make_pair(bound.reduced_cost[b], b);
  });
  order.resize(top);
  std::vector<std::uint32_t> start;
  for (std::size_t r = 0; r < p.rules.size(); ++r)
    if (use[r] > 0.3f) start.push_back(static_cast<std::uint32_t>(r));
  for (int attempt = 0; attempt < (start.empty() ? 1 : 2); ++attempt) {
    const auto found = local_search(p, attempt ? start : std::vector<std::uint32_t>{}, order, must_choose, control);
    if (must_choose && found.empty()) continue;
    auto ids = chosen;
    for (auto r : found) ids.push_back(p.rules[r].id);
    consider(cost_of(p, found), ids, best);
  }
}

Primal carried(Primal primal, const Origins& origins) {
  for (auto& claims : primal.claim)
    if (!claims.empty()) claims = carry_claims(claims, origins);
  return primal;
}

}  // namespace

std::vector<std::uint32_t> ids_of(const std::vector<ListRule>& rules) {
  std::vector<std::uint32_t> out;
  for (const auto& rule : rules) out.push_back(rule.id);
  return out;
}

Primal primal_of(const std::vector<std::uint32_t>& ids, const std::map<std::uint32_t, RuleUse>& known) {
  Primal out{std::vector<float>(ids.size(), 0.0f), std::vector<std::vector<float>>(ids.size())};
  for (std::size_t r = 0; r < ids.size(); ++r)
    if (const auto at = known.find(ids[r]); at != known.end())
      out.use[r] = at->second.use, out.claim[r] = at->second.claims;
  return out;
}

void ListSearch::begin(ListProblem problem, bool must_choose, Past past, std::size_t max_pairs) {
  open_.clear();
  shrink(problem, std::vector<char>(problem.rules.size(), 1), past.lineage);
  const Weight bound = problem.offset;
  open_.push_back({std::move(problem), std::move(past), {}, must_choose, bound, static_cast<double>(bound), true});
  max_pairs_ = max_pairs;
  experience_ = {};
}

Weight ListSearch::advance(Incumbent& best, Control& control) {
  while (!open_.empty()) {
    const Outcome outcome = process(open_.back(), best, control);
    if (outcome == Outcome::stopped) break;
    learn_from(open_.back(), outcome == Outcome::closed, best.cost);
    if (outcome == Outcome::closed) {
      open_.pop_back();
    } else {
      Node other = split(open_.back());
      open_.push_back(std::move(other));
    }
  }
  Weight bound = best.cost;
  for (const auto& node : open_) bound = std::min(bound, node.bound);
  return bound;
}

// Bounds a node and excludes rules, repeatedly while that shrinks the list.
ListSearch::Outcome ListSearch::process(Node& node, Incumbent& best, Control& control) {
  ++n_nodes;
  ListProblem& p = node.problem;
  Past& past = node.past;
  int idle = 0;
  for (int round = 0;; ++round) {
    if (control.check_now()) return Outcome::stopped;
    if (p.rules.empty()) {
      Weight rest = p.offset;
      for (auto w : p.pos_weight) rest += w;
      if (!node.must_choose) consider(rest, node.chosen, best);
      return Outcome::closed;
    }
    // Many groups are merged for the bound; the rules do not change.
    std::optional<Grouping> merged;
    Lineage lineage = past.lineage;
    AscentState state;
    // A copy, because a search that is stopped below restarts this round.
    state.primal = primal_of(ids_of(p.rules), past.primal);
    if (p.n_pos() * p.n_neg() > max_pairs_) {
      merged = merge_groups(p, carried(state.primal, lineage.pos), max_pairs_, control);
      if (control.stopped()) return Outcome::stopped;
      merge_origins(lineage.pos, merged->pos_group, merged->problem.n_pos());
      merge_origins(lineage.neg, merged->neg_group, merged->problem.n_neg());
    }
    const ListProblem& q = merged ? merged->problem : p;
    state.primal = carried(std::move(state.primal), lineage.pos);
    Dual dual = past.dual.y.empty() ? initial_dual(q) : carry_dual(past.groups, past.dual, lineage, q, control);
    ascend(q, dual, static_cast<double>(best.cost), p.options->list_steps, state, control);
    n_iterations += state.iterations;
    if (control.check_now()) return Outcome::stopped;
    ExactBound bound = std::move(state.bound);
    // With must_choose the reduced cost of at least one rule is paid.
    const Weight must_pay =
        node.must_choose ? *std::min_element(bound.reduced_cost.begin(), bound.reduced_cost.end()) : 0;
    bound.bound += must_pay;
    node.bound = std::max(node.bound, bound.rounded());
    node.value = static_cast<double>(bound.bound) / static_cast<double>(bound.scale);
    if (bound.rounded() >= best.cost) return Outcome::closed;
    if (node.is_root || round == 0) {
      look_nearby(p, node.chosen, bound, state.primal.use, node.must_choose, best, control);
      if (bound.rounded() >= best.cost) return Outcome::closed;
    }
    // Exclude rules that are in no better set. Any set costs at least the bound without the must_choose term plus the
    // reduced costs of its rules.
    const Weight limit = (best.cost - 1) * bound.scale - (bound.bound - must_pay);
    std::vector<char> keep(p.rules.size(), 0);
    for (std::size_t r = 0; r < p.rules.size(); ++r) keep[r] = bound.reduced_cost[r] <= limit;
    const std::size_t before = p.rules.size();
    past.groups.pos_weight = q.pos_weight;
    past.groups.neg_weight = q.neg_weight;
    past.dual = std::move(dual);
    past.lineage = own_lineage(p);
    if (merged) {
      for (std::size_t g = 0; g < p.n_pos(); ++g) past.lineage.pos[g][0].first = merged->pos_group[g];
      for (std::size_t h = 0; h < p.n_neg(); ++h) past.lineage.neg[h][0].first = merged->neg_group[h];
    }
    past.primal.clear();
    for (std::size_t r = 0; r < p.rules.size(); ++r)
      if (state.primal.use[r] > 0) past.primal[p.rules[r].id] = {state.primal.use[r], std::move(state.primal.claim[r])};
    shrink(p, keep, past.lineage);
    idle = p.rules.size() * 20 <= before * 19 ? 0 : idle + 1;
    if (!p.rules.empty() &&
        (idle > (node.is_root ? p.options->list_root_patience : 0) || round >= p.options->list_rounds))
      return Outcome::branch;
  }
}

void ListSearch::learn_from(const Node& node, bool is_closed, Weight best_cost) {
  if (!node.answer) return;
  const double missing = static_cast<double>(best_cost - 1) - node.parent_value;
  const bool all = is_closed || missing <= 0;
  experience_.learn(node.answer->first, node.answer->second, all ? 1 : (node.value - node.parent_value) / missing);
}

// Branches: keeps the sets that answer no in the node, and returns those that answer yes.
ListSearch::Node ListSearch::split(Node& node) {
  const Question question =
      most_undecided(node.problem, node.past.primal, node.past.lineage.pos, experience_.order(*node.problem.options));
  node.is_root = false;
  node.parent_value = node.value;
  node.answer = {question.ask, true};
  Node yes;
  if (question.ask == Ask::rule) {
    yes = {{},          {node.past.groups, node.past.dual, node.past.primal, {}},
           node.chosen, false,
           node.bound,  node.value,
           false,       node.value,
           node.answer};
    yes.problem = choose_rule(node.problem, question.index, node.past.lineage, yes.past.lineage);
    yes.chosen.push_back(node.problem.rules[question.index].id);
  } else {
    yes = node;
    restrict_to(yes.problem, question, true, yes.past.lineage);
  }
  node.answer->second = false;
  restrict_to(node.problem, question, false, node.past.lineage);
  return yes;
}

}  // namespace laconic
