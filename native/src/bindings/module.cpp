// The module: arrays in, arrays out, the GIL released. Only this folder depends on Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "base/group_rows.hpp"
#include "base/memory.hpp"
#include "base/options.hpp"
#include "base/rule_cover.hpp"
#include "bindings/arrays.hpp"
#include "bindings/cover.hpp"
#include "bindings/near.hpp"
#include "bindings/predict.hpp"
#include "bindings/proof.hpp"
#include "bindings/python_control.hpp"
#include "bindings/sparse.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using laconic::Bits;

template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> to_numpy(std::vector<T> values) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return {owned->data(), {owned->size()}, owner};
}

nb::tuple py_group_rows(Bits rows) {
  laconic::RowGroups groups;
  {
    nb::gil_scoped_release release;
    groups = laconic::group_rows(rows.data(), rows.shape(0), rows.shape(1));
  }
  return nb::make_tuple(to_numpy(std::move(groups.group_of)), to_numpy(std::move(groups.first_row)));
}

nb::ndarray<nb::numpy, bool, nb::ndim<2>> py_rows_of_classes(Bits bits, std::size_t n_rows, std::size_t n_classes,
                                                             const std::vector<std::size_t>& targets,
                                                             const std::vector<std::vector<std::int32_t>>& rules) {
  const std::size_t words = bits.shape(1);
  const auto n_literals = static_cast<std::int32_t>(2 * bits.shape(0));
  if (targets.size() != rules.size() || n_rows > words * laconic::kWordBits)
    throw nb::value_error("arrays that do not fit");
  for (const std::size_t target : targets)
    if (target >= n_classes) throw nb::value_error("a rule predicts an unknown class");
  for (const auto& rule : rules)
    for (const std::int32_t literal : rule)
      if (literal < 0 || literal >= n_literals) throw nb::value_error("a rule uses an unknown feature");
  auto* out = new bool[n_rows * n_classes];
  nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
  {
    nb::gil_scoped_release release;
    laconic::rows_of_classes(bits.data(), words, n_rows, n_classes, targets, rules, out);
  }
  return {out, {n_rows, n_classes}, owner};
}

// Name, default, lowest and highest value, whether the value is an integer, help.
std::vector<std::tuple<std::string, double, double, double, bool, std::string>> py_options() {
  std::vector<std::tuple<std::string, double, double, double, bool, std::string>> out;
  for (const auto& o : laconic::option_table()) out.emplace_back(o.name, o.value, o.low, o.high, o.is_whole, o.help);
  return out;
}

bool cpu_has_avx2() {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

}  // namespace

NB_MODULE(LACONIC_MODULE, m) {
  m.doc() = "Laconic's compiled kernels; import laconic.runtime.native, which picks the right build.";
  m.def("cpu_has_avx2", &cpu_has_avx2, "Whether this processor can run the AVX2 build.");
  m.def("options", &py_options, "Every option: (name, default, lowest, highest, whether it is whole, help).");
  m.def("resident_bytes", &laconic::resident_bytes, "The memory that this process holds; 0 where nobody knows.");
  m.def("group_rows", &py_group_rows, "rows"_a,
        "Group equal rows of a (n, words) uint64 matrix: (group of each row, first row of each group).");
  m.def("rows_of_classes", &py_rows_of_classes, "bits"_a, "n_rows"_a, "n_classes"_a, "targets"_a, "rules"_a,
        "Whether a rule of each class covers each row: an (n_rows, n_classes) array. Rules are lists of literals.");
  nb::class_<laconic::StopFlag>(m, "StopFlag", "Raised by one thread to stop searches in others.")
      .def(nb::init<std::uint64_t>(), "memory_limit"_a = 0)
      .def("raise_flag", &laconic::StopFlag::raise_flag)
      .def("set_seconds_left", &laconic::StopFlag::set_seconds_left, "seconds"_a,
           "Say when all searches that heed the flag will be stopped: what they do last may depend on it.")
      .def("set_threads", &laconic::StopFlag::set_threads, "n"_a,
           "Let each search that is given this flag use so many threads, from its next turn on.")
      .def("out_of_memory", &laconic::StopFlag::out_of_memory, "Whether the process has held more than the limit.")
      .def("was_out_of_memory", &laconic::StopFlag::was_out_of_memory,
           "Whether that was seen before, without a look at the memory.");
  laconic::bind_cover(m);
  laconic::bind_predict(m);
  laconic::bind_sparse(m);
  laconic::bind_sparse_proof(m);
  laconic::bind_cover_proof(m);
  laconic::bind_near(m);
}
