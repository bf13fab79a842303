// Bindings of the prices for certificates of sparse problems.
#include "bindings/proof.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/python_control.hpp"
#include "proof/sparse.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic {
namespace {

using Bodies = std::vector<std::vector<std::uint16_t>>;

// (negative group, positive group, units) of every share.
using Units = std::vector<std::tuple<std::uint32_t, std::uint32_t, Weight>>;

Units units_of(const RowDual& dual) {
  Units out;
  for (std::size_t h = 0; h < dual.blame.size(); ++h)
    for (const auto& [g, units] : dual.blame[h])
      out.emplace_back(static_cast<std::uint32_t>(h), g, static_cast<Weight>(units));
  return out;
}

}  // namespace

void bind_sparse_proof(nb::module_& m) {
  nb::class_<SparsePrices>(m, "SparsePrices", "Integer prices for one sparse problem, feasible for every rule.")
      .def(
          "__init__",
          [](SparsePrices* self, Holds pos, const std::vector<Weight>& pos_weight, Holds neg,
             const std::vector<Weight>& neg_weight, Weight rule_cost, Weight literal_cost, Weight scale) {
            new (self) SparsePrices(instance_of_rows(pos.data(), pos_weight, neg.data(), neg_weight, pos.shape(0),
                                                     rule_cost, literal_cost),
                                    scale);
          },
          "pos"_a, "pos_weight"_a, "neg"_a, "neg_weight"_a, "rule_cost"_a, "literal_cost"_a, "scale"_a)
      .def(
          "raise_to",
          [](SparsePrices& self, Weight target, const Bodies& start, int rounds, double seconds, const StopFlag& stop) {
            return with_control(seconds, stop,
                                [&](Control& control) { return self.raise(target, start, rounds, control); });
          },
          "target"_a, "start"_a, "rounds"_a, "seconds"_a, "stop"_a,
          "True once no set of rules can cost less than target.")
      .def_prop_ro("stalled", &SparsePrices::stalled)
      .def_prop_ro("sum", &SparsePrices::sum, "Of the prices, scaled; negative if there are none yet.")
      .def("prices", [](const SparsePrices& self) { return self.dual().y; })
      .def("groups",
           [](const SparsePrices& self) { return std::make_pair(self.dual().pos_group, self.dual().neg_group); })
      .def("blame", [](const SparsePrices& self) { return units_of(self.dual()); })
      .def("splitters", &SparsePrices::splitters)
      .def("shares", &SparsePrices::shares);
}

}  // namespace laconic
