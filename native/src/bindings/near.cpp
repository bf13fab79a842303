// Bindings of the listing of near-optimal rules and sets of one class.
#include "bindings/near.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <numeric>
#include <optional>

#include "bindings/arrays.hpp"
#include "bindings/python_control.hpp"
#include "near/sets.hpp"
#include "proof/sparse.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic {
namespace {

using Bodies = std::vector<std::vector<std::int32_t>>;

constexpr Weight kMostPrecise = Weight{1} << 52;

// A power of two that rounds away little of the blame and keeps every sum exact.
Weight scale_for(const ClassInstance& in) {
  const Weight total = in.pos.total + in.neg.total + in.price(in.n_literals());
  Weight scale = 1;
  while (scale < 4096 * std::max<Weight>(1, in.pos.total) && 8 * scale * total < kMostPrecise) scale *= 2;
  return scale;
}

// One class: prices first, then the rules that fit a limit, then their sets. Costs exclude `constant`.
class NearOptimal {
 public:
  NearOptimal(Bits bits, Holds allowed, Integers in_class, Integers outside, Weight rule_cost, Weight literal_cost,
              bool gross)
      : in_(instance(bits, allowed, in_class, outside, rule_cost, literal_cost, gross, true)),
        prices_(instance(bits, allowed, in_class, outside, rule_cost, literal_cost, gross, false), scale_for(in_)) {
    const ClassInstance plain = instance(bits, allowed, in_class, outside, rule_cost, literal_cost, gross, false);
    plain_codes_ = plain.literal_code;
    pool_ = std::make_unique<RulePool>(in_);
    forget_prices();
  }

  // Raises the prices towards `target`; returns true while more rounds may help.
  bool raise(Weight target, const Bodies& start, int rounds, Control& control) {
    if (in_.pos.n_rows == 0) return false;
    std::vector<std::vector<std::uint16_t>> bodies;
    for (const auto& codes : start) {
      std::vector<std::uint16_t> body;
      for (const auto code : codes) {
        const auto at = std::find(plain_codes_.begin(), plain_codes_.end(), code);
        if (at != plain_codes_.end()) body.push_back(static_cast<std::uint16_t>(at - plain_codes_.begin()));
      }
      if (body.size() == codes.size()) bodies.push_back(std::move(body));
    }
    const bool reached = prices_.raise(target, bodies, rounds, control);
    if (prices_.sum() >= 0) dual_ = prices_.dual();
    return !reached && !prices_.stalled();
  }

  bool list(Weight max_cost, Weight min_alone, const std::vector<Weight>& min_pos, bool exchange, std::size_t cap,
            Control& control) {
    pool_ = std::make_unique<RulePool>(in_);
    return list_near_rules(in_, dual_, {max_cost, min_alone, min_pos, exchange, cap}, control, *pool_);
  }

  SetAnswer search(const SetRequest& request, Control& control) const {
    return search_sets(in_, dual_, *pool_, request, control);
  }

  Bodies bodies(const std::vector<std::uint32_t>& rules) const {
    Bodies out;
    for (const auto r : rules) {
      out.emplace_back();
      for (std::size_t k = 0; k < pool_->length(r); ++k) out.back().push_back(in_.literal_code[pool_->body(r)[k]]);
    }
    return out;
  }
  Bodies rules() const {
    std::vector<std::uint32_t> all(pool_->size());
    std::iota(all.begin(), all.end(), 0u);
    return bodies(all);
  }
  std::size_t n_rules() const { return pool_->size(); }
  Weight constant() const { return in_.constant; }
  // The lower bound that the prices prove, without `constant`.
  Weight bound() const {
    const Weight sum = std::accumulate(dual_.y.begin(), dual_.y.end(), Weight{0});
    return (sum + dual_.scale - 1) / dual_.scale;
  }

 private:
  static ClassInstance instance(const Bits& bits, const Holds& allowed, const Integers& in_class,
                                const Integers& outside, Weight rule_cost, Weight literal_cost, bool gross,
                                bool keep_copies) {
    return make_instance(bits.data(), bits.shape(0), bits.shape(1), in_class.shape(0), allowed.data(), in_class.data(),
                         outside.data(), literal_cost, rule_cost, gross ? Weighing::gross : Weighing::net,
                         keep_copies ? Keep::all : Keep::distinct);
  }
  // Resets the prices to zero, which is feasible and proves nothing.
  void forget_prices() {
    dual_.scale = 1;
    dual_.y.assign(in_.pos.n_rows, 0);
    dual_.pos_group.assign(in_.pos.n_rows, kNoGroup);
    dual_.neg_group.assign(in_.neg.n_rows, kNoGroup);
  }

  const ClassInstance in_;  // with duplicate literals, which hold on the same rows: they give rules with other words
  SparsePrices prices_;     // without duplicate literals
  std::vector<std::int32_t> plain_codes_;
  RowDual dual_;
  std::unique_ptr<RulePool> pool_;
};

}  // namespace

void bind_near(nb::module_& m) {
  nb::class_<NearOptimal>(m, "NearOptimal", "The sets of rules for one class that cost at most a limit.")
      .def(nb::init<Bits, Holds, Integers, Integers, Weight, Weight, bool>(), "bits"_a, "allowed"_a, "in_class"_a,
           "outside"_a, "rule_cost"_a, "literal_cost"_a, "gross"_a = false,
           "gross: a row with weight on both sides is a row of each, not of the heavier one alone.")
      .def(
          "raise_prices",
          [](NearOptimal& self, Weight target, const Bodies& start, int rounds, double seconds, const StopFlag& stop) {
            return with_control(seconds, stop, [&](Control& c) { return self.raise(target, start, rounds, c); });
          },
          "target"_a, "start"_a, "rounds"_a, "seconds"_a, "stop"_a, "True while more rounds may raise them further.")
      .def(
          "list_rules",
          [](NearOptimal& self, Weight max_cost, Weight min_alone, const std::vector<Weight>& min_pos, bool exchange,
             std::size_t cap, double seconds, const StopFlag& stop) {
            return with_control(seconds, stop,
                                [&](Control& c) { return self.list(max_cost, min_alone, min_pos, exchange, cap, c); });
          },
          "max_cost"_a, "min_alone"_a, "min_pos"_a, "exchange"_a, "cap"_a, "seconds"_a, "stop"_a,
          "List the rules of sets that cost at most max_cost; True if all were listed.")
      .def(
          "all_sets",
          [](NearOptimal& self, Weight max_cost, std::size_t cap, double seconds, const StopFlag& stop) {
            SetRequest request;
            request.max_cost = max_cost;
            request.cap = cap;
            const SetAnswer answer = with_control(seconds, stop, [&](Control& c) { return self.search(request, c); });
            std::vector<std::pair<Weight, Bodies>> sets;
            for (const auto& one : answer.sets) sets.emplace_back(one.cost, self.bodies(one.rules));
            return nb::make_tuple(answer.complete, sets, answer.n_nodes);
          },
          "max_cost"_a, "cap"_a, "seconds"_a, "stop"_a, "(complete, [(cost, rules)], nodes): the irredundant sets.")
      .def(
          "cheapest_within",
          [](NearOptimal& self, std::size_t most, std::size_t per_rule, std::size_t per_literal, Weight price,
             Weight max_paid, Weight step, double seconds, const StopFlag& stop) {
            SetRequest request;
            request.all = false;
            request.limit = {most, per_rule, per_literal, price};
            request.max_paid = max_paid;
            request.step = step;
            const SetAnswer answer = with_control(seconds, stop, [&](Control& c) { return self.search(request, c); });
            nb::object found = answer.sets.empty() ? nb::none() : nb::cast(self.bodies(answer.sets[0].rules));
            return nb::make_tuple(answer.complete, found, answer.n_nodes);
          },
          "most"_a, "per_rule"_a, "per_literal"_a, "price"_a, "max_paid"_a, "step"_a, "seconds"_a, "stop"_a,
          "(complete, rules or None, nodes): the cheapest set within a limit on rules or literals, if it costs at "
          "most\n"
          "max_paid. Costs leave out the price per unit of what is limited, which the class's prices include.")
      .def("rules", &NearOptimal::rules, "Those listed.")
      .def_prop_ro("n_rules", &NearOptimal::n_rules)
      .def_prop_ro("constant", &NearOptimal::constant)
      .def_prop_ro("bound", &NearOptimal::bound, "What the prices prove, net of the constant.");
}

}  // namespace laconic
