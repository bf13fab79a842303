#include "sparse/pass_trust.hpp"

#include <algorithm>
#include <cmath>

namespace laconic {

PassTrust::PassTrust(SharedOptions options)
    : options_(std::move(options)), value_(options_->pass_trust), growth_(options_->pass_growth) {}

double PassTrust::most_growth() const { return std::max(options_->pass_least_growth, options_->pass_most_growth); }

double PassTrust::growth_between(const PassFigures& from, const PassFigures& to) const {
  const double growth = std::log(to.nodes / from.nodes) / (to.trust - from.trust);
  return std::clamp(growth, options_->pass_least_growth, most_growth());
}

void PassTrust::succeed(double n_nodes, std::vector<std::uint64_t> part_nodes, std::uint64_t limit) {
  PassFigures now{value_, n_nodes, std::move(part_nodes)};
  if (last_.nodes > 0 && value_ > last_.trust + 0.02) growth_ = growth_between(last_, now);
  last_ = std::move(now);
  value_ = std::min(1.0, value_ + std::max(0.05, std::log(static_cast<double>(limit) / n_nodes) / growth_));
}

void PassTrust::fail(std::uint64_t limit) {
  const double ahead = last_.nodes > 0 ? std::log(static_cast<double>(limit) / last_.nodes) : 0;
  if (ahead <= 0 || value_ < last_.trust + 0.02) {
    value_ *= 0.85;
    last_ = {};
    return;
  }
  growth_ = std::clamp(ahead / (value_ - last_.trust), growth_, std::max(growth_, most_growth()));
  value_ = std::min(0.95 * value_, last_.trust + 0.6 * ahead / growth_);
}

void PassTrust::interrupt() { value_ = std::max(0.2, 0.7 * value_); }

}  // namespace laconic
