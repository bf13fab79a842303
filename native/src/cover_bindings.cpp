// The covering solver as Python sees it: one object per class, stages as methods, the GIL released inside them.
#include "cover_bindings.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "cover_solver.hpp"
#include "python_control.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic {
namespace {

using Bits = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<std::int64_t> to_vector(const Indices& a) { return {a.data(), a.data() + a.shape(0)}; }

class PyCoverSolver {
 public:
  PyCoverSolver(Bits bits, std::vector<std::int32_t> literals, Indices positives, Indices negatives, Cost rule_cost,
                Cost literal_cost, std::uint64_t seed)
      : solver_(make_cover_instance(bits.data(), bits.shape(1), literals, to_vector(positives), to_vector(negatives),
                                    rule_cost, literal_cost),
                seed) {}

  bool advance(double seconds, StopFlag& flag) {
    return with_control(seconds, flag, [&](Control& control) { return solver_.advance(control); });
  }

  std::vector<std::vector<std::int32_t>> best() const { return in_codes(solver_.best()); }

  std::map<std::string, std::uint64_t> counts() const {
    const CoverCounts c = solver_.counts();
    return {{"lp_rounds", c.lp_rounds}, {"pivots", c.pivots}, {"pricing_nodes", c.pricing_nodes},
            {"columns", c.columns}, {"rows", c.rows}, {"enumerated", c.enumerated}, {"nodes", c.nodes}};
  }

  CoverSolver solver_;

 private:
  std::vector<std::vector<std::int32_t>> in_codes(const std::vector<Literals>& rules) const {
    std::vector<std::vector<std::int32_t>> out;
    for (const auto& rule : rules) {
      out.emplace_back();
      for (const auto l : rule) out.back().push_back(solver_.instance().code[static_cast<std::size_t>(l)]);
    }
    return out;
  }
};

}  // namespace

void bind_cover(nb::module_& m) {
  nb::class_<PyCoverSolver>(m, "CoverSolver", "The cheapest consistent rules that cover the positives of one class.")
      .def(nb::init<Bits, std::vector<std::int32_t>, Indices, Indices, Cost, Cost, std::uint64_t>(), "bits"_a,
           "literals"_a, "positives"_a, "negatives"_a, "rule_cost"_a, "literal_cost"_a, "seed"_a)
      .def("advance", &PyCoverSolver::advance, "seconds"_a, "stop"_a,
           "Work until proved, out of time (negative: no limit) or stopped; call again to go on. True when proved.")
      .def("best", &PyCoverSolver::best)
      .def("counts", &PyCoverSolver::counts)
      .def_prop_ro("lower_bound", [](const PyCoverSolver& s) { return s.solver_.lower_bound(); })
      .def_prop_ro("upper_bound", [](const PyCoverSolver& s) { return s.solver_.upper_bound(); })
      .def_prop_ro("relaxation", [](const PyCoverSolver& s) { return s.solver_.relaxation(); })
      .def_prop_ro("n_literals", [](const PyCoverSolver& s) { return s.solver_.instance().n_lit; })
      .def_prop_ro("finished", [](const PyCoverSolver& s) { return s.solver_.finished(); },
                   "Proved, or nothing more can be done.")
      .def_prop_ro("proved", [](const PyCoverSolver& s) { return s.solver_.proved(); });
}

}  // namespace laconic
