// How long a pass in parts will take.
//
// The nodes of a pass grow exponentially with its prices, so a pass that should just fit into what is left of the time
// is easily planned too long, and is then lost, or too short. But its parts are many, none of them is a large part of
// it, and each grows much as the others do: once a twelfth of it is done (of what the parts took in a pass before), the
// rest can be told from that pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "base/options.hpp"

namespace laconic {

// What a pass is planned by.
struct PassPlan {
  std::vector<std::uint64_t>
      nodes_before;             // of each part in an earlier pass, by its first literal; none: as many of each
  double seconds = 0;           // of work; given up if it would take more,
  bool can_go_farther = false;  // or less than half of them, and it can be made with higher prices
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

  // A part is done. All of them have taken `n_so_far` nodes, those of unfinished ones included, in so many seconds.
  // False: the pass should be given up. May be called by several threads.
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

  // What the pass takes in all; zero: not told yet.
  double seconds() const { return seconds_; }

 private:
  const PassPlan plan_;
  const SharedOptions options_;
  std::mutex mutex_;
  std::vector<double> before_;
  double all_before_ = 0, done_before_ = 0, done_ = 0, seconds_ = 0;
};

}  // namespace laconic
