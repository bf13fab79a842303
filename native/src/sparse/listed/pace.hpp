// Step lengths of the primal.
//
// Steps that are safe for any move (the diagonal rule at the start of the ascent) are ten to a hundred times shorter
// than the moves of the ascent allow: most shares of blame are zero and most claims are at a limit, so neither reacts
// to the other. As in PDLP (Applegate and others, 2021), the measured reaction decides. With the primal's move p and
// the dual's move d, each measured in units of its steps, convergence requires 2 |<d, K p>| <= |p|^2 + |d|^2. Far from
// that limit steps grow, ever more slowly; near it they shrink at once. Steps are never shorter than the safe ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/options.hpp"

namespace laconic {

class Pace {
 public:
  explicit Pace(const Options& options) : care_(options.ascent_care), slower_(options.ascent_slower) {}

  // Step length in units of the safe step.
  float factor() const { return factor_; }

  void primal_moved(double square) { now_.moved += square; }
  void dual_moved(double square) { now_.moved += square; }
  // Adds to <d, K p> of the last step, which is known only when the primal reads the duals again.
  void felt(double product) { felt_ += product; }

  // Called once the primal has moved: judges the previous step.
  void adapt() {
    if (last_.moved > 0) {
      ++n_steps_;
      const double strain = std::max(kLeast, 2 * std::abs(felt_) / last_.moved);
      const double bearable = last_.factor * care_ / (strain * strain);
      const double grown = factor_ * (1 + std::pow(n_steps_ + 1, -slower_));
      factor_ = static_cast<float>(std::max(1.0, std::min(bearable, grown)));
    }
    felt_ = 0;
  }
  // Called once the duals have moved as well: later moves use the new factor.
  void end_step() { last_ = std::exchange(now_, {0, factor_}); }

 private:
  static constexpr double kLeast = 1e-6;
  const double care_, slower_;
  struct Step {
    double moved = 0;
    float factor = 1;
  };
  float factor_ = 1;
  double felt_ = 0, n_steps_ = 0;
  Step last_, now_;
};

}  // namespace laconic
