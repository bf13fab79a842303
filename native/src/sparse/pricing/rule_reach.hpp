#pragma once

#include <cstdint>
#include <vector>

#include "sparse/class_instance.hpp"

namespace laconic {

// A rule with one literal more than its parent: what is known of it before it is visited.
struct PricedChild {
  std::uint16_t literal;
  double recovers;  // M_l
  double gain;      // G_l
  double left;      // prices of the positives it keeps
  double counted;   // what these count now
  double value;     // of the rule with it, at most
  Weight kept;
  std::size_t at;  // of its cover
};

// Which children can get above -slack, with later siblings: (c), (d) and (e) of sparse/pricing/rule_pricer.cpp.
class RuleReach {
 public:
  // `rounding`: of sums of positive numbers, as a part of them.
  RuleReach(const ClassInstance& instance, Weight scale, double slack, double rounding)
      : instance_(instance), scale_(scale), slack_(slack), rounding_(rounding),
        literal_cost_(static_cast<double>(instance.literal_cost * scale)) {}

  double price(std::size_t n_literals) const { return static_cast<double>(instance_.price(n_literals) * scale_); }
  bool enough(double value) const { return value + (value < 0 ? -value : value) * rounding_ > -slack_; }

  // The strongest first: its later siblings, the weak ones, have little left to recover.
  static void sort(std::vector<PricedChild>& children);
  // Whether, with `n` literals in the parent, some child gets there along the chords. Sorts them.
  bool any_by_chords(std::vector<PricedChild>& children, std::size_t n) const;
  // The children's places in falling order of what they recover.
  static std::vector<std::size_t> by_recovers(const std::vector<PricedChild>& children);
  // Whether child k of sorted ones gets there; and which siblings can be among those that it needs.
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
