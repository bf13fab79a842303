// One class, sparse objective: incumbent, bound, rule out, search.
//
// 1. Greedy covering gives an incumbent.
// 2. If few rules can matter and they split the rows into few groups, list them all and
//    search the list (sparse/listed/search.cpp).
// 3. Else column generation: a short list of rules is the master; its dual, ascended over
//    merged rows, is priced by exact search over all rules (sparse/pricing/rule_pricer.cpp), which repairs it into
//    a feasible dual, i.e. a lower bound, and returns the rules it violated; these join the
//    master. The best feasible dual so far is the centre: passes that would take too long are
//    made nearer to it. As soon as the rules whose reduced
//    cost fits between bound and incumbent can be listed, they are, and the list is searched: a
//    better set uses no other rule.
//
// must_choose (every class must have a rule): pruning 1, "a rule that does not pay is dropped",
// fails for an only rule, so the best single rule is searched for by itself. A better set of two
// or more rules loses by dropping any of them, so its rules do satisfy pruning 1, and the list
// search, which then may not return the empty set, finds it. (That the best single rule suffices
// when the free optimum is empty is not true: two rules that share their false positives can
// beat every single rule and still lose to the empty set.)
#include "sparse/solver.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "sparse/best_rule.hpp"
#include "sparse/candidates.hpp"
#include "sparse/few_rules.hpp"
#include "sparse/listed/set_enumeration.hpp"
#include "sparse/pricing/priced_rows.hpp"

namespace laconic {
SparseSolver::SparseSolver(ClassInstance instance, bool must_choose)
    : in_(std::move(instance)), must_choose_(must_choose), pool_(in_), single_is_exact_(!must_choose),
      policy_(in_.options, is_large()), trust_(in_.options) {
  best_.cost = in_.pos.total;  // the empty set
  if (must_choose_) best_ = {in_.price(0) + in_.neg.total, {add({})}};
  // The empty set, a rule without literals, or one that costs a literal at least.
  const Weight with_rules = std::min(in_.price(0) + in_.neg.total, in_.price(1));
  bound_ = std::min(best_.cost, with_rules);
}

bool SparseSolver::advance(Control& control) {
  if (proved()) return true;
  if (!greedy_done_ || !single_is_exact_) find_incumbent(control);
  if (control.check_now() || proved()) return proved();
  if (search_.is_open()) {
    resume_search(control);
  } else if (in_.pos.n_rows == 0) {
    raise_bound(best_.cost);
  } else if (too_many_to_list_ || !list_everything(control)) {
    generate_columns(control);
  }
  return proved();
}

std::vector<std::vector<std::int32_t>> SparseSolver::best() const {
  std::vector<std::vector<std::int32_t>> out;
  for (auto r : best_.rules) {
    out.emplace_back();
    for (std::size_t k = 0; k < pool_.length(r); ++k) out.back().push_back(in_.literal_code[pool_.body(r)[k]]);
  }
  return out;
}

SparseCounts SparseSolver::counts() const {
  return {pool_.size(), search_.n_nodes, iterations_ + search_.n_iterations, pricing_nodes_ + nodes_at_end_};
}

// Returns the pool number; rules already there are found by their literals.
std::uint32_t SparseSolver::add(std::vector<std::uint16_t> body) {
  std::sort(body.begin(), body.end());
  const auto [at, fresh] = number_.emplace(std::move(body), static_cast<std::uint32_t>(pool_.size()));
  if (fresh) pool_.add(at->first);
  return at->second;
}

void SparseSolver::consider(const std::vector<std::uint32_t>& rules) {
  std::vector<Word> pos(in_.pos.n_words, 0), neg(in_.neg.n_words, 0);
  Weight cost = in_.pos.total;
  for (auto r : rules) {
    cost += pool_.price(r);
    for (std::size_t k = 0; k < pos.size(); ++k) pos[k] |= pool_.pos(r)[k];
    for (std::size_t k = 0; k < neg.size(); ++k) neg[k] |= pool_.neg(r)[k];
  }
  cost += in_.neg.weigh(neg.data()) - in_.pos.weigh(pos.data());
  if (cost < best_.cost) {
    best_ = {cost, rules};
    std::sort(best_.rules.begin(), best_.rules.end());
  }
}

// Until the best single rule is known, a bound that ignores rules that do not pay is no bound.
void SparseSolver::raise_bound(Weight bound) {
  if (!single_is_exact_) return;
  bound_ = std::max(bound_, std::min(bound, best_.cost));
}

void SparseSolver::find_incumbent(Control& control) {
  if (!greedy_done_) {
    std::vector<std::uint32_t> rules;
    for (const auto& body : greedy_rules(in_, options().sparse_greedy_nodes, control)) rules.push_back(add(body));
    if (!rules.empty()) consider(rules);
    master_ = rules;
    seed_master();
    greedy_done_ = !control.check_now();  // cut short, it is done again: what follows should not depend on the clock
  }
  if (!single_is_exact_) {
    std::vector<Word> pos(in_.pos.n_words), neg(in_.neg.n_words);
    fill_all(pos.data(), in_.pos.n_rows, pos.size());
    fill_all(neg.data(), in_.neg.n_rows, neg.size());
    const BestRule single = best_rule(in_, pos.data(), neg.data(), 0, control);
    if (single.found) consider({add(single.body)});
    single_is_exact_ = single.complete;
  }
}

// Few candidates: list and search them all. Returns false if there are too many.
bool SparseSolver::list_everything(Control& control) {
  RulePool candidates(in_);
  if (!enumerate_candidates(in_, options().sparse_list_rules, control, candidates)) {
    too_many_to_list_ = candidates.size() >= options().sparse_list_rules;
    return !too_many_to_list_;
  }
  too_many_to_list_ = !can_be_grouped(candidates.size());
  if (too_many_to_list_) return false;
  std::vector<std::uint32_t> list;
  for (std::size_t r = 0; r < candidates.size(); ++r)
    list.push_back(add({candidates.body(r), candidates.body(r) + candidates.length(r)}));
  Grouping grouping = group_instance(in_, pool_, list, control);
  if (control.stopped()) return true;
  too_many_to_list_ = grouping.problem.n_pos() * grouping.problem.n_neg() > options().sparse_list_pairs;
  if (!too_many_to_list_) search_list(std::move(grouping), control);
  return !too_many_to_list_;
}

// Where only a few rules can pay: all sets of the listed rules, which every better set consists of. True if that is a
// proof.
bool SparseSolver::try_few_rules(const std::vector<std::uint32_t>& list, Control& control) {
  const Options& o = options();
  if (best_.cost > o.sparse_few_rules * std::max<Weight>(1, in_.price(1))) return false;
  const FewRules found = search_few_rules(in_, pool_, list, best_.cost, o.sparse_few_words, control);
  if (!found.rules.empty()) consider(found.rules);
  if (found.complete) raise_bound(best_.cost);
  return found.complete;
}

bool SparseSolver::can_be_grouped(std::size_t n_rules) const {
  return n_rules <= options().sparse_list_cells / (in_.pos.n_rows + in_.neg.n_rows + 1);
}

void SparseSolver::search_list(Grouping grouping, Control& control) {
  Past past = ascent_.past_for(in_, grouping);
  search_.begin(std::move(grouping.problem), must_choose_, std::move(past),
                is_large() ? options().sparse_most_pairs_if_large : options().sparse_most_pairs);
  resume_search(control);
}

void SparseSolver::resume_search(Control& control) {
  const Weight bound = search_.advance(best_, control);
  consider(best_.rules);  // a set found under restrictions that it does not meet costs less than it did there
  raise_bound(bound);
}

void SparseSolver::generate_columns(Control& control) {
  if (policy_.is_first()) {  // small problems are solved by now: a second covering, not worth its time there
    std::vector<std::uint32_t> rules;
    for (const auto& body : grown_rules(in_, control)) rules.push_back(add(body));
    if (!rules.empty()) consider(rules);
  }
  while (!control.check_now() && !proved()) {
    regroup(control);
    if (control.stopped()) return;
    const ListProblem& groups = ascent_.grouping().problem;
    AscentFigures ascent;
    ascent.is_coarse = ascent_.grouping().coarse;
    ascent.n_pairs = static_cast<double>(groups.n_pos() * groups.n_neg());
    ascent.target = static_cast<double>(best_.cost);
    const AscentState state = ascent_.ascend(ascent.target, policy_.n_steps(ascent.is_coarse), control);
    iterations_ += state.iterations;
    if (control.stopped()) return;
    dual_ = state.best_dual;
    ascent.best = state.best;
    policy_.note_ascent(ascent, state.iterations);
    if (policy_.needs_finer_groups(ascent)) policy_.make_finer();
    retire_idle(state);
    improve_incumbent(state, control);

    RowDual repaired = to_rows(in_, ascent_.grouping(), dual_);
    Pricing priced = price_partially(repaired, control);
    policy_.note_partial_pass(priced.found.size(), static_cast<double>(priced.n_nodes));
    if (!priced.complete) use_up_time(policy_.share_before_last_pass(ascent), control);
    std::vector<ViolatedRule> glimpsed;
    if (!priced.complete && policy_.needs_pass(ascent, centre_.known(), trust_.last().nodes)) {
      glimpsed = std::move(priced.found);
      priced = price_thoroughly(repaired, glimpsed.empty(), control);
      policy_.note_pass(static_cast<double>(priced.n_nodes));
    }
    if (priced.complete) {
      const Weight sum = std::accumulate(repaired.y.begin(), repaired.y.end(), Weight{0});
      raise_bound((sum + repaired.scale - 1) / repaired.scale);
      if (!centre_.known() || sum > centre_.sum)
        centre_ = {repaired, sum, ascent_.grouping(), {dual_.y, blame_by_groups(ascent_.grouping(), repaired)}};
      const bool converged =
          policy_.has_converged(ascent, priced.found.size(), centre_.value(), static_cast<double>(best_.cost));
      if (proved() || list_survivors(centre_.rows, centre_.sum, converged, control)) return;
      if (policy_.needs_finer_groups(ascent, centre_.value(), static_cast<double>(best_.cost))) policy_.make_finer();
    }
    priced.found.insert(priced.found.end(), glimpsed.begin(), glimpsed.end());
    policy_.end_round(join_master(std::move(priced.found)), priced.complete);
  }
}

// Finer groups for the grown list.
void SparseSolver::regroup(Control& control) {
  ascent_.refine(in_, pool_, master_, policy_.max_pairs(), control);
  if (!centre_.known() || control.stopped()) return;
  const Grouping& fresh = ascent_.grouping();
  Dual carried = carry_dual(in_, centre_.grouping, centre_.dual, fresh, control);
  if (control.stopped()) return;
  centre_.dual = std::move(carried);
  std::fill(centre_.dual.y.begin(), centre_.dual.y.end(), 0.0);
  for (std::size_t i = 0; i < in_.pos.n_rows; ++i)
    centre_.dual.y[fresh.pos_group[i]] +=
        static_cast<double>(centre_.rows.y[i]) / static_cast<double>(centre_.rows.scale);
  centre_.grouping = fresh;
}

// Lists the rules that can be in a better set than the incumbent and searches them. Returns false if
// there are too many yet. `rows` is feasible; its prices add up to `price_sum`.
bool SparseSolver::list_survivors(RowDual& rows, Weight price_sum, bool converged, Control& control) {
  const Weight slack = (best_.cost - 1) * rows.scale - price_sum + 1;
  const bool near = 2 * slack <= 3 * in_.literal_cost * rows.scale || converged;
  const bool waited = policy_.has_waited();
  const bool longer = converged && can_be_grouped(longest_list_);  // nothing will shorten the list
  if (!near || (!waited && !longer && tried_slack_ >= 0 && slack >= tried_slack_ - tried_slack_ / 8)) return false;
  const Pricing all = enumerate_rules(in_, rows, slack, {longest_list_, kAnyNodes, kAnyWidth, apart()}, control);
  pricing_nodes_ += all.n_nodes;
  if (control.check_now()) return false;
  tried_slack_ = slack;
  if (!all.complete && converged) longest_list_ *= 2;
  if (!all.complete || !can_be_grouped(all.found.size())) return false;
  std::vector<std::uint32_t> list;
  std::vector<Survivor> survivors;
  for (const auto& rule : all.found) {
    list.push_back(add(rule.body));
    survivors.push_back({list.back(), std::max(0.0, -rule.value)});
  }
  if (enumerate_sets(in_, pool_, survivors, static_cast<double>(slack), options().sparse_sets_tried, best_, control)) {
    raise_bound(best_.cost);
    return true;
  }
  if (try_few_rules(list, control)) return true;
  // A better bound may shorten the list; a long one is searched only if that does not come soon.
  if (list.size() > options().sparse_survivors_at_once && !converged && !waited) {
    policy_.put_list_off();
    return false;
  }
  Grouping grouping = group_instance(in_, pool_, list, control);
  if (control.stopped()) {
    tried_slack_ = -1;  // another time
    return false;
  }
  if (grouping.problem.n_pos() * grouping.problem.n_neg() > options().sparse_list_pairs &&
      list.size() > options().sparse_survivors_any_groups && !converged)
    return false;
  search_list(std::move(grouping), control);
  tried_slack_ = -1;
  return true;
}

// A few strong rules beside the greedy ones: few rules mean few groups, so the first rounds are quick.
void SparseSolver::seed_master() {
  std::vector<std::pair<Weight, std::vector<std::uint16_t>>> ranked;
  std::vector<Word> pos(in_.pos.n_words), neg(in_.neg.n_words);
  const auto rank = [&](const std::vector<std::uint16_t>& body) {
    pool_.cover_of(body, pos.data(), neg.data());
    ranked.emplace_back(in_.neg.weigh(neg.data()) + in_.price(body.size()) - in_.pos.weigh(pos.data()), body);
  };
  rank({});
  for (std::size_t l = 0; l < in_.n_literals() && in_.max_length > 0; ++l) rank({static_cast<std::uint16_t>(l)});
  std::sort(ranked.begin(), ranked.end());
  const std::set<std::uint32_t> known(master_.begin(), master_.end());
  for (std::size_t k = 0; k < std::min<std::size_t>(ranked.size(), 4); ++k) {
    const auto r = add(ranked[k].second);
    if (!known.count(r)) master_.push_back(r);
  }
}

// A long list makes the ascent slow: rules that it left alone for some rounds retire; pricing brings them back if
// they are violated again.
void SparseSolver::retire_idle(const AscentState& state) {
  std::vector<std::uint32_t> kept;
  for (std::size_t k = 0; k < master_.size(); ++k) {
    const auto r = master_[k];
    use_[r] = 0.5f * use_[r] + state.primal.use[k];
    int& idle = idle_[r];
    idle = state.primal.use[k] > 1e-4f ? 0 : idle + 1;
    if (idle < options().sparse_idle_rounds) kept.push_back(r);
  }
  if (kept.size() >= options().sparse_long_list) master_ = kept;
}

// Adds the most violated rules; true if any was new.
bool SparseSolver::join_master(std::vector<ViolatedRule> found) {
  std::sort(found.begin(), found.end(), [](const ViolatedRule& a, const ViolatedRule& b) {
    return a.value != b.value ? a.value > b.value : a.body < b.body;
  });
  std::set<std::uint32_t> known(master_.begin(), master_.end());
  std::size_t added = 0;
  for (std::size_t k = 0; k < found.size() && added < options().sparse_joining; ++k) {
    const auto r = add(std::move(found[k].body));
    idle_[r] = 0;
    if (known.insert(r).second) master_.push_back(r), ++added;
  }
  return added > 0;
}

// Local search among the rules that the ascent favours and those of the incumbent.
void SparseSolver::improve_incumbent(const AscentState& state, Control& control) {
  std::vector<std::pair<float, std::uint32_t>> ranked;
  for (std::size_t k = 0; k < ascent_.grouping().problem.rules.size(); ++k)
    if (state.primal.use[k] > 0.01f) ranked.emplace_back(-state.primal.use[k], ascent_.grouping().problem.rules[k].id);
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::uint32_t> list = best_.rules;
  for (std::size_t k = 0; k < std::min(ranked.size(), options().sparse_improve_rules); ++k)
    list.push_back(ranked[k].second);
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  if (list == tried_list_) return;
  const ListProblem p = group_instance(in_, pool_, list, control).problem;
  if (control.stopped()) return;
  std::vector<std::uint32_t> order(p.rules.size()), start, known;
  std::iota(order.begin(), order.end(), 0u);
  for (auto r : order) {
    if (std::binary_search(best_.rules.begin(), best_.rules.end(), p.rules[r].id)) known.push_back(r);
    if (use_[p.rules[r].id] > 0.3f) start.push_back(r);
  }
  for (const auto& from : {std::vector<std::uint32_t>{}, start, known}) {
    const auto found = local_search(p, from, order, must_choose_, control);
    if (found.empty() && must_choose_) continue;
    std::vector<std::uint32_t> ids;
    for (auto r : found) ids.push_back(p.rules[r].id);
    consider(ids);
  }
  if (!control.check_now()) tried_list_ = std::move(list);  // cut short, it is searched again
}

}  // namespace laconic
