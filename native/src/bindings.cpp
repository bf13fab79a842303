// The only file that knows Python: arrays in, arrays out, the GIL released.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "control.hpp"
#include "group_rows.hpp"
#include "sparse_solve.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Words2D = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> to_numpy(std::vector<T> values) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return {owned->data(), {owned->size()}, owner};
}

nb::tuple py_group_rows(Words2D rows) {
  laconic::RowGroups groups;
  {
    nb::gil_scoped_release release;
    groups = laconic::group_rows(rows.data(), rows.shape(0), rows.shape(1));
  }
  return nb::make_tuple(to_numpy(std::move(groups.group_of)), to_numpy(std::move(groups.first_row)));
}

using Bools2D = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Weights1D = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Asks Python for pending signals; must be called without the GIL, from the main thread.
bool python_interrupted() {
  nb::gil_scoped_acquire acquire;
  return PyErr_CheckSignals() != 0;
}

nb::dict py_solve_sparse_class(Words2D bits, Bools2D allowed, Weights1D in_class, Weights1D outside,
                               std::int64_t literal_cost, std::int64_t rule_cost, bool must_choose, double seconds,
                               nb::object on_progress) {
  laconic::SparseResult result;
  laconic::Control control(seconds, python_interrupted);
  {
    nb::gil_scoped_release release;
    const auto instance =
        laconic::make_instance(bits.data(), bits.shape(0), bits.shape(1), in_class.shape(0), allowed.data(),
                               in_class.data(), outside.data(), literal_cost, rule_cost);
    const auto report = [&](std::int64_t cost, std::int64_t bound) {
      nb::gil_scoped_acquire acquire;
      if (!on_progress.is_none()) on_progress(cost, bound);
    };
    result = laconic::solve_sparse(instance, must_choose, control, report);
  }
  if (control.was_interrupted()) throw nb::python_error();
  nb::list rules;
  for (const auto& body : result.rules) {
    nb::list codes;
    for (auto code : body) codes.append(code);
    rules.append(codes);
  }
  nb::dict out;
  out["rules"] = rules;
  out["cost"] = result.cost;
  out["lower_bound"] = result.bound;
  out["candidates"] = result.n_candidates;
  out["nodes"] = result.n_nodes;
  out["iterations"] = result.n_iterations;
  out["pricings"] = result.n_pricings;
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
  m.doc() = "Laconic's compiled kernels; import laconic.native, which picks the right build.";
  m.def("cpu_has_avx2", &cpu_has_avx2, "Whether this processor can run the AVX2 build.");
  m.def("group_rows", &py_group_rows, "rows"_a,
        "Group equal rows of a (n, words) uint64 matrix: (group of each row, first row of each group).");
  m.def("solve_sparse_class", &py_solve_sparse_class, "bits"_a, "allowed"_a, "in_class"_a, "outside"_a, "literal_cost"_a,
        "rule_cost"_a, "must_choose"_a, "seconds"_a, "on_progress"_a = nb::none(),
        "Solve the sparse problem of one class exactly, as far as the time allows.");
}
