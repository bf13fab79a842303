// Running a search under Python, at once or in turns: the GIL released, Ctrl-C, another thread's wish to stop and a
// limit of memory heeded.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/control.hpp"
#include "base/memory.hpp"
#include "base/turns.hpp"

namespace laconic {

// Lets another thread stop a search; stops it itself when the process holds more memory than it may. Also says how many
// threads each search that heeds it may use, and until when all of them may go on.
class StopFlag {
 public:
  explicit StopFlag(std::uint64_t memory_limit = 0) : memory_limit_(memory_limit) {}  // 0: no limit
  void raise_flag() { raised_.store(true); }
  bool raised() const { return raised_.load(); }
  void set_threads(std::size_t n) { threads_.store(n); }
  std::size_t threads() const { return threads_.load(); }
  void set_seconds_left(double seconds) {
    end_.store(Control::Clock::now() +
               std::chrono::duration_cast<Control::Clock::duration>(std::chrono::duration<double>(seconds)));
  }
  Control::Clock::time_point end() const { return end_.load(); }
  std::uint64_t memory_limit() const { return memory_limit_; }
  // Once true, always true: what a search lets go of, its next step would take again.
  bool out_of_memory() const {
    if (memory_limit_ != 0 && resident_bytes() > memory_limit_) exceeded_.store(true);
    return exceeded_.load();
  }
  // Whether that was seen before, without a look at the memory.
  bool was_out_of_memory() const { return exceeded_.load(); }

 private:
  const std::uint64_t memory_limit_;
  std::atomic<bool> raised_{false};
  std::atomic<std::size_t> threads_{1};
  std::atomic<Control::Clock::time_point> end_{Control::Clock::time_point::max()};
  mutable std::atomic<bool> exceeded_{false};
};

// Whether a search has to stop; asked without the GIL. Only the main thread sees signals, others watch the flag.
inline std::function<bool()> watch(const StopFlag& flag) {
  return [&flag] {
    if (flag.raised() || flag.out_of_memory()) return true;
    nanobind::gil_scoped_acquire hold;
    return PyErr_CheckSignals() != 0;
  };
}

// Calls run(control) with the GIL released. A pending KeyboardInterrupt stops the search and is raised afterwards.
template <class Run>
auto with_control(double seconds, const StopFlag& flag, Run run) {
  Control control(seconds, watch(flag));
  decltype(run(control)) result;
  {
    nanobind::gil_scoped_release release;
    result = run(control);
  }
  if (PyErr_Occurred()) throw nanobind::python_error();
  return result;
}

template <class Solver>
auto tell(Solver& solver, const StopFlag& flag, int) -> decltype(solver.use(flag.threads(), flag.end())) {
  solver.use(flag.threads(), flag.end());
}
template <class Solver>
void tell(Solver&, const StopFlag&, long) {}  // works on one thread, and leaves the time to the caller

template <class Solver>
auto tell_memory(Solver& solver, const StopFlag& flag, int) -> decltype(solver.use_memory(flag.memory_limit())) {
  solver.use_memory(flag.memory_limit());
}
template <class Solver>
void tell_memory(Solver&, const StopFlag&, long) {}

template <class Solver>
auto done_at_once(Solver& solver, int) -> decltype(solver.try_at_once()) {
  return solver.try_at_once();
}
template <class Solver>
bool done_at_once(Solver&, long) {
  return false;
}

// A class's solver that is advanced in turns.
template <class Solver>
class InTurns {
 public:
  template <class... Arguments>
  explicit InTurns(Arguments&&... arguments)
      : solver(std::forward<Arguments>(arguments)...), turns_([this](Control& control) { solver.advance(control); }) {}
  InTurns(const InTurns&) = delete;
  InTurns(InTurns&&) = delete;

  // Works for some seconds (< 0: no limit) and then stands still; what is at hand by then may be looked at.
  bool take_turn(double seconds, const StopFlag& flag) { return take_turn_of(~std::uint64_t{0}, seconds, flag); }

  // The same within some units of work, too; then what it has done does not depend on the clock.
  bool take_turn_of(std::uint64_t units, double seconds, const StopFlag& flag) {
    tell(solver, flag, 0);
    tell_memory(solver, flag, 0);
    {
      nanobind::gil_scoped_release release;
      if (turns_.stands_still() || flag.raised() || !done_at_once(solver, 0)) turns_.take(seconds, watch(flag), units);
    }
    if (PyErr_Occurred()) throw nanobind::python_error();
    return solver.proved();
  }

  bool stands_still() const { return turns_.stands_still(); }
  double longest_silence() const { return turns_.longest_silence(); }
  std::uint64_t work() const { return turns_.work(); }

  // Ends what stands still, and takes in what it has found.
  void settle() {
    nanobind::gil_scoped_release release;
    turns_.end();
  }

  bool advance(double seconds, const StopFlag& flag) {
    take_turn(seconds, flag);
    settle();
    return solver.proved();
  }

  Solver solver;

 private:
  Turns turns_;  // after the solver: it ends first
};

// What `laconic.engines.schedule` asks of a search, apart from its answers.
template <class Solver, class Bound>
void bind_turns(Bound& bound) {
  using namespace nanobind::literals;
  bound
      .def("take_turn", &InTurns<Solver>::take_turn, "seconds"_a, "stop"_a,
           "Work for some seconds (negative: no limit), then stand still; the next turn goes on from there.")
      .def("settle", &InTurns<Solver>::settle, "End what stands still, and take in what it has found.")
      .def("advance", &InTurns<Solver>::advance, "seconds"_a, "stop"_a,
           "Take a turn and settle; True once the best set is proved best.")
      .def("take_turn_of", &InTurns<Solver>::take_turn_of, "units"_a, "seconds"_a, "stop"_a,
           "Do some units of work at most, within some seconds, then stand still; on one thread the work is the same "
           "everywhere.")
      .def_prop_ro("work", &InTurns<Solver>::work, "Units of work done so far.")
      .def_prop_ro("longest_silence", &InTurns<Solver>::longest_silence,
                   "Seconds that it went at most without asking whether to stop, once it is settled.");
}

}  // namespace laconic
