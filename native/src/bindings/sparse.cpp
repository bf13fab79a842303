// Bindings of the sparse solver: one object per class, advanced in turns.
#include "bindings/sparse.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <type_traits>

#include "bindings/arrays.hpp"
#include "bindings/python_control.hpp"
#include "sparse/compulsory_solver.hpp"
#include "sparse/solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic {
namespace {

// SparseSolver and CompulsorySolver have the same interface in Python.
template <class Solver>
void bind_solver(nb::module_& m, const char* name, const char* doc) {
  using Search = InTurns<Solver>;
  nb::class_<Search> bound(m, name, doc);
  bind_turns<Solver>(bound);
  bound
      .def(
          "__init__",
          [](Search* self, Bits bits, Holds allowed, Integers in_class, Integers outside, Weight rule_cost,
             Weight literal_cost, const OptionValues& options, std::size_t max_length) {
            constexpr bool compulsory = std::is_same_v<Solver, CompulsorySolver>;
            auto instance = make_instance(bits.data(), bits.shape(0), bits.shape(1), in_class.shape(0), allowed.data(),
                                          in_class.data(), outside.data(), literal_cost, rule_cost, Weighing::net,
                                          compulsory ? Keep::all : Keep::undominated);
            instance.options = options_with(options);
            instance.max_length = max_length;
            if constexpr (compulsory)
              new (self) Search(std::move(instance));
            else
              new (self) Search(std::move(instance), false);
          },
          "bits"_a, "allowed"_a, "in_class"_a, "outside"_a, "rule_cost"_a, "literal_cost"_a, "options"_a = nb::dict(),
          "max_length"_a = kAnyLength)
      .def("best",
           [](Search& self) {
             self.settle();
             return self.solver.best();
           })
      .def("counts",
           [](const Search& self) {
             const SparseCounts c = self.solver.counts();
             return std::map<std::string, std::uint64_t>{{"rules", c.rules},
                                                         {"nodes", c.nodes},
                                                         {"iterations", c.iterations},
                                                         {"pricing_nodes", c.pricing_nodes}};
           })
      .def_prop_ro("lower_bound", [](const Search& self) { return self.solver.bound(); })
      .def_prop_ro("upper_bound", [](const Search& self) { return self.solver.cost(); })
      .def_prop_ro("proved", [](const Search& self) { return self.solver.proved(); })
      .def_prop_ro("shares_work", [](const Search& self) { return self.solver.shares_work(); })
      .def_prop_ro("finished", [](const Search& self) { return self.solver.proved() && !self.stands_still(); });
  bound.def(
      "incumbent", [](const Search& self) { return self.solver.best(); },
      "The best rules so far; the search may stand still.");
}

}  // namespace

void bind_sparse(nb::module_& m) {
  bind_solver<SparseSolver>(m, "SparseSolver", "The cheapest rules for one class, errors and size paid together.");
  bind_solver<CompulsorySolver>(m, "CompulsorySolver", "The same for a class that must have a rule.");
}

}  // namespace laconic
