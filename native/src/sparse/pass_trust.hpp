// How far from the centre complete passes are made.
//
// The value is 0 at the centre, which is feasible, and 1 at the ascended dual. The nodes of a pass grow exponentially
// with it, so two complete passes tell how far the next may go within its limit.
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
  // No pass is made much nearer to the centre.
  bool is_near() const { return value_ < 0.2; }
  // The last complete pass; zero nodes: none, or it tells nothing any more.
  const PassFigures& last() const { return last_; }

  // After a complete pass: as far as the limit should just allow.
  void succeed(double n_nodes, std::vector<std::uint64_t> part_nodes, std::uint64_t limit);
  // After one that exceeded the limit: the nodes must grow faster than was thought.
  void fail(std::uint64_t limit);
  // After one that was interrupted: the next turn may be no longer.
  void interrupt();
  // The growth between two passes, within the range that is believed.
  double growth_between(const PassFigures& from, const PassFigures& to) const;

 private:
  double most_growth() const;

  const SharedOptions options_;
  double value_, growth_;  // of the logarithm of the nodes, per unit of trust
  PassFigures last_;
};

}  // namespace laconic
