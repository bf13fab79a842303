// Access to parts of the covering search for tests, with inputs that no table gives.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "cover/conquer.hpp"
#include "cover/greedy.hpp"
#include "cover/listed_cover.hpp"
#include "cover/prune.hpp"
#include "cover/rebuild.hpp"
#include "cover/rule_list.hpp"
#include "cover/solver.hpp"
#include "testing/testing.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic {
namespace {

std::vector<std::int64_t> to_vector(const Integers& a) { return {a.data(), a.data() + a.shape(0)}; }

using Codes = std::vector<std::int32_t>;

Codes in_codes(const CoverInstance& instance, const Literals& rule) {
  Codes out;
  for (const auto l : rule) out.push_back(instance.code[static_cast<std::size_t>(l)]);
  return out;
}

std::vector<Word> to_words(const std::vector<std::int32_t>& members, std::size_t n) {
  std::vector<Word> out(words_for(n), 0);
  for (const auto i : members) set_bit(out.data(), static_cast<std::size_t>(i));
  return out;
}

Columns to_columns(std::size_t n_rows, const std::vector<std::vector<std::int32_t>>& covers,
                   const std::vector<Cost>& costs) {
  Columns out(words_for(n_rows));
  for (std::size_t k = 0; k < covers.size(); ++k) out.add({nullptr, 0, to_words(covers[k], n_rows).data(), costs[k]});
  return out;
}

// The branch and bound alone, with covers that no table gives.
nb::object cheapest_cover(std::size_t n_rows, const std::vector<std::vector<std::int32_t>>& covers,
                          const std::vector<Cost>& costs, Cost upper_bound, bool afresh) {
  const Columns columns = to_columns(n_rows, covers, costs);
  CoverBranch branch(n_rows, columns, 0, upper_bound, default_options(), afresh);
  Control never(-1);
  branch.run(never);
  if (!branch.improved()) return nb::none();
  return nb::cast(std::vector<std::size_t>(branch.best()));
}

// The conclusions from integer prices of rows about covers cheaper than a goal: whether there may be one, and which
// columns it may use.
nb::tuple judge_prices(const std::vector<std::vector<std::int32_t>>& covers, const std::vector<Cost>& costs,
                       const std::vector<std::int64_t>& prices, Cost goal) {
  NodeRelaxation::Proof proof;
  for (const auto price : prices) proof.total += price;
  for (std::size_t k = 0; k < covers.size(); ++k) {
    proof.slack.push_back(kBranchScale * costs[k]);
    for (const auto row : covers[k]) proof.slack.back() -= prices[static_cast<std::size_t>(row)];
  }
  const PriceVerdict verdict = judge(proof, goal);
  return nb::make_tuple(may_hold(verdict.bound, goal), std::vector<bool>(verdict.wanted.begin(), verdict.wanted.end()));
}

// The search over listed columns alone, which must cover every row: the chosen columns, and how many the reductions
// kept.
nb::tuple cheapest_listed(std::size_t n_rows, const std::vector<std::vector<std::int32_t>>& covers,
                          const std::vector<Cost>& costs) {
  const Columns columns = to_columns(n_rows, covers, costs);
  Control never(-1);
  ListedCover cover(n_rows, columns, default_options(), never);
  cover.run(never);
  return nb::make_tuple(cover.best(), cover.lower_bound(), cover.n_columns());
}

// Listing alone: the codes of the listed rules, and whether the list is complete.
nb::tuple list_all_rules(Bits bits, const std::vector<std::int32_t>& literals, Integers positives, Integers negatives,
                         Cost rule_cost, Cost literal_cost, std::uint64_t words) {
  const CoverInstance instance = make_cover_instance(bits.data(), bits.shape(1), literals, to_vector(positives),
                                                     to_vector(negatives), rule_cost, literal_cost);
  const RuleList list = list_rules(instance, Columns(instance.pos_words), words);
  std::vector<Codes> rules;
  for (std::size_t k = 0; k < list.rules.size(); ++k) rules.push_back(in_codes(instance, list.rules[k].rule()));
  return nb::make_tuple(rules, list.complete);
}

// Growing and pruning alone: for each set of remaining positives, and a positive to grow around or -1, the codes of the
// rule as grown, in order, and as pruned.
std::vector<std::pair<Codes, Codes>> grow_rules(Bits bits, const std::vector<std::int32_t>& literals,
                                                Integers positives, Integers negatives,
                                                const std::vector<std::pair<std::vector<std::int32_t>, int>>& wanted) {
  const CoverInstance instance =
      make_cover_instance(bits.data(), bits.shape(1), literals, to_vector(positives), to_vector(negatives), 1, 1);
  Conqueror conqueror(instance);
  RulePruner pruner(instance);
  std::vector<std::pair<Codes, Codes>> out;
  for (const auto& [left, seed] : wanted) {
    const std::vector<Word> rows = to_words(left, instance.n_pos);
    Literals rule = conqueror.next_rule(rows, seed < 0 ? nullptr : instance.lits(static_cast<std::size_t>(seed)));
    out.emplace_back(in_codes(instance, rule), Codes{});
    pruner.prune(rule, nullptr, rows.data());
    out.back().second = in_codes(instance, rule);
  }
  return out;
}

// Rebuilding alone: the first cover, and the cover after each of several calls with some rounds.
std::pair<std::vector<Codes>, std::vector<Codes>> rebuild_cover(Bits bits, const std::vector<std::int32_t>& literals,
                                                                Integers positives, Integers negatives,
                                                                std::uint64_t rounds, int times,
                                                                std::size_t most_columns, double seconds) {
  const CoverInstance instance =
      make_cover_instance(bits.data(), bits.shape(1), literals, to_vector(positives), to_vector(negatives), 1, 1);
  ColumnPool pool(instance);
  Control never(-1), limited(seconds);
  Random random(0);
  std::vector<std::size_t> chosen;
  greedy_cover(instance, pool, never, {}, chosen);
  std::pair<std::vector<Codes>, std::vector<Codes>> out;
  for (const std::size_t k : chosen) out.first.push_back(in_codes(instance, pool[k].rule()));
  CoverRebuilder rebuilder(instance, most_columns);
  for (int k = 0; k < times; ++k) chosen = rebuilder.run(pool, chosen, 0, rounds, random, limited);
  for (const std::size_t k : chosen) out.second.push_back(in_codes(instance, pool[k].rule()));
  return out;
}

// Exact pricing alone: the (codes, value) of the rules found, and whether the search was completed.
nb::tuple price_rules(Bits bits, std::vector<std::int32_t> literals, Integers positives, Integers negatives,
                      Cost rule_cost, Cost literal_cost, const std::vector<std::int64_t>& y, std::int64_t scale,
                      std::int64_t threshold, std::size_t max_columns, std::size_t keep_per_seed, bool unpriced_too) {
  const CoverInstance instance = make_cover_instance(bits.data(), bits.shape(1), literals, to_vector(positives),
                                                     to_vector(negatives), rule_cost, literal_cost);
  PricingRequest request;
  request.y = y.data();
  request.scale = scale;
  request.threshold = threshold;
  request.max_columns = max_columns;
  request.keep_per_seed = keep_per_seed;
  request.unpriced_too = unpriced_too;
  Control never(-1);
  RulePricer pricer(instance);
  const PricingAnswer answer = pricer.price(request, never);
  std::vector<std::pair<Codes, std::int64_t>> rules;
  for (std::size_t k = 0; k < answer.found.rules.size(); ++k)
    rules.emplace_back(in_codes(instance, answer.found.rules[k].rule()), answer.found.values[k]);
  return nb::make_tuple(rules, answer.exhausted);
}

}  // namespace

void bind_cover_parts(nb::module_& m) {
  m.def("cheapest_cover", &cheapest_cover, "n_rows"_a, "covers"_a, "costs"_a, "upper_bound"_a, "afresh"_a = false,
        "Columns of the cheapest cover below upper_bound, or None; afresh sets up every node's programme anew.");
  m.def("judge_prices", &judge_prices, "covers"_a, "costs"_a, "prices"_a, "goal"_a,
        "Whether prices, in units of 2^-20, leave room for a cover cheaper than goal, and for each column whether it "
        "may be in one.");
  m.def("cheapest_listed", &cheapest_listed, "n_rows"_a, "covers"_a, "costs"_a,
        "Columns of the cheapest cover, its proved bound, and how many columns were left after the reductions.");
  m.def("grow_rules", &grow_rules, "bits"_a, "literals"_a, "positives"_a, "negatives"_a, "wanted"_a,
        "For each (positives left, seed or -1) a consistent rule over some of them, as grown and as pruned.");
  m.def("rebuild_cover", &rebuild_cover, "bits"_a, "literals"_a, "positives"_a, "negatives"_a, "rounds"_a, "times"_a,
        "most_columns"_a, "seconds"_a,
        "A first cover, and the same after rounds of rebuilding, so many times; seconds < 0: no limit.");
  m.def("list_rules", &list_all_rules, "bits"_a, "literals"_a, "positives"_a, "negatives"_a, "rule_cost"_a,
        "literal_cost"_a, "words"_a,
        "Every rule that a cheapest cover needs, and whether the words allowed for all of them.");
  m.def("price_rules", &price_rules, "bits"_a, "literals"_a, "positives"_a, "negatives"_a, "rule_cost"_a,
        "literal_cost"_a, "y"_a, "scale"_a, "threshold"_a, "max_columns"_a, "keep_per_seed"_a, "unpriced_too"_a,
        "Rules with y(rule) - scale * price above threshold, and whether all were found.");
}

}  // namespace laconic
