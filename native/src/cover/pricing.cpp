// Exact pricing: the rules that a price per positive overpays, seed by seed, and prices that overpay no rule.
//
// Positives are processed in turn, the highest price first. All rules over one positive are searched (cover/seed.cpp)
// before the next one, and from then on its price is ignored, because every rule over it has been visited. So the
// searches become smaller, and end early once the remaining prices pay for no rule.
//
// The same pass proves a bound whatever it finds. Let v be the maximum overpayment of a rule over the seed, counting
// only the prices of the seed and later positives; lower the seed's price by v, or to zero. Take any rule and its first
// positive in the order. If the price of that positive was lowered by v, the rule is not overpaid; if it fell to zero,
// the argument continues with the next positive. An abandoned search lowers its seed's price to zero and costs the
// bound at most that price. So there is a bound after any number of nodes, and no rule is ever overpaid. All sums are
// integers.
#include "cover/pricing.hpp"

#include <algorithm>
#include <numeric>

namespace laconic {
namespace {

PricedRules best_first(const PricedRules& given) {
  const Columns& rules = given.rules;
  std::vector<std::size_t> order(rules.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (given.values[a] != given.values[b]) return given.values[a] > given.values[b];
    const Column one = rules[a], other = rules[b];
    return std::lexicographical_compare(one.literals, one.literals + one.n_literals, other.literals,
                                        other.literals + other.n_literals);
  });
  PricedRules out(rules.words());
  for (const std::size_t k : order) {
    out.rules.add(rules[k]);
    out.values.push_back(given.values[k]);
  }
  return out;
}

}  // namespace

RulePricer::RulePricer(const CoverInstance& instance) : instance_(instance), search_(instance) {}

PricingAnswer RulePricer::price(const PricingRequest& request, Control& control) {
  const CoverInstance& in = instance_;
  PricingAnswer answer(in.pos_words);
  answer.y.assign(in.n_pos, 0);
  std::vector<Word> rows(in.pos_words, 0), told(in.pos_words, 0);
  std::vector<std::size_t> order;
  std::int64_t left = 0;
  for (std::size_t i = 0; i < in.n_pos; ++i)
    if (request.y[i] > 0 || request.unpriced_too) {
      set_bit(rows.data(), i);
      order.push_back(i);
      left += request.y[i];
    }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return request.y[a] > request.y[b]; });
  answer.exhausted = true;
  SeedRequest seed;
  seed.rows = rows.data();
  seed.told = told.data();
  seed.y = request.y;
  seed.scale = request.scale;
  seed.threshold = request.threshold;
  seed.keep = request.keep_per_seed;
  seed.swap_anywhere = request.unpriced_too;
  for (std::size_t at = 0; at < order.size(); ++at) {
    if (left <= request.scale * in.price(in.n_neg ? 1 : 0) + request.threshold) {
      for (; at < order.size(); ++at) answer.y[order[at]] = request.y[order[at]];
      break;
    }
    if (control.check_now() || answer.nodes >= request.max_nodes || answer.found.rules.size() >= request.max_columns) {
      answer.exhausted = false;
      break;
    }
    const std::size_t i = order[at];
    seed.seed = i;
    seed.most = request.max_columns - answer.found.rules.size();
    seed.max_nodes = std::min(request.max_nodes_per_seed, request.max_nodes - answer.nodes);
    const SeedAnswer found = search_.search(seed, answer.found, control);
    answer.nodes += found.nodes;
    if (found.complete) {
      answer.y[i] = std::max<std::int64_t>(0, request.y[i] - std::max<std::int64_t>(0, found.best));
      set_bit(told.data(), i);
    } else {
      answer.exhausted = false;
    }
    clear_bit(rows.data(), i);
    left -= request.y[i];
  }
  if (request.keep_per_seed) answer.found = best_first(answer.found);
  return answer;
}

}  // namespace laconic
