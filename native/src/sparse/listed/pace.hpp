// How long the primal's steps may be.
//
// Steps that are safe for any move (the diagonal rule that the ascent starts from) are ten to a hundred times shorter
// than those that its own moves need: most shares of blame are zero and most claims lie at a limit, so neither feels
// the other. As in PDLP (Applegate and others, 2021) what was felt decides: with the primal's move p and the dual's
// move d, each measured by its steps, convergence asks for 2 |<d, K p>| <= |p|^2 + |d|^2. Far from it, steps grow, ever
// more slowly; near it they shrink at once. Steps never get shorter than the safe ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/options.hpp"

namespace laconic {

class Pace {
 public:
  explicit Pace(const Options& options) : care_(options.ascent_care), slower_(options.ascent_slower) {}

  // Times the safe step.
  float factor() const { return factor_; }

  void primal_moved(double square) { now_.moved += square; }
  void dual_moved(double square) { now_.moved += square; }
  // <d, K p> of the last step, known only when the primal looks at the duals again.
  void felt(double product) { felt_ += product; }

  // Once the primal has moved: judges the step before.
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
  // Once the duals have moved, too: what follows is made with the new factor.
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
