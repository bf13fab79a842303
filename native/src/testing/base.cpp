// Access to parts of base/ for tests.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <stdexcept>

#include "base/part_pool.hpp"
#include "testing/testing.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic {
namespace {

// Runs parts that only count their calls; returns whether all were done, and the count of each.
std::pair<bool, std::vector<int>> run_counting_parts(std::size_t n_parts, std::size_t threads, std::size_t fails_at,
                                                     std::size_t throws_at) {
  std::vector<std::atomic<int>> times(n_parts);
  const std::atomic<std::size_t> n_threads{threads};
  Control never(-1);
  bool complete = false;
  {
    nb::gil_scoped_release release;
    complete = run_parts(n_parts, n_threads, never, [&](Control&) -> PartWorker {
      return [&](std::size_t part) {
        if (part == throws_at) throw std::runtime_error("a part failed");
        ++times[part];
        return part != fails_at;
      };
    });
  }
  return {complete, std::vector<int>(times.begin(), times.end())};
}

}  // namespace

void bind_base_parts(nb::module_& m) {
  m.def("run_parts", &run_counting_parts, "n_parts"_a, "threads"_a, "fails_at"_a, "throws_at"_a,
        "Run parts that count themselves: (whether all are done, how often each was).");
}

}  // namespace laconic
