#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sparse/chains.hpp"

namespace laconic {

// A rule with one literal more than its parent, and its figures before it is visited.
struct PricedChild {
  std::uint16_t literal;
  double recovers;  // M_l
  double gain;      // G_l
  double left;      // prices of the positives that it keeps
  double counted;   // their current contribution
  double value;     // upper bound on the value of the extended rule
  Weight kept;
  std::size_t at;  // of its cover
};

// The children that can exceed -slack with later siblings: (c), (d) and (e) of sparse/pricing/rule_pricer.cpp. Of each
// chain only the strongest sibling can be among those that a child needs.
class RuleReach {
 public:
  // `rounding`: relative rounding error of sums of positive numbers.
  RuleReach(const ClassInstance& instance, Weight scale, double slack, double rounding)
      : instance_(instance), scale_(scale), slack_(slack), rounding_(rounding), chains_(instance),
        literal_cost_(static_cast<double>(instance.literal_cost * scale)) {}

  double price(std::size_t n_literals) const { return static_cast<double>(instance_.price(n_literals) * scale_); }
  bool enough(double value) const { return value + (value < 0 ? -value : value) * rounding_ > -slack_; }

  // Upper bound on what literals contribute together: the largest contribution of each chain.
  template <class Items, class Literal, class Brings>
  double together(const Items& items, Literal literal, Brings brings) const {
    double sum = 0;
    chains_.clear();
    most_.clear();
    for (const auto& item : items) {
      const double more = brings(item);
      if (more <= 0) continue;
      const std::uint16_t l = literal(item);
      if (chains_.has(l)) {
        double& most = most_[chains_.value(l)];
        if (more > most) sum += more - most, most = more;
      } else {
        chains_.set(l, static_cast<std::uint32_t>(most_.size()));
        most_.push_back(more), sum += more;
      }
    }
    return sum;
  }

  // Sorts the strongest first: the later siblings, the weak ones, then have little left to recover.
  static void sort(std::vector<PricedChild>& children);
  // Whether, with `n` literals in the parent, some child qualifies along the chords. Sorts the children.
  bool any_by_chords(std::vector<PricedChild>& children, std::size_t n) const;
  // Returns the indices of the children in falling order of recovery.
  static std::vector<std::size_t> by_recovers(const std::vector<PricedChild>& children);
  // Whether child k of sorted children qualifies.
  bool contains(const std::vector<PricedChild>& children, const std::vector<std::size_t>& by_recovers, std::size_t n,
                std::size_t k) const;
  // The literals of the later siblings that child k may need, in increasing order.
  std::vector<std::uint16_t> siblings(const std::vector<PricedChild>& children,
                                      const std::vector<std::size_t>& by_recovers, std::size_t n, std::size_t k) const;

 private:
  std::optional<double> least_left(const std::vector<PricedChild>& children,
                                   const std::vector<std::size_t>& by_recovers, std::size_t n, std::size_t k) const;
  std::size_t needed_by_chords(const std::vector<PricedChild>& children, std::size_t n, std::size_t k,
                               double least_left) const;
  std::size_t needed_by_value(const std::vector<PricedChild>& children, const std::vector<std::size_t>& by_recovers,
                              std::size_t k, double least_left) const;

  const ClassInstance& instance_;
  const Weight scale_;
  const double slack_, rounding_;
  mutable ChainMarks chains_;
  mutable std::vector<double> most_;  // of each chain that is marked
  const double literal_cost_;
};

}  // namespace laconic
