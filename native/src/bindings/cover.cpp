// Bindings of the covering solver: one object per class, stages as methods, the GIL released inside them.
#include "bindings/cover.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "bindings/arrays.hpp"
#include "bindings/python_control.hpp"
#include "cover/solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic {
namespace {

std::vector<std::int64_t> to_vector(const Integers& a) { return {a.data(), a.data() + a.shape(0)}; }

using CoverSearch = InTurns<CoverSolver>;
using Codes = std::vector<std::int32_t>;

Codes in_codes(const CoverInstance& instance, const Literals& rule) {
  Codes out;
  for (const auto l : rule) out.push_back(instance.code[static_cast<std::size_t>(l)]);
  return out;
}

std::vector<Codes> best_in_codes(CoverSearch& search) {
  search.settle();
  std::vector<Codes> out;
  for (const auto& rule : search.solver.best()) out.push_back(in_codes(search.solver.instance(), rule));
  return out;
}

std::map<std::string, std::uint64_t> work_of(const CoverSearch& search) {
  const CoverCounts c = search.solver.counts();
  return {{"lp_rounds", c.lp_rounds}, {"pivots", c.pivots}, {"pricing_nodes", c.pricing_nodes},
          {"columns", c.columns},     {"rows", c.rows},     {"enumerated", c.enumerated},
          {"nodes", c.nodes}};
}

}  // namespace

void bind_cover(nb::module_& m) {
  nb::class_<CoverSearch> bound(m, "CoverSolver",
                                "The cheapest consistent rules that cover the positives of one class.");
  bind_turns<CoverSolver>(bound);
  bound
      .def(
          "__init__",
          [](CoverSearch* self, Bits bits, const std::vector<std::int32_t>& literals, Integers positives,
             Integers negatives, Cost rule_cost, Cost literal_cost, std::uint64_t seed, const OptionValues& options) {
            CoverInstance instance = make_cover_instance(bits.data(), bits.shape(1), literals, to_vector(positives),
                                                         to_vector(negatives), rule_cost, literal_cost);
            instance.options = options_with(options);
            new (self) CoverSearch(std::move(instance), seed);
          },
          "bits"_a, "literals"_a, "positives"_a, "negatives"_a, "rule_cost"_a, "literal_cost"_a, "seed"_a,
          "options"_a = nb::dict())
      .def("best", &best_in_codes)
      .def("counts", &work_of)
      .def_prop_ro("lower_bound", [](const CoverSearch& s) { return s.solver.lower_bound(); })
      .def_prop_ro(
          "upper_bound", [](const CoverSearch& s) { return s.solver.upper_bound(); },
          "Cost of the best cover; 0 before the first one.")
      .def_prop_ro("relaxation", [](const CoverSearch& s) { return s.solver.relaxation(); })
      .def_prop_ro("n_literals", [](const CoverSearch& s) { return s.solver.instance().n_lit; })
      .def_prop_ro(
          "finished", [](const CoverSearch& s) { return s.solver.finished() && !s.stands_still(); },
          "Proved, or nothing more can be done.")
      .def_prop_ro("proved", [](const CoverSearch& s) { return s.solver.proved(); });
}

}  // namespace laconic
