// Running a search under Python: the GIL released, Ctrl-C, another thread's wish to stop and a limit of memory heeded.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>

#include "control.hpp"
#include "memory.hpp"

namespace laconic {

// Lets another thread stop a search; stops it itself when the process holds more memory than it may.
class StopFlag {
 public:
  explicit StopFlag(std::uint64_t memory_limit = 0) : memory_limit_(memory_limit) {}  // 0: no limit
  void raise_flag() { raised_.store(true); }
  bool raised() const { return raised_.load(); }
  // Once true, always true: what a search lets go of, its next step would take again.
  bool out_of_memory() const {
    if (memory_limit_ != 0 && resident_bytes() > memory_limit_) exceeded_.store(true);
    return exceeded_.load();
  }

 private:
  const std::uint64_t memory_limit_;
  std::atomic<bool> raised_{false};
  mutable std::atomic<bool> exceeded_{false};
};

// Calls run(control) with the GIL released. A pending KeyboardInterrupt stops the search and is
// raised afterwards; only the main thread sees signals, others watch the flag.
template <class Run>
auto with_control(double seconds, const StopFlag& flag, Run run) {
  Control control(seconds, [&flag] {
    if (flag.raised() || flag.out_of_memory()) return true;
    nanobind::gil_scoped_acquire hold;
    return PyErr_CheckSignals() != 0;
  });
  decltype(run(control)) result;
  {
    nanobind::gil_scoped_release release;
    result = run(control);
  }
  if (PyErr_Occurred()) throw nanobind::python_error();
  return result;
}

}  // namespace laconic
