// Bindings of the prices for certificates of covering problems.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/proof.hpp"
#include "bindings/python_control.hpp"
#include "proof/cover.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic {

void bind_cover_proof(nb::module_& m) {
  nb::class_<CoverSolver>(m, "CoverPrices", "Integer prices for one covering problem, feasible for every rule.")
      .def(
          "__init__",
          [](CoverSolver* self, Holds pos, Holds neg, Cost rule_cost, Cost literal_cost) {
            new (self) CoverSolver(cover_of_rows(pos.data(), pos.shape(1), neg.data(), neg.shape(1), pos.shape(0),
                                                 rule_cost, literal_cost),
                                   0);
          },
          "pos"_a, "neg"_a, "rule_cost"_a, "literal_cost"_a)
      .def(
          "relax",
          [](CoverSolver& self, double seconds, const StopFlag& stop) {
            return with_control(seconds, stop, [&](Control& control) { return self.relax(control); });
          },
          "seconds"_a, "stop"_a, "Solve the linear relaxation; True when it is solved.")
      .def_prop_ro("scale", [](const CoverSolver&) { return CoverSolver::price_scale(); })
      .def("prices", &CoverSolver::prices)
      .def("shares", &CoverSolver::shares);
}

}  // namespace laconic
