// Distance of complete passes from the stability centre.
//
// The value is 0 at the centre, which is feasible, and 1 at the ascended dual. The nodes of a pass grow exponentially
// with it, so the figures of two complete passes give the distance at which the next one fits its limit.
#pragma once

#include <cstdint>
#include <vector>

#include "base/options.hpp"

namespace laconic {

// A complete pass.
struct PassFigures {
  double trust = 0, nodes = 0;
  std::vector<std::uint64_t> part_nodes;
};

class PassTrust {
 public:
  explicit PassTrust(SharedOptions options);

  double value() const { return value_; }
  void set(double value) { value_ = value; }
  // Whether passes are as near to the centre as they get.
  bool is_near() const { return value_ < 0.2; }
  // The last complete pass; zero nodes: none, or it is outdated.
  const PassFigures& last() const { return last_; }

  // After a complete pass: moves to the distance that the limit should just allow.
  void succeed(double n_nodes, std::vector<std::uint64_t> part_nodes, std::uint64_t limit);
  // After a pass that exceeded the limit: the nodes grow faster than estimated.
  void fail(std::uint64_t limit);
  // After an interrupted pass: the next turn may be no longer.
  void interrupt();
  // Estimated growth between two passes, within a plausible range.
  double growth_between(const PassFigures& from, const PassFigures& to) const;

 private:
  double most_growth() const;

  const SharedOptions options_;
  double value_, growth_;  // of the logarithm of the nodes, per unit of trust
  PassFigures last_;
};

}  // namespace laconic
