// Upper bounds on the value that a rule can still reach, from the largest contribution of each open literal.
#include "sparse/pricing/rule_reach.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace laconic {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

}  // namespace

void RuleReach::sort(std::vector<PricedChild>& children) {
  std::sort(children.begin(), children.end(), [](const PricedChild& a, const PricedChild& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.literal < b.literal;
  });
}

std::vector<std::size_t> RuleReach::by_recovers(const std::vector<PricedChild>& children) {
  std::vector<std::size_t> order(children.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return children[a].recovers != children[b].recovers ? children[a].recovers > children[b].recovers : a < b;
  });
  return order;
}

// Returns the number of later siblings, among those that keep more prices than `least_left`, that child k needs: from
// the parent's value along the chords (c),
std::size_t RuleReach::needed_by_chords(const std::vector<PricedChild>& children, std::size_t n, std::size_t k,
                                        double least_left) const {
  double reach = children[k].counted + children[k].gain - price(n + 1);
  std::size_t needed = 0;
  if (enough(reach)) return 0;
  chains_.clear();
  chains_.set(children[k].literal);
  for (std::size_t m = k + 1; m < children.size() && !enough(reach); ++m) {
    if (children[m].gain <= literal_cost_) break;
    if (children[m].left <= least_left || !chains_.mark(children[m].literal)) continue;
    reach += children[m].gain - literal_cost_;
    ++needed;
  }
  return enough(reach) ? needed : kNever;
}

// and from the child's own value (d).
std::size_t RuleReach::needed_by_value(const std::vector<PricedChild>& children,
                                       const std::vector<std::size_t>& by_recovers, std::size_t k,
                                       double least_left) const {
  double reach = children[k].value;
  std::size_t needed = 0;
  if (enough(reach)) return 0;
  chains_.clear();
  chains_.set(children[k].literal);
  for (std::size_t e = 0; e < by_recovers.size() && !enough(reach); ++e) {
    const PricedChild& other = children[by_recovers[e]];
    if (other.recovers <= literal_cost_) break;
    if (by_recovers[e] <= k || other.left <= least_left || !chains_.mark(other.literal)) continue;
    reach += other.recovers - literal_cost_;
    ++needed;
  }
  return enough(reach) ? needed : kNever;
}

bool RuleReach::any_by_chords(std::vector<PricedChild>& children, std::size_t n) const {
  sort(children);
  for (std::size_t k = 0; k < children.size(); ++k) {
    const std::size_t needed = needed_by_chords(children, n, k, -1e300);
    if (needed != kNever && children[k].left - price(n + 1 + needed) > -slack_) return true;
  }
  return false;
}

// The sum of prices that a sibling must exceed to be among those that child k needs; nothing if child k does not
// qualify.
std::optional<double> RuleReach::least_left(const std::vector<PricedChild>& children,
                                            const std::vector<std::size_t>& by_recovers, std::size_t n,
                                            std::size_t k) const {
  for (double least = -1e300;;) {
    const std::size_t by_chords = needed_by_chords(children, n, k, least);
    const std::size_t by_value = by_chords == kNever ? kNever : needed_by_value(children, by_recovers, k, least);
    if (by_value == kNever) return std::nullopt;
    const std::size_t needed = std::max(by_chords, by_value);
    if (children[k].left - price(n + 1 + needed) <= -slack_) return std::nullopt;
    const double before = least;
    least = price(n + 1 + std::max<std::size_t>(1, needed)) - slack_;
    if (least <= before) return least;
  }
}

bool RuleReach::contains(const std::vector<PricedChild>& children, const std::vector<std::size_t>& by_recovers,
                         std::size_t n, std::size_t k) const {
  return least_left(children, by_recovers, n, k).has_value();
}

std::vector<std::uint16_t> RuleReach::siblings(const std::vector<PricedChild>& children,
                                               const std::vector<std::size_t>& by_recovers, std::size_t n,
                                               std::size_t k) const {
  std::vector<std::uint16_t> out;
  const std::optional<double> least = least_left(children, by_recovers, n, k);
  if (!least) return out;
  const auto chain = instance_.chain[children[k].literal];
  for (std::size_t m = k + 1; m < children.size(); ++m)
    if (children[m].left > *least && instance_.chain[children[m].literal] != chain) out.push_back(children[m].literal);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace laconic
