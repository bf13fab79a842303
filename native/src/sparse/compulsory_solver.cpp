// A class that must have a rule, even if none pays. Some rule then covers a row of the class.
//
// - 1. Solve the free problem. If its optimum is not empty, it is the answer.
//
// - 2. Otherwise the empty set (cost E) is best and forbidden. Find the best single rule by exact search; let U be its
//   cost.
//
// - 3. A better answer has two rules or more, each with a literal. If two such rules cost U already, U is proved.
//   Otherwise reduce the price of every rule by v = (U - E) / 2 and solve the free problem again: a set of k >= 2 rules
//   costs at least v * k >= U - E more than its reduced cost, so if the empty set is still best, no such set is cheaper
//   than U.
//
// - 4. Otherwise (rare: rules that share their false positives) search with the empty set excluded.
//
// Step 2 alone is not enough: two rules with the same false positives can beat every single rule and still lose to the
// empty set.
#include "sparse/compulsory_solver.hpp"

#include <algorithm>

#include "sparse/best_rule.hpp"

namespace laconic {
namespace {

ClassInstance doubled(ClassInstance instance) {
  for (RowSide* side : {&instance.pos, &instance.neg}) {
    for (auto& w : side->weight) w *= 2;
    for (auto& w : side->word_weight)
      if (w > 0) w *= 2;
    side->total *= 2;
  }
  instance.literal_cost *= 2;
  instance.rule_cost *= 2;
  instance.constant *= 2;
  return instance;
}

}  // namespace

CompulsorySolver::CompulsorySolver(const ClassInstance& instance)
    : twice_(doubled(instance)), free_(twice_, false), cost_(twice_.price(0) + twice_.neg.total + twice_.constant),
      rules_(1) {}

// Called while the search is paused.
void CompulsorySolver::use(std::size_t threads, Control::Clock::time_point end) {
  threads_ = threads, end_ = end;
  free_.use(threads, end);
  for (auto* other : {discounted_.get(), last_.get()})
    if (other) other->use(threads, end);
}

bool CompulsorySolver::advance(Control& control) {
  if (proved()) return true;
  if (!free_.proved()) {
    free_.advance(control);
    if (!free_.best().empty()) consider(free_.cost(), free_.best());
    bound_ = std::max(bound_, std::min(free_.bound(), cost_));  // forbidding the empty set only costs more
    if (!free_.proved() || proved()) return proved();
  }
  if (!single_known_) search_single(control);
  if (!single_known_) return false;
  // Two rules that are both needed have a literal each.
  bound_ = std::max(bound_, std::min(cost_, twice_.constant + 2 * twice_.price(1)));
  if (proved()) return true;
  const Weight gap = cost_ - free_.cost(), discount = gap / 2;
  if (!discounted_ && discount < twice_.rule_cost) {
    ClassInstance cheap = twice_;
    cheap.rule_cost -= discount;
    discounted_ = std::make_unique<SparseSolver>(std::move(cheap), false);
    discounted_->use(threads_, end_);
  }
  if (discounted_ && !discounted_->proved()) {
    discounted_->advance(control);
    if (!discounted_->best().empty()) consider(cost_of(discounted_->best()), discounted_->best());
    bound_ = std::max(bound_, std::min(cost_, discounted_->bound() + 2 * discount));
    if (!discounted_->proved() || proved()) return proved();
  }
  if (!last_) last_ = std::make_unique<SparseSolver>(twice_, true), last_->use(threads_, end_);
  last_->advance(control);
  consider(last_->cost(), last_->best());
  bound_ = std::max(bound_, std::min(cost_, last_->bound()));
  return proved();
}

void CompulsorySolver::consider(Weight cost, std::vector<std::vector<std::int32_t>> rules) {
  if (cost >= cost_) return;
  cost_ = cost;
  rules_ = std::move(rules);
}

Weight CompulsorySolver::cost_so_far() const {
  Weight cost = cost_;
  if (!free_.best().empty()) cost = std::min(cost, free_.cost());
  if (last_) cost = std::min(cost, last_->cost());
  return cost;
}

Weight CompulsorySolver::bound() const {
  Weight bound = std::max(bound_, free_.bound());
  if (last_) bound = std::max(bound, last_->bound());
  return (std::min(bound, cost_so_far()) + 1) / 2;
}

Weight CompulsorySolver::cost_of(const std::vector<std::vector<std::int32_t>>& rules) const {
  RulePool pool(twice_);
  std::vector<Word> pos(twice_.pos.n_words, 0), neg(twice_.neg.n_words, 0);
  Weight cost = twice_.constant + twice_.pos.total;
  for (const auto& codes : rules) {
    std::vector<std::uint16_t> body;
    for (auto code : codes) {
      const auto at = std::find(twice_.literal_code.begin(), twice_.literal_code.end(), code);
      body.push_back(static_cast<std::uint16_t>(at - twice_.literal_code.begin()));
    }
    pool.add(body);
    const std::size_t r = pool.size() - 1;
    cost += pool.price(r);
    for (std::size_t k = 0; k < pos.size(); ++k) pos[k] |= pool.pos(r)[k];
    for (std::size_t k = 0; k < neg.size(); ++k) neg[k] |= pool.neg(r)[k];
  }
  return cost + twice_.neg.weigh(neg.data()) - twice_.pos.weigh(pos.data());
}

void CompulsorySolver::search_single(Control& control) {
  std::vector<Word> pos(twice_.pos.n_words), neg(twice_.neg.n_words);
  fill_all(pos.data(), twice_.pos.n_rows, pos.size());
  fill_all(neg.data(), twice_.neg.n_rows, neg.size());
  const BestRule single = best_rule(twice_, pos.data(), neg.data(), 0, control);
  single_known_ = single.complete;
  if (!single.found) return;
  std::vector<std::int32_t> codes;
  for (auto l : single.body) codes.push_back(twice_.literal_code[l]);
  consider(twice_.constant + twice_.pos.total - single.gain, {codes});
}

SparseCounts CompulsorySolver::counts() const {
  SparseCounts sum = free_.counts();
  for (const auto* part : {discounted_.get(), last_.get()})
    if (part) {
      const SparseCounts c = part->counts();
      sum.rules += c.rules, sum.nodes += c.nodes, sum.iterations += c.iterations, sum.pricing_nodes += c.pricing_nodes;
    }
  return sum;
}

}  // namespace laconic
