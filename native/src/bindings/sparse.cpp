// The sparse solver as Python sees it: one object per class, advanced in slices of time.
#include "bindings/sparse.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <numeric>
#include <type_traits>

#include "bindings/arrays.hpp"
#include "bindings/python_control.hpp"
#include "sparse/best_rule.hpp"
#include "sparse/candidates.hpp"
#include "sparse/compulsory_solver.hpp"
#include "sparse/listed/set_enumeration.hpp"
#include "sparse/pricing/row_dual.hpp"
#include "sparse/solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic {
namespace {

// SparseSolver and CompulsorySolver look the same to Python.
template <class Solver>
void bind_solver(nb::module_& m, const char* name, const char* doc) {
  using Search = InTurns<Solver>;
  nb::class_<Search> bound(m, name, doc);
  bind_turns<Solver>(bound);
  bound
      .def(
          "__init__",
          [](Search* self, Bits bits, Holds allowed, Integers in_class, Integers outside, Weight rule_cost,
             Weight literal_cost) {
            constexpr bool compulsory = std::is_same_v<Solver, CompulsorySolver>;
            auto instance =
                make_instance(bits.data(), bits.shape(0), bits.shape(1), in_class.shape(0), allowed.data(),
                              in_class.data(), outside.data(), literal_cost, rule_cost, Weighing::net, compulsory);
            if constexpr (compulsory)
              new (self) Search(std::move(instance));
            else
              new (self) Search(std::move(instance), false);
          },
          "bits"_a, "allowed"_a, "in_class"_a, "outside"_a, "rule_cost"_a, "literal_cost"_a)
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

// Listing alone: every rule that can matter, rows with weight on both sides a row of each; None if there are more than
// `cap`.
nb::object list_candidates(Bits bits, Holds allowed, Integers in_class, Integers outside, Weight rule_cost,
                           Weight literal_cost, std::size_t cap, double seconds, const StopFlag& flag) {
  const ClassInstance instance =
      make_instance(bits.data(), bits.shape(0), bits.shape(1), in_class.shape(0), allowed.data(), in_class.data(),
                    outside.data(), literal_cost, rule_cost, Weighing::gross);
  RulePool pool(instance);
  const bool complete =
      with_control(seconds, flag, [&](Control& control) { return enumerate_candidates(instance, cap, control, pool); });
  if (!complete) return nb::none();
  std::vector<std::vector<std::int32_t>> out(pool.size());
  for (std::size_t r = 0; r < pool.size(); ++r)
    for (std::size_t k = 0; k < pool.length(r); ++k) out[r].push_back(instance.literal_code[pool.body(r)[k]]);
  return nb::cast(out);
}

// The enumeration of sets alone, of all candidates. Each one's price is its reduced cost (there are no prices of rows),
// so that sets better than none have prices that add up to less than what no set costs. Returns what the best one
// costs.
Weight cheapest_enumerated(Bits bits, Holds allowed, Integers in_class, Integers outside, Weight rule_cost,
                           Weight literal_cost) {
  const ClassInstance instance =
      make_instance(bits.data(), bits.shape(0), bits.shape(1), in_class.shape(0), allowed.data(), in_class.data(),
                    outside.data(), literal_cost, rule_cost);
  Control never(-1);
  RulePool pool(instance);
  enumerate_candidates(instance, ~std::size_t{0}, never, pool);
  std::vector<Survivor> survivors;
  for (std::uint32_t r = 0; r < pool.size(); ++r) survivors.push_back({r, static_cast<double>(pool.price(r))});
  Incumbent best{instance.pos.total, {}};
  enumerate_sets(instance, pool, survivors, static_cast<double>(best.cost - 1), ~std::uint64_t{0}, best, never);
  return best.cost + instance.constant;
}

// Integer prices and shares of blame alone, with each row a group: (scale, price of each positive, share of each pair
// of a negative and a positive per unit of either weight).
nb::tuple row_dual(std::vector<Weight> pos_weight, std::vector<Weight> neg_weight, std::vector<double> prices,
                   std::vector<float> blame) {
  ClassInstance instance;
  Grouping grouping;
  grouping.problem.pos_weight = pos_weight;
  grouping.problem.neg_weight = neg_weight;
  for (std::uint32_t i = 0; i < pos_weight.size(); ++i) grouping.pos_group.push_back(i);
  for (std::uint32_t j = 0; j < neg_weight.size(); ++j) grouping.neg_group.push_back(j);
  instance.pos = make_side(std::move(pos_weight));
  instance.neg = make_side(std::move(neg_weight));
  const RowDual out = to_rows(instance, grouping, {std::move(prices), std::move(blame)});
  std::vector<std::vector<double>> shares;
  for (const auto& row : out.blame) {
    shares.emplace_back(out.n_pos_groups, 0.0);
    for (const auto& [g, unit] : row) shares.back()[g] = unit;
  }
  return nb::make_tuple(out.scale, out.y, shares);
}

// Greedy covering alone: by the best rule each time, and by rules that grow literal by literal.
std::pair<std::vector<std::vector<std::int32_t>>, std::vector<std::vector<std::int32_t>>> greedy_coverings(
    Bits bits, Holds allowed, Integers in_class, Integers outside, Weight rule_cost, Weight literal_cost) {
  const ClassInstance instance =
      make_instance(bits.data(), bits.shape(0), bits.shape(1), in_class.shape(0), allowed.data(), in_class.data(),
                    outside.data(), literal_cost, rule_cost, Weighing::net);
  const auto in_codes = [&](std::vector<std::vector<std::uint16_t>> rules) {
    std::vector<std::vector<std::int32_t>> out;
    for (const auto& body : rules) {
      out.emplace_back();
      for (const auto l : body) out.back().push_back(instance.literal_code[l]);
    }
    return out;
  };
  Control never(-1);
  return {in_codes(greedy_rules(instance, 0, never)), in_codes(grown_rules(instance, never))};
}

}  // namespace

void bind_sparse(nb::module_& m) {
  bind_solver<SparseSolver>(m, "SparseSolver", "The cheapest rules for one class, errors and size paid together.");
  bind_solver<CompulsorySolver>(m, "CompulsorySolver", "The same for a class that must have a rule.");
  nb::class_<PassForecast>(m, "PassForecast", "How long a pass over all rules will take, told from its first parts.")
      .def(
          "__init__",
          [](PassForecast* self, std::vector<std::uint64_t> before, double seconds, bool can_go_farther) {
            std::vector<std::uint16_t> literals(before.size());
            std::iota(literals.begin(), literals.end(), std::uint16_t{0});
            new (self) PassForecast({std::move(before), seconds, can_go_farther}, literals);
          },
          "before"_a, "seconds"_a, "can_go_farther"_a)
      .def("goes_on", &PassForecast::goes_on, "part"_a, "n_nodes"_a, "n_so_far"_a, "seconds_so_far"_a)
      .def_prop_ro("seconds", &PassForecast::seconds);
  m.def("list_candidates", &list_candidates, "bits"_a, "allowed"_a, "in_class"_a, "outside"_a, "rule_cost"_a,
        "literal_cost"_a, "cap"_a, "seconds"_a, "stop"_a);
  m.def("cheapest_enumerated", &cheapest_enumerated, "bits"_a, "allowed"_a, "in_class"_a, "outside"_a, "rule_cost"_a,
        "literal_cost"_a, "What the best set costs, by trying all sets of rules that may be in it.");
  m.def("row_dual", &row_dual, "pos_weight"_a, "neg_weight"_a, "prices"_a, "blame"_a,
        "Prices and blame (by negative, then positive) in integers, or rounded so that no negative blames more than "
        "its weight.");
  m.def("greedy_coverings", &greedy_coverings, "bits"_a, "allowed"_a, "in_class"_a, "outside"_a, "rule_cost"_a,
        "literal_cost"_a,
        "Rules that pay, one after another: the best one each time, and the best that grows literal by literal.");
}

}  // namespace laconic
