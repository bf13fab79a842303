// Stopping a search: a deadline, a memory limit that the caller checks, and Ctrl-C.
//
// Long searches call should_stop() at every node. Most calls only increment a counter; the clock is read once in a
// while. The interrupt hook lets bindings/python_control.hpp check for signals without this file depending on Python.
// The longest polling interval of a search is measured, so the worst-case stopping latency is known.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace laconic {

class Control {
 public:
  using Clock = std::chrono::steady_clock;

  // seconds < 0 means no limit. interrupted() may be empty; it is called about every 10 ms, or as configured, and only
  // from the thread that owns this object.
  explicit Control(double seconds, std::function<bool()> interrupted = {},
                   std::chrono::milliseconds poll = std::chrono::milliseconds(10))
      : limited_(seconds >= 0), poll_(poll), interrupted_(std::move(interrupted)) {
    next_poll_ = begin_ + poll_;
    if (limited_)
      deadline_ = begin_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  bool should_stop() {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    if (++ticks_ % 64 != 0) return false;
    return check_now();
  }

  // Reads the clock at once; for loops with long steps.
  bool check_now() {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    const auto now = Clock::now();
    if (now - looked_ > longest_silence_.load(std::memory_order_relaxed)) longest_silence_ = now - looked_;
    looked_ = now;
    if (limited_ && now >= deadline_) stop();
    ++looks_;
    if (interrupted_ && (now >= next_poll_ || looks_ >= pause_at_)) {
      next_poll_ = now + poll_;
      const bool interrupted = interrupted_();
      looked_ = Clock::now();
      stood_still_ += (looked_ - now).count();
      if (interrupted) {
        was_interrupted_.store(true);
        stop();
      }
    }
    return stopped_.load(std::memory_order_relaxed);
  }

  // Seconds of running time, without the pauses between turns inside interrupted(). Safe to call from another thread.
  double worked() const {
    return seconds(Clock::now() - begin_ - Clock::duration(stood_still_.load(std::memory_order_relaxed)));
  }
  // Expected running time within some seconds to come if turns continue as before. Safe to call from another thread.
  double worked_of(Clock::duration time) const {
    return seconds(time) * worked() / std::max(1e-9, seconds(Clock::now() - begin_));
  }
  // Safe to call from another thread.
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  // Maximum number of seconds between two readings of the clock.
  double longest_silence() const { return seconds(longest_silence_.load(std::memory_order_relaxed)); }

  // Limits work instead of time: interrupted() is also called at this reading of the clock, counted from the first. The
  // number of readings depends on the work and not on its speed, so on one thread the search is then in the same state
  // on every machine.
  void pause_at(std::uint64_t looks) { pause_at_ = looks; }
  std::uint64_t looks() const { return looks_; }

  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool was_interrupted() const { return was_interrupted_.load(); }

 private:
  static double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

  const Clock::time_point begin_ = Clock::now();
  std::atomic<Clock::duration::rep> stood_still_{0};
  Clock::time_point looked_ = begin_;
  std::atomic<Clock::duration> longest_silence_{Clock::duration::zero()};
  bool limited_;
  std::chrono::milliseconds poll_;
  std::function<bool()> interrupted_;
  Clock::time_point deadline_{};
  Clock::time_point next_poll_{};
  std::atomic<bool> stopped_{false};
  std::atomic<bool> was_interrupted_{false};
  unsigned ticks_ = 0;
  std::uint64_t looks_ = 0, pause_at_ = ~std::uint64_t{0};
};

}  // namespace laconic
