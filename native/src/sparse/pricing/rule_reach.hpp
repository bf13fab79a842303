#pragma once

#include <cstdint>
#include <vector>

#include "sparse/class_instance.hpp"

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

// The children that can exceed -slack with later siblings: (c), (d) and (e) of sparse/pricing/rule_pricer.cpp.
class RuleReach {
 public:
  // `rounding`: relative rounding error of sums of positive numbers.
  RuleReach(const ClassInstance& instance, Weight scale, double slack, double rounding)
      : instance_(instance), scale_(scale), slack_(slack), rounding_(rounding),
        literal_cost_(static_cast<double>(instance.literal_cost * scale)) {}

  double price(std::size_t n_literals) const { return static_cast<double>(instance_.price(n_literals) * scale_); }
  bool enough(double value) const { return value + (value < 0 ? -value : value) * rounding_ > -slack_; }

  // Sorts the strongest first: the later siblings, the weak ones, then have little left to recover.
  static void sort(std::vector<PricedChild>& children);
  // Whether, with `n` literals in the parent, some child qualifies along the chords. Sorts the children.
  bool any_by_chords(std::vector<PricedChild>& children, std::size_t n) const;
  // Returns the indices of the children in falling order of recovery.
  static std::vector<std::size_t> by_recovers(const std::vector<PricedChild>& children);
  // Whether child k of sorted children qualifies, and which siblings it may need.
  bool contains(const std::vector<PricedChild>& children, const std::vector<std::size_t>& by_recovers, std::size_t n,
                std::size_t k, std::vector<std::size_t>& siblings) const;

 private:
  std::size_t needed_by_chords(const std::vector<PricedChild>& children, std::size_t n, std::size_t k,
                               double least_left) const;
  std::size_t needed_by_value(const std::vector<PricedChild>& children, const std::vector<std::size_t>& by_recovers,
                              std::size_t k, double least_left) const;

  const ClassInstance& instance_;
  const Weight scale_;
  const double slack_, rounding_, literal_cost_;
};

}  // namespace laconic
