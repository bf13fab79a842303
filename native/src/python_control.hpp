// Running a search under Python: the GIL released, Ctrl-C and another thread's wish to stop heeded.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>

#include "control.hpp"

namespace laconic {

// Lets another thread stop a search.
class StopFlag {
 public:
  void raise_flag() { raised_.store(true); }
  bool raised() const { return raised_.load(); }

 private:
  std::atomic<bool> raised_{false};
};

// Calls run(control) with the GIL released. A pending KeyboardInterrupt stops the search and is
// raised afterwards; only the main thread sees signals, others watch the flag.
template <class Run>
auto with_control(double seconds, const StopFlag& flag, Run run) {
  Control control(seconds, [&flag] {
    if (flag.raised()) return true;
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
