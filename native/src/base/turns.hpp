// A search that runs in turns, in a thread of its own. Between turns it is paused, at any point of its work, so neither
// its steps nor its answer depend on when turns end.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "base/control.hpp"

namespace laconic {

class Turns {
 public:
  using Clock = Control::Clock;

  explicit Turns(std::function<void(Control&)> work) : work_(std::move(work)) {}
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  ~Turns() {
    stop();
    if (thread_.joinable()) thread_.join();
  }

  // Runs until the search ends by itself, the seconds (< 0: no limit) have passed, or the units of work are done; a
  // unit is one reading of the clock (Control::pause_at). The calling thread calls interrupted() at once and then about
  // every 10 ms; if it returns true, the search is stopped and has ended when this returns.
  void take(double seconds, const std::function<bool()>& interrupted, std::uint64_t units = kAnyWork) {
    const bool limited = seconds >= 0;
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(limited ? seconds : 0));
    const bool at_once = interrupted();
    std::unique_lock lock(mutex_);
    stopping_ = at_once;
    pausing_ = false;
    working_ = true;
    pause_at_ = units == kAnyWork ? kAnyWork : looks_ + units;
    if (thread_.joinable())
      wake_.notify_all();
    else
      thread_ = std::thread([this] { run(); });
    while (working_) {
      auto until = Clock::now() + std::chrono::milliseconds(10);
      if (limited && !pausing_) until = std::min(until, deadline);
      wake_.wait_until(lock, until, [this] { return !working_; });
      if (!working_) break;
      if (limited && Clock::now() >= deadline) pausing_ = true;
      lock.unlock();
      const bool wanted = interrupted();
      lock.lock();
      if (wanted) stopping_ = true;
    }
    lock.unlock();
    if (stopping_ || ended_) join();
  }

  bool stands_still() const { return thread_.joinable(); }

  // Units of work done in all turns.
  std::uint64_t work() const { return looks_; }

  // Longest polling interval, over all threads that have ended.
  double longest_silence() const { return longest_silence_; }

  // Stops a paused search, and waits until it has ended.
  void end() {
    stop();
    join();
  }

 private:
  void stop() {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }

  // Rethrows an exception of the search.
  void join() {
    if (!thread_.joinable()) return;
    thread_.join();
    thread_ = std::thread();
    ended_ = false;
    if (const auto error = std::exchange(error_, nullptr)) std::rethrow_exception(error);
  }

  void run() {
    try {
      Control control(-1, [this] { return hold(); }, std::chrono::milliseconds(2));
      control_ = &control;
      before_ = looks_;
      if (stopping_) control.stop();
      if (pause_at_ != kAnyWork) control.pause_at(pause_at_ - before_);
      work_(control);
      looks_ = before_ + control.looks();
      longest_silence_ = std::max(longest_silence_, control.longest_silence());
    } catch (...) {
      error_ = std::current_exception();
    }
    std::unique_lock lock(mutex_);
    working_ = false;
    ended_ = true;
    wake_.notify_all();
  }

  // Called by the search: pauses between turns; returns true if the search must stop.
  bool hold() {
    const std::uint64_t done = before_ + control_->looks();
    if ((pausing_ || done >= pause_at_) && !stopping_) {
      std::unique_lock lock(mutex_);
      looks_ = done;
      working_ = false;
      wake_.notify_all();
      wake_.wait(lock, [this] { return working_ || stopping_; });
      control_->pause_at(pause_at_ == kAnyWork ? kAnyWork : pause_at_ - before_);
    }
    return stopping_;
  }

  static constexpr std::uint64_t kAnyWork = ~std::uint64_t{0};

  const std::function<void(Control&)> work_;
  Control* control_ = nullptr;  // control of the search; only its thread uses it
  // readings of the clock in all turns, and before this thread
  std::uint64_t looks_ = 0, before_ = 0, pause_at_ = kAnyWork;
  // under the mutex, or while the search is paused
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::exception_ptr error_;
  double longest_silence_ = 0;            // seconds
  bool working_ = false, ended_ = false;  // under the mutex
  std::atomic<bool> pausing_{false}, stopping_{false};
};

}  // namespace laconic
