// Runs one job in parts, on as many threads as are available at the time.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "base/control.hpp"

namespace laconic {

// Does the part with this number; returns false if the job was abandoned.
using PartWorker = std::function<bool(std::size_t part)>;

// Runs the parts 0 … n_parts - 1, each by one worker; returns true if all were completed. Every thread makes its own
// worker with its own control; that of the calling thread is `control`. `threads` may grow while the job runs: helpers
// join as long as parts remain. An exception of a worker is rethrown here once all threads have ended.
bool run_parts(std::size_t n_parts, const std::atomic<std::size_t>& threads, Control& control,
               const std::function<PartWorker(Control&)>& make_worker);

}  // namespace laconic
