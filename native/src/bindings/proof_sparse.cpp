// Prices for certificates of sparse problems, as Python sees them.
#include "bindings/proof.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <numeric>

#include "bindings/arrays.hpp"
#include "bindings/python_control.hpp"
#include "proof/sparse.hpp"
#include "sparse/pricing/priced_rows.hpp"

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

// One pass of the pricer over any prices and blame, by row.
nb::tuple repair_prices(Holds pos, const std::vector<Weight>& pos_weight, Holds neg,
                        const std::vector<Weight>& neg_weight, Weight rule_cost, Weight literal_cost, Weight scale,
                        std::vector<Weight> prices, const Units& blame, Weight spare_prices, double spare_blame,
                        std::size_t threads, std::size_t width, const StopFlag& stop) {
  const ClassInstance instance =
      instance_of_rows(pos.data(), pos_weight, neg.data(), neg_weight, pos.shape(0), rule_cost, literal_cost);
  RowDual dual;
  dual.scale = scale;
  dual.y = std::move(prices);
  dual.n_pos_groups = pos_weight.size();
  dual.pos_group.resize(pos_weight.size());
  dual.neg_group.resize(neg_weight.size());
  std::iota(dual.pos_group.begin(), dual.pos_group.end(), 0u);
  std::iota(dual.neg_group.begin(), dual.neg_group.end(), 0u);
  dual.blame.resize(neg_weight.size());
  for (const auto& [j, i, units] : blame) dual.blame.at(j).emplace_back(i, static_cast<double>(units));
  PricingLimits limits;
  const std::atomic<std::size_t> n_threads{threads};
  if (threads > 0) limits.threads = &n_threads;
  if (width > 0) limits.width = width;
  const Pricing priced = with_control(-1, stop, [&](Control& control) {
    return price_what_counts(instance, dual, {spare_prices, spare_blame}, limits, control);
  });
  Bodies found;
  for (const auto& rule : priced.found) found.push_back(rule.body);
  return nb::make_tuple(priced.complete, dual.y, units_of(dual), found);
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
  m.def("repair_prices", &repair_prices, "pos"_a, "pos_weight"_a, "neg"_a, "neg_weight"_a, "rule_cost"_a,
        "literal_cost"_a, "scale"_a, "prices"_a, "blame"_a, "spare_prices"_a, "spare_blame"_a, "threads"_a, "width"_a,
        "stop"_a,
        "Lower prices until every rule that a pass (of so many literals tried first, 0: of all) meets is paid for: "
        "(complete, prices, blame, rules that were violated).");
}

}  // namespace laconic
