// Estimated duration of a pass in parts.
//
// The nodes of a pass grow exponentially with its prices, so a pass planned to just fit into the remaining time is
// easily too long, and then wasted, or too short. But it has many parts, none of them is a large share of it, and all
// grow at similar rates. Once a twelfth of it is done (measured by the nodes of the parts in an earlier pass), the
// total can be estimated from that pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "base/options.hpp"

namespace laconic {

// The plan of a pass.
struct PassPlan {
  std::vector<std::uint64_t> nodes_before;  // of each part in an earlier pass, by its first literal; empty: equal
  double seconds = 0;                       // of work; the pass is abandoned if it would take more,
  bool can_go_farther = false;              // or less than half of them, while higher prices are possible
};

class PassForecast {
 public:
  PassForecast(PassPlan plan, const std::vector<std::uint16_t>& first_literals, SharedOptions options)
      : plan_(std::move(plan)), options_(std::move(options)) {
    const auto& before = plan_.nodes_before;
    for (auto l : first_literals)
      before_.push_back(l < before.size() ? static_cast<double>(std::max<std::uint64_t>(1, before[l])) : 1);
    for (auto n : before_) all_before_ += n;
  }

  // Records a finished part. All parts together, including unfinished ones, have taken `n_so_far` nodes in `seconds`.
  // Returns false if the pass should be abandoned. May be called by several threads.
  bool goes_on(std::size_t part, std::uint64_t n_nodes, std::uint64_t n_so_far, double seconds_so_far) {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_before_ += before_[part];
    done_ += static_cast<double>(n_nodes);
    const double share = done_before_ / all_before_;
    if (share < options_->pass_told) return true;
    seconds_ =
        seconds_so_far * done_ / share / static_cast<double>(n_so_far) * (1 + options_->pass_later_grow * (1 - share));
    return seconds_ <= plan_.seconds &&
           !(plan_.can_go_farther && share < options_->pass_soon && seconds_ < plan_.seconds / 2);
  }

  // Estimated seconds of the whole pass; zero: not known yet.
  double seconds() const { return seconds_; }

 private:
  const PassPlan plan_;
  const SharedOptions options_;
  std::mutex mutex_;
  std::vector<double> before_;
  double all_before_ = 0, done_before_ = 0, done_ = 0, seconds_ = 0;
};

}  // namespace laconic
