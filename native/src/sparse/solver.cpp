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
#include "sparse/pricing/priced_rows.hpp"
#include "sparse/listed/set_enumeration.hpp"
#include "sparse/candidates.hpp"

namespace laconic {
namespace {

constexpr std::size_t kSmallList = 1500;      // candidates listed at once
constexpr std::size_t kSmallBlame = 60'000;   // groups x groups of a problem searched as a list
constexpr std::size_t kShortList = 2000;      // survivors searched however many groups they make
constexpr std::size_t kModestList = 1000;     // survivors searched at once
constexpr int kPatience = 15;                 // rounds that a longer list waits
constexpr std::size_t kLongList = 20'000;     // violated rules that a complete pass may find
constexpr double kConverged = 0.02;           // of what is missing: the list promises no more than is proved
constexpr std::size_t kLongMaster = 150;      // a list worth pruning
constexpr std::size_t kMaxJoining = 40;       // rules that join the list in a round
constexpr std::size_t kMaxListed = 15'000'000;   // rules times rows of a list: half a second and some 100 MB for its groups
constexpr double kFarBelow = 0.05;            // of the incumbent; then groups get finer at once
constexpr std::size_t kFewPairs = 160'000;    // a round takes a fraction of a second even on large tables
constexpr std::size_t kManyPairs = 100'000;   // an ascent takes as long as a complete pass,
constexpr std::size_t kVeryManyPairs = 1'000'000;  // and here longer
constexpr std::size_t kMostPairs = 16'000'000;
constexpr std::size_t kMostPairsIfLarge = 2'500'000;  // of a list: its ascents take time and memory bandwidth from other classes
constexpr std::size_t kFiner = 4;             // times as many pairs
constexpr std::size_t kMaxSteps = 800;        // of an ascent,
constexpr std::size_t kCoarseSteps = 200;     // and of one whose groups will be split anyway
constexpr std::size_t kFewLeft = 8;           // violated rules in a quick look: the list grows no more
constexpr int kMaxRounds = 6;                 // that it may grow for before the groups get finer
constexpr double kNodesPerStep = 0.011;       // that take as long as a step of the ascent, per root of its pairs
constexpr double kPassShare = 0.75;           // complete passes on large tables against all other work
constexpr int kMaxStalled = 4;                // rounds without a new rule, each with twice the ascent of the last
constexpr std::uint64_t kGreedyNodes = 3'000;
constexpr std::uint64_t kLeastPass = 20'000;  // nodes that a complete pass may take, or as many as all searches before,
constexpr std::uint64_t kLeastPassRows = 20'000'000;  // of so many rows in all: a failure is no loss for long
constexpr double kLeastGrowth = 10, kMostGrowth = 60;  // of the logarithm of its nodes with the trust
constexpr std::size_t kLargeTable = 1'000'000;  // literals times rows, from which on passes are made in parts
constexpr auto kAnyNodes = std::numeric_limits<std::uint64_t>::max();
constexpr auto kAnyWidth = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kFewFound = 4;          // rules; if a quick look brings fewer, a complete pass follows
constexpr double kPoor = 0.85;                // of the ascended prices: no point to start from
constexpr double kLeastRise = 1.02;            // from such a centre
constexpr double kFewPasses = 6;              // times the nodes of all passes before
constexpr double kEarly = 0.25;               // share of the time in which other classes may still need the threads
constexpr double kLate = 0.5;                 // that may go by before finer groups are not waited for
constexpr double kTimeToSpare = 2;            // times that of a pass at the ascended dual: it can come later
constexpr double kNearest = 0.985;            // at 1 the rules in use are all just paid for, and every search around them is long
constexpr double kWorthAPass = 1.005;         // times the bound
constexpr double kGrowthAtEnd = 14.8, kCareAtEnd = 1.1;
constexpr double kSpare = 0.03;               // of what is missing
constexpr double kSpareBlame = 0.2;           // of the blame, times what is missing per cost
constexpr std::uint64_t kQuickNodes = 4'000;
constexpr std::size_t kQuickWidth = 32;
constexpr std::uint64_t kMaxSets = 50'000;   // sets tried outright before a list is searched

double seconds_between(Control::Clock::time_point a, Control::Clock::time_point b) { return std::chrono::duration<double>(b - a).count(); }

}  // namespace

SparseSolver::SparseSolver(ClassInstance instance, bool must_choose)
    : in_(std::move(instance)), must_choose_(must_choose), pool_(in_), single_is_exact_(!must_choose) {
  best_.cost = in_.pos.total;  // the empty set
  if (must_choose_) best_ = {in_.price(0) + in_.neg.total, {add({})}};
  if (in_.pos.n_rows == 0 && !must_choose_) bound_ = best_.cost;
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
    for (const auto& body : greedy_rules(in_, kGreedyNodes, control)) rules.push_back(add(body));
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
  if (!enumerate_candidates(in_, kSmallList, control, candidates)) {
    too_many_to_list_ = candidates.size() >= kSmallList;
    return !too_many_to_list_;
  }
  too_many_to_list_ = !can_be_grouped(candidates.size());
  if (too_many_to_list_) return false;
  std::vector<std::uint32_t> list;
  for (std::size_t r = 0; r < candidates.size(); ++r)
    list.push_back(add({candidates.body(r), candidates.body(r) + candidates.length(r)}));
  Grouping grouping = group_instance(in_, pool_, list);
  too_many_to_list_ = grouping.problem.n_pos() * grouping.problem.n_neg() > kSmallBlame;
  if (!too_many_to_list_) search_list(std::move(grouping), control);
  return !too_many_to_list_;
}

bool SparseSolver::can_be_grouped(std::size_t n_rules) const {
  return n_rules <= kMaxListed / (in_.pos.n_rows + in_.neg.n_rows + 1);
}

void SparseSolver::search_list(Grouping grouping, Control& control) {
  Past past = ascent_.past_for(in_, grouping);
  search_.begin(std::move(grouping.problem), must_choose_, std::move(past), is_large() ? kMostPairsIfLarge : kMostPairs);
  resume_search(control);
}

void SparseSolver::resume_search(Control& control) {
  const Weight bound = search_.advance(best_, control);
  consider(best_.rules);  // a set found under restrictions that it does not meet costs less than it did there
  raise_bound(bound);
}

void SparseSolver::generate_columns(Control& control) {
  for (; !control.check_now() && !proved(); ++rounds_) {
    regroup();
    const double target = static_cast<double>(best_.cost);
    const AscentState state = ascent_.ascend(target, (ascent_.grouping().coarse ? kCoarseSteps : kMaxSteps) << stalled_, control);
    iterations_ += state.iterations;
    dual_ = state.best_dual;
    const double n_pairs = static_cast<double>(ascent_.grouping().problem.n_pos() * ascent_.grouping().problem.n_neg());
    other_work_ += kNodesPerStep * std::sqrt(n_pairs) * static_cast<double>(state.iterations);
    // Even the list alone stays far below the incumbent: the groups hold it back. But where rounds are cheap the list grows first.
    const bool list_grows = last_look_ >= kFewLeft && rounds_ - finer_since_ < kMaxRounds && max_pairs_ <= kFewPairs;
    const bool far_below = target - state.best > kFarBelow * target;
    if (ascent_.grouping().coarse && rounds_ >= 2 && !list_grows && far_below) make_finer();
    retire_idle(state);
    improve_incumbent(state, control);

    // Quick looks suffice while they find plenty; a bound needs a complete pass.
    RowDual repaired = to_rows(in_, ascent_.grouping(), dual_);
    const auto start = Control::Clock::now();
    Pricing priced = price(repaired, {kMaxJoining, std::min(kQuickNodes, least_pass()), kQuickWidth}, control);
    look_speed_ = static_cast<double>(priced.n_nodes) / seconds_between(start, Control::Clock::now());
    pricing_nodes_ += priced.n_nodes;
    other_work_ += static_cast<double>(priced.n_nodes);
    last_look_ = priced.found.size();
    const int due_every = n_pairs > kVeryManyPairs ? 1 : n_pairs > kManyPairs ? 3 : 6;  // rounds
    const bool bound_is_due = is_large() ? rounds_ == finer_since_ + 1 || kPassShare * other_work_ > pass_work_ + last_.nodes : rounds_ % due_every == due_every - 1;
    // On large tables no pass while the groups are about to get finer, but for a first bound.
    const bool waits = is_large() && (finer_since_ == rounds_ || (ascent_.grouping().coarse && far_below && max_pairs_ < kMostPairs));
    if (!priced.complete) use_up_time(waits || passed_since_ <= finer_since_ ? kLate : kEarly, control);  // passes over coarser groups tell little of these
    std::vector<ViolatedRule> glimpsed;
    if (!priced.complete && ((!waits && (priced.found.size() < kFewFound || bound_is_due)) || (rounds_ >= 2 && bound_ == 0))) {
      glimpsed = std::move(priced.found);
      priced = price_thoroughly(repaired, glimpsed.empty(), control);
      pass_work_ += static_cast<double>(priced.n_nodes);
      passed_since_ = rounds_;
    }
    if (priced.complete) {
      const Weight sum = std::accumulate(repaired.y.begin(), repaired.y.end(), Weight{0});
      raise_bound((sum + repaired.scale - 1) / repaired.scale);
      if (!centre_.known() || sum > centre_.sum) centre_ = {repaired, sum, ascent_.grouping(), {dual_.y, blame_by_groups(ascent_.grouping(), repaired)}};
      const double missing = static_cast<double>(best_.cost) - centre_.value();
      const bool stuck = stalled_ == kMaxStalled && max_pairs_ == kMostPairs;  // finer groups are no way out either
      const bool converged = stuck || (!ascent_.grouping().coarse &&
                                       (priced.found.empty() || stalled_ == kMaxStalled || state.best - centre_.value() < kConverged * missing));
      if (proved() || list_survivors(centre_.rows, centre_.sum, converged, control)) return;
      // The list promises hardly more than is proved: finer groups can promise more.
      const double gap = static_cast<double>(best_.cost) - state.best;
      if (ascent_.grouping().coarse && state.best - centre_.value() < 0.25 * gap) make_finer();
    }
    priced.found.insert(priced.found.end(), glimpsed.begin(), glimpsed.end());
    const bool joined = join_master(std::move(priced.found));
    if (joined) stalled_ = 0;
    else if (priced.complete && stalled_ < kMaxStalled) ++stalled_;
  }
}

// Prices and blame may be lost where much is missing anyway.
Pricing SparseSolver::price(RowDual& rows, const PricingLimits& limits, Control& control) const {
  const double missing = static_cast<double>(best_.cost * rows.scale) - std::accumulate(rows.y.begin(), rows.y.end(), 0.0);
  const Spare spare{static_cast<Weight>(std::max(0.0, kSpare * missing)), std::max(0.0, kSpareBlame * missing / static_cast<double>(best_.cost * rows.scale))};
  return price_what_counts(in_, rows, spare, limits, control);
}

void SparseSolver::make_finer() {
  if (max_pairs_ == kMostPairs) return;
  max_pairs_ = std::min(kMostPairs, kFiner * max_pairs_);
  finer_since_ = rounds_;
}

// Finer groups for the grown list.
void SparseSolver::regroup() {
  ascent_.refine(in_, pool_, master_, max_pairs_);
  if (!centre_.known()) return;
  const Grouping& fresh = ascent_.grouping();
  centre_.dual = carry_dual(in_, centre_.grouping, centre_.dual, fresh);
  std::fill(centre_.dual.y.begin(), centre_.dual.y.end(), 0.0);
  for (std::size_t i = 0; i < in_.pos.n_rows; ++i)
    centre_.dual.y[fresh.pos_group[i]] += static_cast<double>(centre_.rows.y[i]) / static_cast<double>(centre_.rows.scale);
  centre_.grouping = fresh;
}

// A complete pass somewhere between the centre, which is feasible, and the new prices: V is convex, so near the
// centre violations are small and the search is short. Nearer after every failure (at once, if told to persist), farther after a success.
Pricing SparseSolver::price_thoroughly(RowDual& rows, bool persist, Control& control) {
  const Dual far = dual_;
  for (;;) {
    rows = between_centre_and(far);
    const std::uint64_t limit = std::max(least_pass(), pricing_nodes_);
    const auto start = Control::Clock::now();
    const double n_threads = n_threads_now();
    Pricing priced = price(rows, {kLongList, limit, kAnyWidth, apart()}, control);
    pricing_nodes_ += priced.n_nodes;
    if (priced.complete) {
      trust_farther(priced.n_nodes, limit);
      note_speed(priced.n_nodes, n_threads * seconds_between(start, Control::Clock::now()));
      return priced;
    }
    if (control.check_now()) {
      if (priced.n_nodes > kQuickNodes) trust_ = std::max(0.2, 0.7 * trust_);  // the next turn may be no longer
      return priced;
    }
    const bool nearest = trust_ < 0.2;
    if (!nearest) trust_less(limit);
    if (nearest || !persist || priced.found.size() >= kFewFound) return priced;
  }
}

// Nodes take longer the finer the groups; a quick look, just made, tells how long. Those of a pass are a little quicker.
void SparseSolver::note_speed(std::uint64_t n_nodes, double seconds) {
  quicker_than_look_ = std::clamp(static_cast<double>(n_nodes) / seconds / look_speed_, 0.5, 2.0);
}

// If only a few passes fit before the end, hardly one of them at the ascended dual, they may as well be one, as far as the time
// allows; and again on a better dual, if that raises the bound. Nothing but the bound is learnt from it, so that the answer does not depend on the clock.
void SparseSolver::use_up_time(double share, Control& control) {
  const auto end = end_.load();
  const auto now = Control::Clock::now();
  if (last_.nodes == 0 || end == Control::Clock::time_point::max() || seconds_between(begin_, now) < share * seconds_between(begin_, end)) return;
  const Dual far = dual_;
  const double trust = trust_, sum = std::accumulate(far.y.begin(), far.y.end(), 0.0);
  double growth = kGrowthAtEnd;
  for (bool more = true; more;) {
    const Pass from = late_.nodes > 0 ? late_ : last_;
    const auto start = Control::Clock::now();
    const double n_threads = n_threads_now(), affordable = seconds_between(start, end) * n_threads * look_speed_ * quicker_than_look_;
    const double whole_way = from.nodes * std::exp(growth * (1 - from.trust));
    if (late_.nodes == 0 && (affordable > kTimeToSpare * whole_way || affordable > kFewPasses * static_cast<double>(std::max(least_pass(), pricing_nodes_)))) break;
    trust_ = std::min(kNearest, from.trust + std::log(affordable / from.nodes) / growth);
    if (affordable < 1 || trust_ * sum < kWorthAPass * static_cast<double>(bound_)) break;
    RowDual rows = between_centre_and(far);
    const Pricing priced = price(rows, {kLongList, kAnyNodes, kAnyWidth, apart()}, control);
    nodes_at_end_ += priced.n_nodes;
    if (!priced.complete) break;
    raise_bound((std::accumulate(rows.y.begin(), rows.y.end(), Weight{0}) + rows.scale - 1) / rows.scale);
    note_speed(priced.n_nodes, n_threads * seconds_between(start, Control::Clock::now()));
    late_ = {trust_, static_cast<double>(priced.n_nodes)};
    if (trust_ > from.trust) growth = kCareAtEnd * std::clamp(std::log(late_.nodes / from.nodes) / (trust_ - from.trust), kLeastGrowth, kMostGrowth);
    more = priced.found.size() < kFewFound;  // else there is more to gain from rules
  }
  dual_ = far;
  trust_ = trust;
}

// The nodes of a pass grow exponentially with the trust. After a success: as far as the limit should just allow.
void SparseSolver::trust_farther(std::uint64_t n_nodes, std::uint64_t limit) {
  const double nodes = static_cast<double>(n_nodes);
  if (last_.nodes > 0 && trust_ > last_.trust + 0.02)
    growth_ = std::clamp(std::log(nodes / last_.nodes) / (trust_ - last_.trust), kLeastGrowth, kMostGrowth);
  last_ = {trust_, nodes};
  trust_ = std::min(1.0, trust_ + std::max(0.05, std::log(static_cast<double>(limit) / nodes) / growth_));
}

// After a failure: it must grow faster than was thought.
void SparseSolver::trust_less(std::uint64_t limit) {
  const double ahead = last_.nodes > 0 ? std::log(static_cast<double>(limit) / last_.nodes) : 0;
  if (ahead <= 0 || trust_ < last_.trust + 0.02) {
    trust_ *= 0.85;
    last_ = {};
    return;
  }
  growth_ = std::clamp(ahead / (trust_ - last_.trust), growth_, kMostGrowth);
  trust_ = std::min(0.95 * trust_, last_.trust + 0.6 * ahead / growth_);
}

bool SparseSolver::is_large() const { return in_.n_literals() * (in_.pos.n_rows + in_.neg.n_rows) >= kLargeTable; }

double SparseSolver::n_threads_now() const { return is_large() ? static_cast<double>(std::max<std::size_t>(1, threads_)) : 1; }

// Small tables are searched in one part: rules found lower the prices for those after them.
const std::atomic<std::size_t>* SparseSolver::apart() const { return is_large() ? &threads_ : nullptr; }

std::uint64_t SparseSolver::least_pass() const {
  return std::clamp<std::uint64_t>(kLeastPassRows / (in_.pos.n_rows + in_.neg.n_rows), 1000, kLeastPass);
}

// Sets dual_ to the point between the centre (none yet, or a poor one: no prices, but the same blame) and `far`, and returns it on rows.
RowDual SparseSolver::between_centre_and(const Dual& far) {
  dual_ = far;
  if (trust_ == 1) return to_rows(in_, ascent_.grouping(), dual_);
  const double sum = std::accumulate(far.y.begin(), far.y.end(), 0.0);
  const bool poor = !centre_.known() || centre_.value() < kPoor * sum;
  if (poor && centre_.known()) trust_ = std::max(trust_, std::min(1.0, kLeastRise * centre_.value() / sum));
  const double t = trust_;
  for (auto& y : dual_.y) y *= t;
  if (poor || t * sum > centre_.value()) return to_rows(in_, ascent_.grouping(), dual_);
  for (std::size_t g = 0; g < dual_.y.size(); ++g) dual_.y[g] += (1 - t) * centre_.dual.y[g];
  for (std::size_t k = 0; k < dual_.mu.size(); ++k)
    dual_.mu[k] = static_cast<float>(t) * far.mu[k] + static_cast<float>(1 - t) * centre_.dual.mu[k];
  // The centre's prices differ within groups.
  RowDual rows = to_rows(in_, ascent_.grouping(), dual_);
  const RowDual end = to_rows(in_, ascent_.grouping(), far);
  for (std::size_t i = 0; i < rows.y.size(); ++i)
    rows.y[i] = static_cast<Weight>(t * static_cast<double>(end.y[i]) + (1 - t) * static_cast<double>(centre_.rows.y[i]));
  return rows;
}

// Lists the rules that can be in a better set than the incumbent and searches them. Returns false if
// there are too many yet. `rows` is feasible; its prices add up to `price_sum`.
bool SparseSolver::list_survivors(RowDual& rows, Weight price_sum, bool converged, Control& control) {
  const Weight slack = (best_.cost - 1) * rows.scale - price_sum + 1;
  const bool near = 2 * slack <= 3 * in_.literal_cost * rows.scale || converged;
  const bool waited = waits_since_ >= 0 && rounds_ - waits_since_ >= kPatience;
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
  if (enumerate_sets(in_, pool_, survivors, static_cast<double>(slack), kMaxSets, best_, control)) {
    raise_bound(best_.cost);
    return true;
  }
  // A better bound may shorten the list; a long one is searched only if that does not come soon.
  if (list.size() > kModestList && !converged && !waited) {
    if (waits_since_ < 0) waits_since_ = rounds_;
    return false;
  }
  Grouping grouping = group_instance(in_, pool_, list);
  if (grouping.problem.n_pos() * grouping.problem.n_neg() > kSmallBlame && list.size() > kShortList && !converged) return false;
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
  for (std::size_t l = 0; l < in_.n_literals(); ++l) rank({static_cast<std::uint16_t>(l)});
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
    if (idle < 10) kept.push_back(r);
  }
  if (kept.size() >= kLongMaster) master_ = kept;
}

// Adds the most violated rules; true if any was new.
bool SparseSolver::join_master(std::vector<ViolatedRule> found) {
  std::sort(found.begin(), found.end(), [](const ViolatedRule& a, const ViolatedRule& b) {
    return a.value != b.value ? a.value > b.value : a.body < b.body;
  });
  std::set<std::uint32_t> known(master_.begin(), master_.end());
  std::size_t added = 0;
  for (std::size_t k = 0; k < found.size() && added < kMaxJoining; ++k) {
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
  for (std::size_t k = 0; k < std::min<std::size_t>(ranked.size(), 100); ++k) list.push_back(ranked[k].second);
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  if (list == tried_list_) return;
  const ListProblem p = group_instance(in_, pool_, list).problem;
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
