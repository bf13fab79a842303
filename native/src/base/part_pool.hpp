// One job in parts, on as many threads as there are at the time.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "base/control.hpp"

namespace laconic {

// Does the part with this number; false: the job is given up.
using PartWorker = std::function<bool(std::size_t part)>;

// Does the parts 0 … n_parts - 1, each by one worker; true if all are done. Every thread makes a worker of its own with
// a control of its own; that of the calling thread is `control`. `threads` may grow while the parts are done: helpers
// join as long as parts are left. What a worker throws is thrown here once all threads have ended.
bool run_parts(std::size_t n_parts, const std::atomic<std::size_t>& threads, Control& control,
               const std::function<PartWorker(Control&)>& make_worker);

}  // namespace laconic
