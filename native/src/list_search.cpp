// Branch and bound over a list of rules.
//
// At every node: ascend the dual, turn it into an integer bound, rule out every rule whose
// reduced cost does not fit between bound and incumbent, merge the rows that no remaining
// rule separates, repeat while that shrinks the list; then branch on the rule that the
// ascent violated most often (its value in the relaxation is near a half or more): with it
// (its rows are decided and leave the problem) and without it. The bound is nearly tight at
// the root on real tables, so the tree stays small; ruling out does most of the work.
#include "list_search.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace laconic {
namespace {

constexpr std::size_t kSteps = 100;        // of an ascent; with 40, trees were up to ten times as large
constexpr std::size_t kMaxPairs = 40'000;  // of a positive and a negative group, for the bound

}  // namespace

void ListSearch::consider(Weight cost, const std::vector<std::uint32_t>& chosen) {
  if (cost >= best_->cost) return;
  best_->cost = cost;
  best_->rules = chosen;
}

Weight ListSearch::solve(ListProblem problem, bool must_choose, Incumbent& best, Control& control) {
  best_ = &best;
  control_ = &control;
  Past past;
  shrink(problem, std::vector<char>(problem.rules.size(), 1), past.lineage);
  root_bound_ = problem.offset;
  std::vector<std::uint32_t> chosen;
  const bool finished = search(std::move(problem), std::move(past), chosen, must_choose, 0);
  return finished ? best.cost : std::min(root_bound_, best.cost);
}

bool ListSearch::search(ListProblem p, Past past, std::vector<std::uint32_t>& chosen, bool must_choose, int depth) {
  for (bool first = true;; first = false) {
    ++n_nodes;
    if (control_->check_now()) return false;
    AscentState state;
    bool closed = false;
    const bool at_root = depth == 0 && first;
    const int patience = at_root ? 4 : 0;
    int idle = 0;
    for (int round = 0;; ++round) {
      if (p.rules.empty()) {
        Weight rest = p.offset;
        for (auto w : p.pos_weight) rest += w;
        if (!must_choose) consider(rest, chosen);
        closed = true;
        break;
      }
      state.use.clear();
      state.best = -1e300;
      // Many groups are merged for the bound; the rules stay as they are.
      std::optional<Grouping> merged;
      if (p.n_pos() * p.n_neg() > kMaxPairs) merged = group_coarsely(p, kMaxPairs);
      const ListProblem& q = merged ? merged->problem : p;
      if (merged) merge_lineage(past.lineage, *merged);
      Dual dual = past.dual.y.empty() ? initial_dual(q) : carry_dual(past.groups, past.dual, past.lineage, q);
      const double target = static_cast<double>(best_->cost);
      ascend(q, dual, target, kSteps, state, *control_);
      n_iterations += state.iterations;
      state.iterations = 0;
      if (control_->check_now()) return false;
      ExactBound bound = exact_bound(q, state.best_dual);
      // With must_choose at least one rule is paid its reduced cost.
      const Weight must_pay =
          must_choose ? *std::min_element(bound.reduced_cost.begin(), bound.reduced_cost.end()) : 0;
      bound.bound += must_pay;
      if (at_root) root_bound_ = std::max(root_bound_, std::min(bound.rounded(), best_->cost));
      if (bound.rounded() >= best_->cost) {
        closed = true;
        break;
      }
      // The dual's favourites make good sets.
      if (at_root || round == 0) {
        std::vector<std::uint32_t> order(p.rules.size());
        std::iota(order.begin(), order.end(), 0u);
        const std::size_t top = std::min<std::size_t>(order.size(), 400);
        std::partial_sort(order.begin(), order.begin() + static_cast<long>(top), order.end(), [&](auto a, auto b) {
          return std::make_pair(bound.reduced_cost[a], a) < std::make_pair(bound.reduced_cost[b], b);
        });
        order.resize(top);
        std::vector<std::uint32_t> start;
        for (std::size_t r = 0; r < p.rules.size(); ++r)
          if (state.use[r] > 0.3f) start.push_back(static_cast<std::uint32_t>(r));
        for (int attempt = 0; attempt < 2; ++attempt) {
          auto found = local_search(p, attempt ? start : std::vector<std::uint32_t>{}, order, must_choose, *control_);
          if (must_choose && found.empty()) continue;
          auto ids = chosen;
          const Weight cost = cost_of(p, found);
          for (auto r : found) ids.push_back(p.rules[r].id);
          consider(cost, ids);
          if (start.empty()) break;
        }
        if (bound.rounded() >= best_->cost) {
          closed = true;
          break;
        }
      }
      // Rule out what cannot be in a better set. Any set's cost is at least the bound without the
      // must_choose term plus the reduced costs of its rules.
      const Weight limit = (best_->cost - 1) * bound.scale - (bound.bound - must_pay);
      std::vector<char> keep(p.rules.size(), 0);
      for (std::size_t r = 0; r < p.rules.size(); ++r) keep[r] = bound.reduced_cost[r] <= limit;
      const std::size_t before = p.rules.size();
      past.groups.pos_weight = q.pos_weight;
      past.groups.neg_weight = q.neg_weight;
      past.dual = std::move(state.best_dual);
      past.lineage = own_lineage(p);
      if (merged) {
        for (std::size_t g = 0; g < p.n_pos(); ++g) past.lineage.pos[g][0].first = merged->pos_group[g];
        for (std::size_t h = 0; h < p.n_neg(); ++h) past.lineage.neg[h][0].first = merged->neg_group[h];
      }
      shrink(p, keep, past.lineage);
      idle = p.rules.size() * 20 <= before * 19 ? 0 : idle + 1;
      if (idle > patience || round >= 40) break;
    }
    if (closed) return true;
    // Branch.
    std::size_t branch = 0;
    float score = -1;
    for (std::size_t r = 0; r < p.rules.size(); ++r) {
      const float use = state.use.size() == p.rules.size() ? state.use[r] : 0.0f;
      const float s = use + 1e-6f * static_cast<float>(p.pos_weight_of(p.rules[r])) /
                                static_cast<float>(1 + p.rules[r].price);
      if (s > score) score = s, branch = r;
    }
    Past child_past{past.groups, past.dual, {}};
    ListProblem child = choose_rule(p, branch, past.lineage, child_past.lineage);
    chosen.push_back(p.rules[branch].id);
    const bool finished = search(std::move(child), std::move(child_past), chosen, false, depth + 1);
    chosen.pop_back();
    if (!finished) return false;
    std::vector<char> keep(p.rules.size(), 1);
    keep[branch] = 0;
    shrink(p, keep, past.lineage);
    // Loop: the node without the rule is solved here instead of by recursion.
  }
}

}  // namespace laconic
