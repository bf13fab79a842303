// Access to parts of the sparse search for tests, with inputs that no table gives.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <numeric>

#include "bindings/arrays.hpp"
#include "proof/sparse.hpp"
#include "sparse/best_rule.hpp"
#include "sparse/candidates.hpp"
#include "sparse/listed/set_enumeration.hpp"
#include "sparse/pass_trust.hpp"
#include "sparse/pricing/priced_rows.hpp"
#include "sparse/round_policy.hpp"
#include "testing/testing.hpp"

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

// Listing alone: every rule that can matter, where a row with weight on both sides counts as a row of each; None if
// there are more than `cap`.
nb::object list_candidates(Bits bits, Holds allowed, Integers in_class, Integers outside, Weight rule_cost,
                           Weight literal_cost, std::size_t cap) {
  const ClassInstance instance =
      make_instance(bits.data(), bits.shape(0), bits.shape(1), in_class.shape(0), allowed.data(), in_class.data(),
                    outside.data(), literal_cost, rule_cost, Weighing::gross);
  RulePool pool(instance);
  Control never(-1);
  if (!enumerate_candidates(instance, cap, never, pool)) return nb::none();
  std::vector<std::vector<std::int32_t>> out(pool.size());
  for (std::size_t r = 0; r < pool.size(); ++r)
    for (std::size_t k = 0; k < pool.length(r); ++k) out[r].push_back(instance.literal_code[pool.body(r)[k]]);
  return nb::cast(out);
}

// The enumeration of sets alone, over all candidates. The price of each rule is its reduced cost (rows have no prices),
// so sets better than none have prices that sum to less than the cost of the empty set. Returns the cost of the best
// set.
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

// Greedy covering alone: with the best rule at each step, and with rules that grow literal by literal.
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

// One pass of the pricer over any prices and blame, by row.
nb::tuple repair_prices(Holds pos, const std::vector<Weight>& pos_weight, Holds neg,
                        const std::vector<Weight>& neg_weight, Weight rule_cost, Weight literal_cost, Weight scale,
                        std::vector<Weight> prices, const Units& blame, Weight spare_prices, double spare_blame,
                        std::size_t threads, std::size_t width) {
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
  Control never(-1);
  const Pricing priced = price_what_counts(instance, dual, {spare_prices, spare_blame}, limits, never);
  Bodies found;
  for (const auto& rule : priced.found) found.push_back(rule.body);
  return nb::make_tuple(priced.complete, dual.y, units_of(dual), found);
}

}  // namespace

void bind_sparse_parts(nb::module_& m) {
  nb::class_<AscentFigures>(m, "AscentFigures", "The outcome of an ascent.")
      .def(
          "__init__",
          [](AscentFigures* self, bool is_coarse, double best, double target, double n_pairs) {
            new (self) AscentFigures{is_coarse, best, target, n_pairs};
          },
          "is_coarse"_a, "best"_a, "target"_a, "n_pairs"_a);
  nb::class_<RoundPolicy>(m, "RoundPolicy", "What column generation does next.")
      .def(
          "__init__",
          [](RoundPolicy* self, bool is_large, const OptionValues& options) {
            new (self) RoundPolicy(options_with(options), is_large);
          },
          "is_large"_a, "options"_a = nb::dict())
      .def("n_steps", &RoundPolicy::n_steps, "is_coarse"_a)
      .def_prop_ro("max_pairs", &RoundPolicy::max_pairs)
      .def_prop_ro("is_first", &RoundPolicy::is_first)
      .def("note_ascent", &RoundPolicy::note_ascent, "ascent"_a, "n_steps"_a)
      .def("needs_finer_groups", nb::overload_cast<const AscentFigures&>(&RoundPolicy::needs_finer_groups, nb::const_),
           "ascent"_a)
      .def("needs_finer_groups",
           nb::overload_cast<const AscentFigures&, double, double>(&RoundPolicy::needs_finer_groups, nb::const_),
           "ascent"_a, "proved"_a, "cost"_a)
      .def("make_finer", &RoundPolicy::make_finer)
      .def("note_partial_pass", &RoundPolicy::note_partial_pass, "n_found"_a, "n_nodes"_a)
      .def("needs_pass", &RoundPolicy::needs_pass, "ascent"_a, "has_bound"_a, "pass_nodes"_a)
      .def("share_before_last_pass", &RoundPolicy::share_before_last_pass, "ascent"_a)
      .def("note_pass", &RoundPolicy::note_pass, "n_nodes"_a)
      .def("has_converged", &RoundPolicy::has_converged, "ascent"_a, "n_found"_a, "proved"_a, "cost"_a)
      .def("put_list_off", &RoundPolicy::put_list_off)
      .def_prop_ro("has_waited", &RoundPolicy::has_waited)
      .def("end_round", &RoundPolicy::end_round, "list_grew"_a, "pass_complete"_a);
  nb::class_<PassTrust>(m, "PassTrust", "How far from the centre complete passes are made.")
      .def(
          "__init__", [](PassTrust* self, const OptionValues& options) { new (self) PassTrust(options_with(options)); },
          "options"_a = nb::dict())
      .def_prop_ro("value", &PassTrust::value)
      .def_prop_ro("is_near", &PassTrust::is_near)
      .def_prop_ro("last_nodes", [](const PassTrust& self) { return self.last().nodes; })
      .def(
          "succeed", [](PassTrust& self, double nodes, std::uint64_t limit) { self.succeed(nodes, {}, limit); },
          "n_nodes"_a, "limit"_a)
      .def("fail", &PassTrust::fail, "limit"_a)
      .def("interrupt", &PassTrust::interrupt);
  nb::class_<PassForecast>(m, "PassForecast", "How long a pass over all rules will take, told from its first parts.")
      .def(
          "__init__",
          [](PassForecast* self, std::vector<std::uint64_t> before, double seconds, bool can_go_farther) {
            std::vector<std::uint16_t> literals(before.size());
            std::iota(literals.begin(), literals.end(), std::uint16_t{0});
            new (self) PassForecast({std::move(before), seconds, can_go_farther}, literals, default_options());
          },
          "before"_a, "seconds"_a, "can_go_farther"_a)
      .def("goes_on", &PassForecast::goes_on, "part"_a, "n_nodes"_a, "n_so_far"_a, "seconds_so_far"_a)
      .def_prop_ro("seconds", &PassForecast::seconds);
  m.def("list_candidates", &list_candidates, "bits"_a, "allowed"_a, "in_class"_a, "outside"_a, "rule_cost"_a,
        "literal_cost"_a, "cap"_a);
  m.def("cheapest_enumerated", &cheapest_enumerated, "bits"_a, "allowed"_a, "in_class"_a, "outside"_a, "rule_cost"_a,
        "literal_cost"_a, "What the best set costs, by trying all sets of rules that may be in it.");
  m.def("row_dual", &row_dual, "pos_weight"_a, "neg_weight"_a, "prices"_a, "blame"_a,
        "Prices and blame (by negative, then positive) in integers, or rounded so that no negative blames more than "
        "its weight.");
  m.def("greedy_coverings", &greedy_coverings, "bits"_a, "allowed"_a, "in_class"_a, "outside"_a, "rule_cost"_a,
        "literal_cost"_a,
        "Rules that pay, one after another: the best one each time, and the best that grows literal by literal.");
  m.def("repair_prices", &repair_prices, "pos"_a, "pos_weight"_a, "neg"_a, "neg_weight"_a, "rule_cost"_a,
        "literal_cost"_a, "scale"_a, "prices"_a, "blame"_a, "spare_prices"_a, "spare_blame"_a, "threads"_a, "width"_a,
        "Lower prices until every rule that a pass (of so many literals tried first, 0: of all) meets is paid for: "
        "(complete, prices, blame, rules that were violated).");
}

}  // namespace laconic
