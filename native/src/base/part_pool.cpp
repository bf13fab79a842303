// Helper threads live as long as the job: a pass over all rules takes a second or more, so starting threads costs
// little. Rival: a pool for the whole process. It would outlive its searches, break on fork, and hold threads that
// other classes could use.
#include "base/part_pool.hpp"

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace laconic {

bool run_parts(std::size_t n_parts, const std::atomic<std::size_t>& threads, Control& control,
               const std::function<PartWorker(Control&)>& make_worker) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false}, threw{false}, done{false};
  std::exception_ptr error;
  const auto work = [&](Control& own) {
    try {
      const PartWorker worker = make_worker(own);
      while (!failed) {
        const std::size_t part = next++;
        if (part >= n_parts) return;
        if (!worker(part)) failed = true;
      }
    } catch (...) {
      if (!threw.exchange(true)) error = std::current_exception();
      failed = true;
    }
  };
  const auto help = [&] {
    Control own(-1, [&] { return failed || control.stopped(); }, std::chrono::milliseconds(2));
    work(own);
  };
  std::vector<std::thread> helpers;
  const auto start_helpers = [&] {
    try {
      while (helpers.size() + 1 < threads && next < n_parts) helpers.emplace_back(help);
    } catch (const std::system_error&) {  // no more threads are available: the existing ones do the remaining parts
    }
  };
  start_helpers();
  std::thread starter;
  try {
    starter = std::thread([&] {
      for (; !done && next < n_parts; std::this_thread::sleep_for(std::chrono::milliseconds(2)))
        start_helpers();  // a short pause, because the job waits for the end of this thread
    });
  } catch (const std::system_error&) {
  }
  work(control);  // only this thread may call its control, which pauses between turns
  done = true;
  if (starter.joinable()) starter.join();
  for (auto& helper : helpers) helper.join();
  if (error) std::rethrow_exception(error);
  return !failed;
}

}  // namespace laconic
