// Which rules violate a dual?
//
// Value of a rule R under prices y and blame mu:
//     V(R) = sum_{i in pos R} (y_i - mu_i(neg R))+ - price(R).
// A depth-first search over literals finds all R with V(R) > -slack (slack = 0: the violated
// ones). Besides the prunings of sparse/candidates.cpp it cuts a subtree when
//   (a) the prices left, sum_{pos R} y, no longer pay for one more literal;
//   (b) some literal l of R recovers too little blame: M_l(R) = sum_{i in pos R} min(y_i,
//       mu_i(negatives that l alone excludes)) <= literal_cost - slack. For a feasible dual
//       V(R \ l) <= 0 and V(R) <= V(R \ l) - literal_cost + M_l(R), so R cannot qualify; M_l only
//       falls as literals are added. (When only violated rules are wanted, V(R) <= V(R \ l), and
//       R \ l, or a rule that dominates it, is visited itself.)
//   (c) V(R) + sum over the literals still open of (G_l - literal_cost)+ <= -slack, where G_l(R) =
//       sum_{i in pos R+l} mu_i(negatives of R that l excludes) * min(1, y_i / mu_i(neg R)). A positive whose blame
//       exceeds its price counts nothing until the excess is gone; x -> (x - excess)+ is convex, so on
//       0 <= x <= mu_i(neg R) it lies under the chord x * y_i / mu_i(neg R).
//       For a child, R + l and the literals after it, V(R) without what the positives that l loses count there.
//   (d) V(R + l) + sum over the literals m after l of (M_m(R) - literal_cost)+ <= -slack: the value of a child is known
//       before it is visited, and a literal recovers no more below it than at its parent.
//   (e) k more literals are needed for (c) or (d), and the prices left do not pay for k. A literal that keeps too few
//       prices to pay for k is not among them, so more may be needed without it.
// Nine in ten nodes have no child, so what only serves their children, domination above all, comes last.
// Repair. When a violated rule is met its prices are lowered until it is satisfied, at once. Prices
// only fall, so rules already passed, and subtrees already cut, stay satisfied; at the end the dual
// is feasible for all rules, and near-copies of one violated rule are paid for once, not once each.
// On large tables the subtrees below the root start from the same prices instead, whichever thread takes them; every row keeps
// the lowest price that any of them left it. Parts that repair the same rule twice cost a little of the bound there.
#include "sparse/pricing/rule_pricer.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>

#include "sparse/pricing/blame_frame.hpp"
#include "base/lanes.hpp"
#include "sparse/pricing/row_sums.hpp"
#include "sparse/pricing/rule_reach.hpp"

namespace laconic {
namespace {

// Numbers below are integers held in doubles: the scale keeps every sum under 2^53, so the
// arithmetic is exact, and the loops vectorise (there is no 64-bit integer product in AVX2).
// With shares that are no integers (RowDual), sums of at most 10^5 terms are off by at most 10^-11 of
// themselves; blame is then taken kTinyShare lower where it lowers a value, and higher where it is gained.
using Exact = double;
constexpr double kUlp = 0x1p-52;

struct Pair {
  double first, second;
};
// What only bounds is summed in single precision, eight rows at a time, and taken larger than its rounding error.
constexpr float kUlp32 = 0x1p-23f;
constexpr float kAbove = 1 + 2 * kUlp32;

constexpr double kBeyondRounding = 1e-9;  // of a sum of positive numbers, before part of it is taken off again
constexpr std::size_t kGainsAtOnce = 8;

class Pricer {
 public:
  Pricer(const ClassInstance& in, RowDual& dual, Exact slack, bool repair, const PricingLimits& limits,
         Control& control)
      : in_(in), dual_(dual), slack_(slack), repair_(repair), limits_(limits), control_(control),
        tiny_(dual.whole_units ? 0 : kTinyShare), noise_(10 * tiny_ * static_cast<double>(in.pos.total * dual.scale)),
        literal_cost_(static_cast<Exact>(in.literal_cost * dual.scale)),
        // Sums over many literals may pass 2^53, and what blame is worth is no integer: more than their rounding error.
        reach_(in, dual.scale, slack, 1e-12 + kUlp * static_cast<double>(in.pos.n_rows + in.neg.n_rows) + 3 * tiny_),
        y_(dual.y.begin(), dual.y.end()), pos_weight_(in.pos.weight.begin(), in.pos.weight.end()), neg_weight_(in.neg.weight.begin(), in.neg.weight.end()),
        most_rows_(static_cast<float>(std::max(in.pos.n_rows, in.neg.n_rows))) {
    excluded_.resize(in.neg.n_words);
    set_.resize(std::max(in.pos.n_words, in.neg.n_words));
    const std::size_t n_pos = in.pos.n_words * kWordBits, n_neg = in.neg.n_words * kWordBits;
    y_.resize(n_pos, 0), pos_weight_.resize(n_pos, 0);
    for (auto* floats : {&can_count_, &counts_, &missing_, &worth_, &weight_}) floats->assign(n_pos, 0.0f);
    for (std::size_t i = 0; i < n_pos; ++i) weight_[i] = static_cast<float>(pos_weight_[i]) * kAbove;
    for (auto* floats : {&blame_, &blame_worth_}) floats->assign(n_neg, 0.0f);
  }

  Pricing run() {
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    std::vector<Word> pos(wp), neg(wn);
    fill_all(pos.data(), in_.pos.n_rows, wp);
    fill_all(neg.data(), in_.neg.n_rows, wn);
    std::vector<std::uint16_t> literals(in_.n_literals());
    for (std::size_t l = 0; l < literals.size(); ++l) literals[l] = static_cast<std::uint16_t>(l);
    const BlameFrame top = whole_frame(in_, dual_, y_.size());
    Node root{pos.data(), neg.data(), &top, {}, {}, {}, {}, {}};
    out_.complete = open(root, literals, literals, 1e300, 1e300) && (limits_.threads ? visit_apart(root) : visit_all(root)) && !narrowed_;
    for (std::size_t i = 0; i < dual_.y.size(); ++i) dual_.y[i] = static_cast<Weight>(y_[i]);
    return std::move(out_);
  }

 private:
  std::vector<Word> covered_or_alone(const Word* neg) const {
    const std::size_t wn = in_.neg.n_words;
    std::vector<Word> rows(neg, neg + wn);
    const Word* alone = alone_.data() + alone_.size() - body_.size() * wn;
    for (std::size_t b = 0; b < body_.size(); ++b)
      for (std::size_t k = 0; k < wn; ++k) rows[k] |= alone[b * wn + k];
    return rows;
  }

  // charge_[m] = blame per unit of weight that the negatives in `set` put on the frame's m-th positive group; the last
  // place is for rows without a group.
  void charge(const BlameFrame& f, const Word* set) {
    charge_.assign(f.pos_ids.size() + 1, 0);
    mass_.assign(f.neg_ids.size() + 1, 0);
    for_each(set, in_.neg.n_words, [&](std::size_t j) { mass_[f.neg_at[j]] += neg_weight_[j]; });
    for (std::size_t k = 0; k < f.neg_ids.size(); ++k) {
      const Exact mass = mass_[k];
      if (mass == 0) continue;
      for (std::size_t e = f.start[k]; e < f.start[k + 1]; ++e) charge_[f.shares[e].at] += mass * f.shares[e].blame;
    }
  }
  // At most the blame charged to a row.
  Exact blame_of(const BlameFrame& f, std::size_t i) const { return charge_[f.pos_at[i]] * pos_weight_[i] * (1 - tiny_); }
  Exact at_most(Exact blame) const { return blame * (1 + 3 * tiny_); }

  // What the positives in both sets can still count, and what they count now, at most.
  Sums counts_of(const Word* a, const Word* b) {
    assign_and(set_.data(), a, b, in_.pos.n_words);
    const Sums sums = sum_rows(can_count_.data(), counts_.data(), set_.data(), in_.pos.n_words);
    return {above(sums.first), above(sums.second)};
  }
  float above(float sum_of_rows) const { return sum_of_rows * (1 + kUlp32 * (8 + most_rows_ / 8)); }

  // Value of the current rule; lowers prices if asked to.
  Exact value_of(const BlameFrame& f, const Word* pos, const Word* neg) {
    charge(f, neg);
    Exact sum = 0;
    for_each(pos, in_.pos.n_words, [&](std::size_t i) { sum += std::max(0.0, y_[i] - blame_of(f, i)); });
    const Exact over = sum * (1 + tiny_) - reach_.price(body_.size());
    if (over > 0 && repair_) {
      const double share = over / sum;
      Exact left = over;
      const auto cut = [&](std::size_t i, bool all) {
        const Exact part = std::max(0.0, y_[i] - blame_of(f, i));
        const Exact amount = std::min({part, left, all ? part : std::ceil(part * share) + 1});
        y_[i] = std::floor(y_[i] - amount);
        left -= amount;
      };
      for_each(pos, in_.pos.n_words, [&](std::size_t i) { cut(i, false); });
      if (left > 0) for_each(pos, in_.pos.n_words, [&](std::size_t i) { cut(i, true); });
    }
    return over;
  }

  // For the positives of the current rule (other rows: anything), rounded so that they never count too little:
  //   can_count_  the price;
  //   counts_     what it counts now;
  //   missing_    blame to be recovered before it counts; below zero: what it counts now;
  //   worth_      of a unit of recovered blame: min(1, price / blame).
  void look_at_positives(const BlameFrame& f, const Word* pos, const Word* neg) {
    charge(f, neg);
    for_each_word(pos, [&](std::size_t i) {
      const Exact y = y_[i], blame = blame_of(f, i), over = blame - y;
      can_count_[i] = static_cast<float>(y) * kAbove;
      counts_[i] = static_cast<float>(std::max(0.0, -over)) * kAbove;
      missing_[i] = static_cast<float>(over) - std::abs(static_cast<float>(over)) * (2 * kUlp32);
      worth_[i] = over > 0 ? static_cast<float>(y / blame) * kAbove : 1.0f;
    });
  }
  // Negatives that no open literal excludes stay: their blame comes off the prices for good.
  void take_unavoidable(const BlameFrame& f, const Word* pos, const Word* neg, const Word* stay) {
    if (!any(stay, in_.neg.n_words)) return;
    std::vector<Word> rest(neg, neg + in_.neg.n_words);
    for (std::size_t k = 0; k < rest.size(); ++k) rest[k] &= ~stay[k];
    charge(f, stay);
    for_each_word(pos, [&](std::size_t i) { can_count_[i] = static_cast<float>(std::max(0.0, y_[i] - blame_of(f, i))) * kAbove; });
    charge(f, rest.data());
    for_each_word(pos, [&](std::size_t i) {
      const Exact blame = blame_of(f, i), can = can_count_[i];
      worth_[i] = blame > can ? static_cast<float>(can / blame) * kAbove : 1.0f;
    });
  }
  // All rows of every word that holds a row of the set: what is not in it does no harm.
  template <class Visit>
  void for_each_word(const Word* set, Visit visit) const {
    for (std::size_t k = 0; k < in_.pos.n_words; ++k)
      if (set[k])
        for (std::size_t m = 0; m < kWordBits; ++m) visit(k * kWordBits + m);
  }

  // What each negative charges the positives of the current rule in all, at most, and what that is worth. Known for the
  // rows that the rule covers or that one of its literals alone excludes; elsewhere anything.
  void look_at_negatives(const BlameFrame& f, const Word* pos, const Word* neg) {
    std::vector<Pair> covered(f.pos_ids.size() + 1, {0, 0}), unit(f.neg_ids.size() + 1, {0, 0});  // weight, and what it is worth
    for_each(pos, in_.pos.n_words, [&](std::size_t i) {
      Pair& group = covered[f.pos_at[i]];
      group.first += pos_weight_[i];
      group.second += pos_weight_[i] * static_cast<Exact>(worth_[i]);
    });
    for (std::size_t k = 0; k < f.neg_ids.size(); ++k)
      for (std::size_t e = f.start[k]; e < f.start[k + 1]; ++e) {
        unit[k].first += f.shares[e].blame * covered[f.shares[e].at].first;
        unit[k].second += f.shares[e].blame * covered[f.shares[e].at].second;
      }
    const std::vector<Word> rows = covered_or_alone(neg);
    for_each(rows.data(), in_.neg.n_words, [&](std::size_t j) {
      const Pair& of_unit = unit[f.neg_at[j]];
      blame_[j] = static_cast<float>(at_most(of_unit.first * neg_weight_[j])) * kAbove;
      blame_worth_[j] = static_cast<float>(at_most(of_unit.second * neg_weight_[j])) * kAbove;
    });
  }

  struct Visit {
    std::size_t child;
    std::vector<std::uint16_t> extend;  // literals that can join it
  };
  // A rule, and which of its children are to be visited.
  struct Node {
    const Word *pos, *neg;
    const BlameFrame* outer;
    std::optional<BlameFrame> smaller;
    std::vector<PricedChild> children;
    std::vector<Word> covers;
    std::vector<std::uint16_t> survivors;  // literals that can dominate others below
    std::vector<Visit> visits;

    const BlameFrame& frame() const { return smaller ? *smaller : *outer; }
  };

  // `known`: the rule's value at most. `left`: what its positives can still count. False: a limit is reached.
  bool open(Node& node, const std::vector<std::uint16_t>& extend, const std::vector<std::uint16_t>& every, Exact known, Exact left) {
    const std::uint64_t n_nodes = all_nodes_ ? ++*all_nodes_ : out_.n_nodes + 1;
    ++out_.n_nodes;
    if (control_.should_stop() || n_nodes > limits_.nodes) return false;
    Exact value = known;
    if (known > -slack_ && !meet(*node.outer, node.pos, node.neg, value)) return false;
    if (extend.empty() || left - reach_.price(body_.size() + 1) <= -slack_) return true;
    node.smaller = narrowed(in_, *node.outer, node.pos, covered_or_alone(node.neg).data());
    if (!find_children(node, extend, value)) return true;
    plan_visits(node);
    if (node.visits.empty()) return true;
    drop_dominated(node, extend, every);
    plan_visits(node);
    if (repair_ && !meet_children(node)) return false;
    const std::size_t width = std::max<std::size_t>(1, limits_.width >> body_.size());
    if (node.visits.size() > width) {
      narrowed_ = true;
      node.visits.resize(width);
    }
    return true;
  }

  // The current rule, lowered to nothing where it is violated (or, without repair, its value). False: a limit is reached.
  bool meet(const BlameFrame& f, const Word* pos, const Word* neg, Exact& value) {
    value = value_of(f, pos, neg);
    if (value > -slack_ && (slack_ > 0 || value > noise_)) {
      if (out_.found.size() >= limits_.found) return false;
      out_.found.push_back({body_, value});
    }
    if (repair_) value = std::min(value, 0.0);
    return true;
  }
  // Children that are violated themselves, before any of them is searched: a quick look does not get to most of them, and parts that start
  // from the same prices would each pay for them and for near-copies in other parts.
  bool meet_children(const Node& node) {
    for (const auto& visit : node.visits) {
      const PricedChild& c = node.children[visit.child];
      if (c.value <= 0) continue;
      const Word* cover = node.covers.data() + c.at;
      Exact value;
      body_.push_back(c.literal);
      const bool going = meet(node.frame(), cover, cover + in_.pos.n_words, value);
      body_.pop_back();
      if (!going) return false;
    }
    return true;
  }

  bool visit_all(const Node& node) {
    for (const auto& visit : node.visits)
      if (!descend(node, visit)) return false;
    return true;
  }

  bool descend(const Node& parent, const Visit& visit) {
    const PricedChild& c = parent.children[visit.child];
    const std::size_t n_alone = alone_.size();
    push(c.literal, parent.neg);
    const Word* cover = parent.covers.data() + c.at;
    Node node{cover, cover + in_.pos.n_words, &parent.frame(), {}, {}, {}, {}, {}};
    const bool going = open(node, visit.extend, parent.survivors, c.value, c.left) && visit_all(node);
    alone_.resize(n_alone);
    body_.pop_back();
    return going;
  }

  // The root's children apart, each from the prices as they are now, on several threads. What they find and what they leave of the
  // prices does not depend on how many; if a limit is reached, nothing is found.
  bool visit_apart(const Node& root) {
    struct Part {
      std::vector<ViolatedRule> found;
      std::vector<Exact> y;
      std::uint64_t n_nodes = 0;
    };
    std::vector<Part> parts(root.visits.size());
    std::vector<std::uint16_t> literals;
    for (const auto& visit : root.visits) literals.push_back(root.children[visit.child].literal);
    std::optional<PassForecast> forecast;
    if (limits_.plan) forecast.emplace(*limits_.plan, literals, control_);
    const std::uint64_t n_own = out_.n_nodes;
    std::atomic<std::size_t> next{0};
    std::atomic<std::uint64_t> n_nodes{n_own}, n_found{out_.found.size()};
    std::atomic<bool> failed{false}, threw{false};
    std::exception_ptr error;
    const auto work = [&](Pricer& pricer) {
      while (!failed) {
        const std::size_t k = next++;
        if (k >= parts.size()) return;
        pricer.y_ = y_;
        pricer.out_ = {};
        pricer.all_nodes_ = &n_nodes;
        const bool complete = pricer.descend(root, root.visits[k]);
        n_found += pricer.out_.found.size();
        parts[k].n_nodes = pricer.out_.n_nodes;
        if (!complete || n_found > limits_.found || (forecast && !forecast->goes_on(k, parts[k].n_nodes, n_nodes - n_own))) failed = true;
        if (!pricer.out_.found.empty()) parts[k].found = std::move(pricer.out_.found), parts[k].y = pricer.y_;
      }
    };
    const auto work_under = [&](Control& control) {
      try {
        work(*std::make_unique<Pricer>(in_, dual_, slack_, repair_, limits_, control));
      } catch (...) {
        if (!threw.exchange(true)) error = std::current_exception();
        failed = true;
      }
    };
    const auto help = [&] {
      Control control(-1, [&] { return failed || control_.stopped(); }, std::chrono::milliseconds(2));
      work_under(control);
    };
    std::atomic<bool> done{false};
    std::vector<std::thread> helpers;
    const auto hire = [&] {
      try {
        while (helpers.size() + 1 < *limits_.threads && next < parts.size()) helpers.emplace_back(help);
      } catch (const std::system_error&) {  // no more threads to be had: those that are there do it
      }
    };
    hire();
    std::thread hirer;
    try {
      hirer = std::thread([&] {
        for (; !done && next < parts.size(); std::this_thread::sleep_for(std::chrono::milliseconds(2))) hire();  // short: the pass waits for its end
      });
    } catch (const std::system_error&) {
    }
    work_under(control_);  // only this thread may ask it: it stands still between turns
    done = true;
    if (hirer.joinable()) hirer.join();
    for (auto& helper : helpers) helper.join();
    if (error) std::rethrow_exception(error);
    out_.n_nodes = n_nodes;
    if (forecast) out_.reckoned_s = forecast->seconds();
    if (failed) {
      out_.n_nodes = limits_.nodes == kAnyNodes ? n_own : limits_.nodes;  // how many it was is a matter of chance
      out_.found.clear();
      return false;
    }
    out_.part_nodes.resize(in_.n_literals());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Part& part = parts[k];
      out_.part_nodes[literals[k]] = part.n_nodes;
      out_.found.insert(out_.found.end(), part.found.begin(), part.found.end());
      for (std::size_t i = 0; i < part.y.size(); ++i) y_[i] = std::min(y_[i], part.y[i]);
    }
    return true;
  }

  void plan_visits(Node& node) const {
    RuleReach::sort(node.children);
    node.visits.clear();
    const std::vector<std::size_t> by_recovers = RuleReach::by_recovers(node.children);
    std::vector<std::size_t> siblings;
    for (std::size_t k = 0; k < node.children.size(); ++k) {
      if (!reach_.contains(node.children, by_recovers, body_.size(), k, siblings)) continue;
      node.visits.push_back({k, {}});
      auto& extend = node.visits.back().extend;
      for (auto m : siblings) extend.push_back(node.children[m].literal);
      std::sort(extend.begin(), extend.end());
    }
  }

  // Open literals worth adding to the current rule, with their covers. False if even all of them
  // together recover too little.
  bool find_children(Node& node, const std::vector<std::uint16_t>& extend, Exact value) {
    const BlameFrame& f = node.frame();
    const Word *pos = node.pos, *neg = node.neg;
    std::vector<Word>& covers = node.covers;
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    const Exact next_cost = reach_.price(body_.size() + 1);
    const Exact needed = literal_cost_ - slack_;
    look_at_positives(f, pos, neg);
    look_at_negatives(f, pos, neg);
    // First with the blame of all positives here: cheap, and enough to lose most literals.
    std::vector<Likely> likely;
    std::vector<Word> stay(neg, neg + wn);
    for (std::uint16_t l : extend) {
      double worth;
      if (!is_likely(l, pos, neg, needed, worth)) continue;
      likely.push_back({l, std::max(0.0, worth - literal_cost_)});
      const Word* ln = in_.neg_of(l);
      for (std::size_t k = 0; k < wn; ++k) stay[k] &= ln[k];
    }
    std::sort(likely.begin(), likely.end(), [](const Likely& a, const Likely& b) {
      return a.brings != b.brings ? a.brings > b.brings : a.literal < b.literal;
    });
    if (!promise_enough(value, likely)) return false;
    take_unavoidable(f, pos, neg, stay.data());
    // Then with the positives that each keeps, those that promise most first: most rules end here, soon.
    std::vector<PricedChild> promising;
    for (const Likely& one : likely) {
      if (one.brings <= 0) break;
      const auto [left, counted] = counts_of(pos, in_.pos_of(one.literal));
      if (left - next_cost > -slack_) promising.push_back({one.literal, 0, one.brings + literal_cost_, left, counted, 0, 0, 0});
    }
    // A literal that promises nothing lowers what it joins, so a child that gets there is one of these, with others of them.
    if (value <= -slack_ && !reach_.any_by_chords(promising, body_.size())) return false;
    weigh_groups(f, pos);
    for (std::size_t k = 0; k < promising.size(); ++k) {
      if (!promise_enough(value, promising)) return false;
      PricedChild& c = promising[k];
      c.gain = std::min(c.gain, gain_of(f, c.literal, pos, neg) + kBeyondRounding * c.gain);
      if (k % kGainsAtOnce != kGainsAtOnce - 1 || value > -slack_) continue;
      std::vector<PricedChild> so_far = promising;
      if (!reach_.any_by_chords(so_far, body_.size())) return false;
    }
    if (!promise_enough(value, promising) || (value <= -slack_ && !reach_.any_by_chords(promising, body_.size()))) return false;
    // Row by row for those that may be visited, and whoever may join them.
    for (const Likely& one : likely) {
      const std::uint16_t l = one.literal;
      const Word* lp = in_.pos_of(l);
      const auto both = [pos, lp](std::size_t k) { return pos[k] & lp[k]; };
      const auto [left, counted] = counts_of(pos, lp);
      if (left - next_cost <= -slack_) continue;
      for (std::size_t k = 0; k < wn; ++k) excluded_[k] = neg[k] & ~in_.neg_of(l)[k];
      charge(f, excluded_.data());
      const Recovery found = recover(f, both);
      if (found.recovers <= needed) continue;
      const std::size_t at = covers.size();
      covers.resize(at + wp + wn);
      assign_and(covers.data() + at, pos, lp, wp);
      assign_and(covers.data() + at + wp, neg, in_.neg_of(l), wn);
      node.children.push_back({l, found.recovers, found.gain, left, counted, found.counts - next_cost, in_.pos.weigh(covers.data() + at), at});
    }
    return true;
  }

  // What a unit of recovered blame is worth to the positives of the current rule, by group.
  void weigh_groups(const BlameFrame& f, const Word* pos) {
    group_worth_.assign(f.pos_ids.size() + 1, 0);
    for_each(pos, in_.pos.n_words, [&](std::size_t i) { group_worth_[f.pos_at[i]] += pos_weight_[i] * static_cast<Exact>(worth_[i]); });
  }
  // G_l, but for rounding of what is left of a group. Summed by groups, which is much quicker than row by row.
  double gain_of(const BlameFrame& f, std::uint16_t l, const Word* pos, const Word* neg) {
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    const Word *lp = in_.pos_of(l), *ln = in_.neg_of(l);
    mass_.assign(f.neg_ids.size() + 1, 0);
    for (std::size_t k = 0; k < wn; ++k)
      for (Word w = neg[k] & ~ln[k]; w; w &= w - 1) {
        const std::size_t j = k * kWordBits + static_cast<std::size_t>(lowest_bit(w));
        mass_[f.neg_at[j]] += neg_weight_[j];
      }
    kept_worth_ = group_worth_;
    for (std::size_t k = 0; k < wp; ++k)
      for (Word w = pos[k] & ~lp[k]; w; w &= w - 1) {
        const std::size_t i = k * kWordBits + static_cast<std::size_t>(lowest_bit(w));
        kept_worth_[f.pos_at[i]] -= pos_weight_[i] * static_cast<Exact>(worth_[i]);
      }
    double gain = 0;
    for (std::size_t k = 0; k < f.neg_ids.size(); ++k) {
      if (mass_[k] == 0) continue;
      double part[4] = {};  // side by side: each waits for its own last sum only
      const BlameFrame::Share *share = f.shares.data() + f.start[k], *end = f.shares.data() + f.start[k + 1];
      for (; share + 4 <= end; share += 4)
        for (std::size_t m = 0; m < 4; ++m) part[m] += share[m].blame * kept_worth_[share[m].at];
      for (; share < end; ++share) part[0] += share->blame * kept_worth_[share->at];
      gain += mass_[k] * ((part[0] + part[1]) + (part[2] + part[3]));
    }
    return at_most(gain);
  }

  struct Likely {
    std::uint16_t literal;
    double brings;  // what it adds to a value, at most
  };
  bool promise_enough(double value, const std::vector<Likely>& likely) const {
    for (const auto& one : likely) value += one.brings;
    return reach_.enough(value);
  }
  bool promise_enough(double value, const std::vector<PricedChild>& children) const {
    for (const auto& child : children) value += std::max(0.0, child.gain - literal_cost_);
    return reach_.enough(value);
  }

  struct Recovery {
    Exact recovers;  // M_l
    double gain;     // G_l
    Exact counts;    // what the positives count then
  };
  // What the blame in charge_, taken off positives of the current rule, brings, at most.
  template <class WordAt>
  Recovery recover(const BlameFrame& f, const WordAt& word) {
    charge32_.resize(charge_.size());
    for (std::size_t g = 0; g < charge_.size(); ++g) charge32_[g] = static_cast<float>(at_most(charge_[g])) * kAbove;
    Eight recovers{}, gain{}, counts{};
    for_each_eight(in_.pos.n_words, word, [&](std::size_t row, const Eight& in) {
      const std::uint32_t* at = f.pos_at.data() + row;
      const float* c = charge32_.data();
      const Eight unit = {c[at[0]], c[at[1]], c[at[2]], c[at[3]], c[at[4]], c[at[5]], c[at[6]], c[at[7]]};
      Eight weight, worth, can, missing;
      load(weight, weight_.data() + row), load(worth, worth_.data() + row);
      load(can, can_count_.data() + row), load(missing, missing_.data() + row);
      const Eight blame = in * unit * weight;
      Eight most = in * can;
      lower(most, blame);
      recovers += most;
      gain += blame * worth;
      Eight more = in * missing - blame;  // below zero: counts
      lower(more, Eight{});
      counts += more;
    });
    return {above(sum(recovers)), above(sum(gain)), above(-sum(counts))};
  }

  // Whether a literal keeps enough positives and excludes enough blame, counted for all positives of the current rule.
  bool is_likely(std::uint16_t l, const Word* pos, const Word* neg, Exact needed, double& worth) {
    const Word* ln = in_.neg_of(l);
    if (in_.pos.weigh_and(pos, in_.pos_of(l)) <= in_.price(body_.size() + 1)) return false;
    // Without slack blame tells: no row blames more than its weight.
    if (slack_ > 0 && in_.neg.weigh_minus(neg, ln) <= in_.literal_cost) return false;
    const std::size_t wn = in_.neg.n_words;
    for (std::size_t k = 0; k < wn; ++k) set_[k] = neg[k] & ~ln[k];
    worth = above(sum_rows(blame_worth_.data(), set_.data(), wn));
    return (worth > needed || above(sum_rows(blame_.data(), set_.data(), wn)) > needed) && others_still_needed(l, needed);
  }

  // Whether each literal of the body, once l joins, still excludes alone enough weight, and enough blame.
  bool others_still_needed(std::uint16_t l, Exact needed) const {
    const std::size_t wn = in_.neg.n_words;
    const std::size_t first = alone_.size() - body_.size() * wn;
    const Word* ln = in_.neg_of(l);
    for (std::size_t b = 0; b < body_.size(); ++b) {
      const Word* alone = alone_.data() + first + b * wn;
      if (slack_ > 0 && in_.neg.weigh_and(alone, ln) <= in_.literal_cost) return false;
      float charged = 0;  // a part of the rows is enough, as a rule
      for (std::size_t k = 0; k < wn && charged <= needed; ++k)
        for (Word w = alone[k] & ln[k]; w; w &= w - 1) charged += blame_[k * kWordBits + static_cast<std::size_t>(lowest_bit(w))];
      if (charged * (1 + kUlp32 * most_rows_) <= needed) return false;
    }
    return true;
  }

  void push(std::uint16_t l, const Word* neg) {
    const std::size_t wn = in_.neg.n_words;
    const std::size_t first = alone_.size() - body_.size() * wn;
    const std::size_t at = alone_.size();
    alone_.resize(at + (body_.size() + 1) * wn);
    for (std::size_t k = 0; k < body_.size(); ++k)
      assign_and(alone_.data() + at + k * wn, alone_.data() + first + k * wn, in_.neg_of(l), wn);
    Word* own = alone_.data() + at + body_.size() * wn;
    for (std::size_t k = 0; k < wn; ++k) own[k] = neg[k] & ~in_.neg_of(l)[k];
    body_.push_back(l);
  }

  // Drops children that another literal dominates, be it open or not.
  void drop_dominated(Node& node, const std::vector<std::uint16_t>& extend, const std::vector<std::uint16_t>& every) {
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    const Word *pos = node.pos, *neg = node.neg;
    std::vector<PricedChild>& children = node.children;
    std::vector<Word>& covers = node.covers;
    constexpr double kClosed = -1;
    for (std::uint16_t l : every) {
      double worth;
      if (std::binary_search(extend.begin(), extend.end(), l) || !is_likely(l, pos, neg, literal_cost_ - slack_, worth)) continue;
      const std::size_t at = covers.size();
      covers.resize(at + wp + wn);
      assign_and(covers.data() + at, pos, in_.pos_of(l), wp);
      assign_and(covers.data() + at + wp, neg, in_.neg_of(l), wn);
      children.push_back({l, 0, kClosed, 0, 0, 0, in_.pos.weigh(covers.data() + at), at});
    }
    // Those that keep most first: only they can dominate the others.
    std::stable_sort(children.begin(), children.end(), [](const PricedChild& a, const PricedChild& b) { return a.kept > b.kept; });
    std::vector<char> dead(children.size(), 0);
    for (std::size_t a = 0; a < children.size(); ++a) {
      for (std::size_t b = 0; b < children.size() && !dead[a] && children[b].kept >= children[a].kept; ++b) {
        if (a == b || dead[b]) continue;
        const Word* ca = covers.data() + children[a].at;
        const Word* cb = covers.data() + children[b].at;
        if (!is_subset(ca, cb, wp) || !is_subset(cb + wp, ca + wp, wn)) continue;
        const bool equal = children[b].kept == children[a].kept && is_subset(ca + wp, cb + wp, wn);
        if (!equal || children[b].literal < children[a].literal) dead[a] = 1;
      }
    }
    std::size_t kept = 0;
    for (std::size_t a = 0; a < children.size(); ++a) {
      if (dead[a]) continue;
      node.survivors.push_back(children[a].literal);
      if (children[a].gain != kClosed) children[kept++] = children[a];
    }
    children.resize(kept);
  }

  const ClassInstance& in_;
  RowDual& dual_;
  const Exact slack_;
  const bool repair_;
  const PricingLimits limits_;
  bool narrowed_ = false;
  std::atomic<std::uint64_t>* all_nodes_ = nullptr;  // of all parts
  Control& control_;
  Pricing out_;
  const double tiny_, noise_;
  const Exact literal_cost_;
  const RuleReach reach_;
  std::vector<Exact> y_;
  std::vector<std::uint16_t> body_;
  std::vector<Word> alone_;
  std::vector<Exact> charge_, mass_, group_worth_, kept_worth_;
  std::vector<Exact> pos_weight_, neg_weight_;                                 // per row
  std::vector<float> charge32_, can_count_, counts_, missing_, worth_, weight_;  // per positive: look_at_positives
  std::vector<float> blame_, blame_worth_;                                     // per negative: look_at_negatives
  const float most_rows_;
  std::vector<Word> excluded_, set_;
};

}  // namespace

Pricing price_rules(const ClassInstance& instance, RowDual& dual, bool repair, const PricingLimits& limits,
                    Control& control) {
  return Pricer(instance, dual, 0, repair, limits, control).run();
}

Pricing enumerate_rules(const ClassInstance& instance, RowDual& dual, Weight slack,
                        const PricingLimits& limits, Control& control) {
  return Pricer(instance, dual, static_cast<Exact>(slack), false, limits, control).run();
}

}  // namespace laconic
