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
//       In (c) and (d) each chain of literals (sparse/chains.hpp) counts once, for the one that brings most.
//   (e) k more literals are needed for (c) or (d), and the prices left do not pay for k. A literal that keeps too few
//       prices to pay for k is not among them, so more may be needed without it.
// Nine in ten nodes have no child, so what only serves their children, domination above all, comes last.
// Repair. When a violated rule is met its prices are lowered until it is satisfied, at once. Prices
// only fall, so rules already passed, and subtrees already cut, stay satisfied; at the end the dual
// is feasible for all rules, and near-copies of one violated rule are paid for once, not once each.
// On large tables the subtrees below the root start from the same prices instead, whichever thread takes them; every
// row keeps the lowest price that any of them left it. Parts that repair the same rule twice cost a little of the bound
// there.
#include "sparse/pricing/rule_pricer.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <optional>

#include "base/part_pool.hpp"
#include "sparse/pricing/rule_reach.hpp"
#include "sparse/pricing/rule_sums.hpp"
#include "sparse/rule_body.hpp"

namespace laconic {
namespace {

constexpr double kUlp = 0x1p-52;
// relative to a sum of positive numbers, before part of it is subtracted again
constexpr double kBeyondRounding = 1e-9;

class Pricer {
 public:
  Pricer(const ClassInstance& in, RowDual& dual, Exact slack, bool repair, const PricingLimits& limits,
         Control& control)
      : in_(in), dual_(dual), slack_(slack), repair_(repair), limits_(limits), control_(control), sums_(in, dual),
        body_(in), chains_(in), noise_(10 * sums_.tiny * static_cast<double>(in.pos.total * dual.scale)),
        literal_cost_(static_cast<Exact>(in.literal_cost * dual.scale)),
        // Sums over many literals may exceed 2^53, and the worth of blame is not an integer; the margin is above their
        // rounding error.
        reach_(in, dual.scale, slack,
               1e-12 + kUlp * static_cast<double>(in.pos.n_rows + in.neg.n_rows) + 3 * sums_.tiny) {}

  Pricing run() {
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    std::vector<Word> pos(wp), neg(wn);
    fill_all(pos.data(), in_.pos.n_rows, wp);
    fill_all(neg.data(), in_.neg.n_rows, wn);
    std::vector<std::uint16_t> literals(in_.n_literals());
    for (std::size_t l = 0; l < literals.size(); ++l) literals[l] = static_cast<std::uint16_t>(l);
    const BlameFrame top = whole_frame(in_, dual_, sums_.y.size());
    Node root{pos.data(), neg.data(), &top, {}, {}, {}, {}, {}, {}};
    out_.complete = open(root, literals, literals, 1e300, 1e300) &&
                    (limits_.threads ? visit_apart(root) : visit_all(root)) && !narrowed_;
    for (std::size_t i = 0; i < dual_.y.size(); ++i) dual_.y[i] = static_cast<Weight>(sums_.y[i]);
    return std::move(out_);
  }

 private:
  std::vector<Word> covered_or_alone(const Word* neg) const {
    const std::size_t wn = in_.neg.n_words;
    std::vector<Word> rows(neg, neg + wn);
    for (std::size_t b = 0; b < body_.size(); ++b)
      for (std::size_t k = 0; k < wn; ++k) rows[k] |= body_.alone(b)[k];
    return rows;
  }

  // A rule, and which of its children are to be visited.
  struct Node {
    const Word *pos, *neg;
    const BlameFrame* outer;
    std::optional<BlameFrame> smaller;
    std::vector<PricedChild> children;
    std::vector<Word> covers;
    std::vector<std::uint16_t> survivors;  // literals that can dominate others below
    std::vector<std::size_t> by_recovers;  // children
    std::vector<std::size_t> visits;       // children

    const BlameFrame& frame() const { return smaller ? *smaller : *outer; }
  };

  // `known`: upper bound on the rule's value. `left`: the prices that its positives can still count. Returns false if a
  // limit is reached.
  bool open(Node& node, const std::vector<std::uint16_t>& extend, const std::vector<std::uint16_t>& every, Exact known,
            Exact left) {
    const std::uint64_t n_nodes = all_nodes_ ? ++*all_nodes_ : out_.n_nodes + 1;
    ++out_.n_nodes;
    if (control_.check_now() || n_nodes > limits_.nodes) return false;  // a node takes a millisecond on large tables
    Exact value = known;
    if (known > -slack_ && !meet(body_.literals(), *node.outer, node.pos, node.neg, value)) return false;
    if (extend.empty() || body_.size() >= in_.max_length || left - reach_.price(body_.size() + 1) <= -slack_)
      return true;
    node.smaller = narrowed(in_, *node.outer, node.pos, covered_or_alone(node.neg).data());
    if (!find_children(node, extend, value)) return true;
    plan_visits(node, 1);
    if (node.visits.empty()) return true;
    drop_dominated(node, extend, every);
    plan_visits(node, kAnyWidth);
    if (repair_ && !meet_children(node)) return false;
    const std::size_t width = std::max<std::size_t>(1, limits_.width >> body_.size());
    if (node.visits.size() > width) {
      narrowed_ = true;
      node.visits.resize(width);
    }
    return true;
  }

  // Returns the value of a rule, which is zero once it is repaired; false if a limit is reached.
  bool meet(const std::vector<std::uint16_t>& body, const BlameFrame& f, const Word* pos, const Word* neg,
            Exact& value) {
    value = sums_.overpaid(f, pos, neg, reach_.price(body.size()), repair_);
    if (value > -slack_ && (slack_ > 0 || value > noise_)) {
      if (out_.found.size() >= limits_.found) return false;
      out_.found.push_back({body, value});
    }
    if (repair_) value = std::min(value, 0.0);
    return true;
  }
  // Reports children that are violated themselves before any of them is searched. A partial pass does not reach most of
  // them, and parts that start from the same prices would each pay for them and for near-copies in other parts.
  bool meet_children(const Node& node) {
    std::vector<std::uint16_t> body = body_.literals();
    body.push_back(0);
    for (const std::size_t k : node.visits) {
      const PricedChild& c = node.children[k];
      if (c.value <= 0) continue;
      const Word* cover = node.covers.data() + c.at;
      Exact value;
      body.back() = c.literal;
      if (!meet(body, node.frame(), cover, cover + in_.pos.n_words, value)) return false;
    }
    return true;
  }

  bool visit_all(const Node& node) {
    for (const std::size_t k : node.visits)
      if (!descend(node, k)) return false;
    return true;
  }

  bool descend(const Node& parent, std::size_t k) {
    const PricedChild& c = parent.children[k];
    const std::vector<std::uint16_t> extend = reach_.siblings(parent.children, parent.by_recovers, body_.size(), k);
    body_.push(c.literal, parent.neg);
    const Word* cover = parent.covers.data() + c.at;
    Node node{cover, cover + in_.pos.n_words, &parent.frame(), {}, {}, {}, {}, {}, {}};
    const bool going = open(node, extend, parent.survivors, c.value, c.left) && visit_all(node);
    body_.pop();
    return going;
  }

  // Searches the root's children separately, each from the current prices, on several threads. The rules found and the
  // remaining prices do not depend on the number of threads; if a limit is reached, nothing is found.
  bool visit_apart(const Node& root) {
    struct Part {
      std::vector<ViolatedRule> found;
      std::vector<Exact> y;
      std::uint64_t n_nodes = 0;
    };
    std::vector<Part> parts(root.visits.size());
    std::vector<std::uint16_t> literals;
    for (const auto& visit : root.visits) literals.push_back(root.children[visit].literal);
    std::optional<PassForecast> forecast;
    if (limits_.plan) forecast.emplace(*limits_.plan, literals, in_.options);
    const double start = control_.worked();
    const std::uint64_t n_own = out_.n_nodes;
    std::atomic<std::uint64_t> n_nodes{n_own}, n_found{out_.found.size()};
    const bool complete = run_parts(parts.size(), *limits_.threads, control_, [&](Control& control) -> PartWorker {
      const auto pricer = std::make_shared<Pricer>(in_, dual_, slack_, repair_, limits_, control);
      return [&, pricer](std::size_t k) {
        pricer->sums_.y = sums_.y;
        pricer->out_ = {};
        pricer->all_nodes_ = &n_nodes;
        Part& part = parts[k];
        bool going = pricer->descend(root, root.visits[k]);
        n_found += pricer->out_.found.size();
        part.n_nodes = pricer->out_.n_nodes;
        going = going && n_found <= limits_.found &&
                (!forecast || forecast->goes_on(k, part.n_nodes, n_nodes - n_own, control_.worked() - start));
        if (!pricer->out_.found.empty()) part.found = std::move(pricer->out_.found), part.y = pricer->sums_.y;
        return going;
      };
    });
    out_.n_nodes = n_nodes;
    if (forecast) out_.reckoned_s = forecast->seconds();
    if (!complete) {
      out_.n_nodes = limits_.nodes == kAnyNodes ? n_own : limits_.nodes;  // the true number depends on chance
      out_.found.clear();
      return false;
    }
    out_.part_nodes.resize(in_.n_literals());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Part& part = parts[k];
      out_.part_nodes[literals[k]] = part.n_nodes;
      out_.found.insert(out_.found.end(), part.found.begin(), part.found.end());
      for (std::size_t i = 0; i < part.y.size(); ++i) sums_.y[i] = std::min(sums_.y[i], part.y[i]);
    }
    return true;
  }

  // The first `most` children to be visited, the strongest first.
  void plan_visits(Node& node, std::size_t most) const {
    RuleReach::sort(node.children);
    node.by_recovers = RuleReach::by_recovers(node.children);
    node.visits.clear();
    for (std::size_t k = 0; k < node.children.size() && node.visits.size() < most; ++k)
      if (reach_.contains(node.children, node.by_recovers, body_.size(), k)) node.visits.push_back(k);
  }

  // Finds the open literals that are worth adding to the current rule, with their covers. Returns false if all of them
  // together recover too little.
  bool find_children(Node& node, const std::vector<std::uint16_t>& extend, Exact value) {
    const BlameFrame& f = node.frame();
    const Word *pos = node.pos, *neg = node.neg;
    std::vector<Word>& covers = node.covers;
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    const Exact next_cost = reach_.price(body_.size() + 1);
    const Exact needed = literal_cost_ - slack_;
    sums_.look_at_positives(f, pos, neg);
    sums_.look_at_negatives(f, pos, covered_or_alone(neg).data());
    // First with the blame of all positives here: cheap, and enough to drop most literals.
    std::vector<Likely> likely;
    std::vector<Word> stay(neg, neg + wn);
    std::vector<Effect> open = effects(extend, pos, neg);
    drop_dominated_in_chains(open, chains_);
    for (const auto& [l, kept, excluded] : open) {
      double worth;
      if (!is_likely(l, neg, needed, worth)) continue;
      likely.push_back({l, std::max(0.0, worth - literal_cost_)});
      const Word* ln = in_.neg_of(l);
      for (std::size_t k = 0; k < wn; ++k) stay[k] &= ln[k];
    }
    std::sort(likely.begin(), likely.end(), [](const Likely& a, const Likely& b) {
      return a.brings != b.brings ? a.brings > b.brings : a.literal < b.literal;
    });
    if (!promise_enough(value, likely)) return false;
    sums_.take_unavoidable(f, pos, neg, stay.data());
    // Then with the positives that each literal keeps, the most promising first: most rules end here soon.
    std::vector<PricedChild> promising;
    for (const Likely& one : likely) {
      if (one.brings <= 0) break;
      const auto [left, counted] = sums_.counts_of(pos, in_.pos_of(one.literal));
      if (left - next_cost > -slack_)
        promising.push_back({one.literal, 0, one.brings + literal_cost_, left, counted, 0, 0, 0});
    }
    // A literal without promise lowers the value of any rule that it is added to, so a child that qualifies is one of
    // these, with others of them.
    if (value <= -slack_ && !reach_.any_by_chords(promising, body_.size())) return false;
    sums_.weigh_groups(f, pos);
    for (std::size_t k = 0; k < promising.size(); ++k) {
      if (!promise_enough(value, promising)) return false;
      PricedChild& c = promising[k];
      c.gain = std::min(c.gain, sums_.gain_of(f, c.literal, pos, neg) + kBeyondRounding * c.gain);
      if (k % in_.options->pass_gains_at_once != in_.options->pass_gains_at_once - 1 || value > -slack_) continue;
      std::vector<PricedChild> so_far = promising;
      if (!reach_.any_by_chords(so_far, body_.size())) return false;
    }
    if (!promise_enough(value, promising) || (value <= -slack_ && !reach_.any_by_chords(promising, body_.size())))
      return false;
    // Row by row for the children that may be visited, and for the literals that may be added to them.
    for (const Likely& one : likely) {
      const std::uint16_t l = one.literal;
      const Word* lp = in_.pos_of(l);
      const auto [left, counted] = sums_.counts_of(pos, lp);
      if (left - next_cost <= -slack_) continue;
      const RuleSums::Recovery found = sums_.recover(f, l, pos, neg);
      if (found.recovers <= needed) continue;
      const std::size_t at = covers.size();
      covers.resize(at + wp + wn);
      assign_and(covers.data() + at, pos, lp, wp);
      assign_and(covers.data() + at + wp, neg, in_.neg_of(l), wn);
      node.children.push_back({l, found.recovers, found.gain, left, counted, found.counts - next_cost,
                               in_.pos.weigh(covers.data() + at), at});
    }
    return true;
  }

  struct Likely {
    std::uint16_t literal;
    double brings;  // upper bound on its contribution to a value
  };
  bool promise_enough(double value, const std::vector<Likely>& likely) const {
    return reach_.enough(value + reach_.together(
                                     likely, [](const Likely& one) { return one.literal; },
                                     [](const Likely& one) { return one.brings; }));
  }
  bool promise_enough(double value, const std::vector<PricedChild>& children) const {
    return reach_.enough(value + reach_.together(
                                     children, [](const PricedChild& child) { return child.literal; },
                                     [this](const PricedChild& child) { return child.gain - literal_cost_; }));
  }

  // The effects of literals on the current rule, without those that keep or exclude too little.
  std::vector<Effect> effects(const std::vector<std::uint16_t>& literals, const Word* pos, const Word* neg) const {
    std::vector<Effect> out;
    const Weight next_price = in_.price(body_.size() + 1);
    for (std::uint16_t l : literals) {
      const Weight kept = in_.pos.weigh_and(pos, in_.pos_of(l));
      if (kept <= next_price) continue;
      const Weight excluded = in_.neg.weigh_minus(neg, in_.neg_of(l));
      // Without slack the blame suffices: no row blames more than its weight.
      if (excluded > (slack_ > 0 ? in_.literal_cost : 0)) out.push_back({l, kept, excluded});
    }
    return out;
  }

  // Whether a literal excludes enough blame, computed for all positives of the current rule.
  bool is_likely(std::uint16_t l, const Word* neg, Exact needed, double& worth) {
    const Word* ln = in_.neg_of(l);
    worth = sums_.blame_worth(neg, ln);
    return (worth > needed || sums_.blame(neg, ln) > needed) && others_still_needed(l, needed);
  }

  // Whether each literal of the body still excludes enough weight and enough blame alone when l is added.
  bool others_still_needed(std::uint16_t l, Exact needed) const {
    const Word* ln = in_.neg_of(l);
    for (std::size_t b = 0; b < body_.size(); ++b) {
      if (slack_ > 0 && in_.neg.weigh_and(body_.alone(b), ln) <= in_.literal_cost) return false;
      if (!sums_.charge_more(body_.alone(b), ln, needed)) return false;
    }
    return true;
  }

  // Drops children that another literal dominates, whether that literal is open or not.
  void drop_dominated(Node& node, const std::vector<std::uint16_t>& extend, const std::vector<std::uint16_t>& every) {
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    const Word *pos = node.pos, *neg = node.neg;
    std::vector<PricedChild>& children = node.children;
    std::vector<Word>& covers = node.covers;
    constexpr double kClosed = -1;
    std::vector<std::uint16_t> closed;
    std::set_difference(every.begin(), every.end(), extend.begin(), extend.end(), std::back_inserter(closed));
    for (const auto& [l, weight_kept, weight_excluded] : effects(closed, pos, neg)) {
      double worth;
      if (!is_likely(l, neg, literal_cost_ - slack_, worth)) continue;
      const std::size_t at = covers.size();
      covers.resize(at + wp + wn);
      assign_and(covers.data() + at, pos, in_.pos_of(l), wp);
      assign_and(covers.data() + at + wp, neg, in_.neg_of(l), wn);
      children.push_back({l, 0, kClosed, 0, 0, 0, in_.pos.weigh(covers.data() + at), at});
    }
    // Sorted by positives kept, most first: only earlier literals can dominate later ones.
    std::stable_sort(children.begin(), children.end(),
                     [](const PricedChild& a, const PricedChild& b) { return a.kept > b.kept; });
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
    std::sort(node.survivors.begin(), node.survivors.end());
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
  RuleSums sums_;
  RuleBody body_;
  ChainMarks chains_;
  const double noise_;
  const Exact literal_cost_;
  const RuleReach reach_;
};

}  // namespace

Pricing price_rules(const ClassInstance& instance, RowDual& dual, bool repair, const PricingLimits& limits,
                    Control& control) {
  return Pricer(instance, dual, 0, repair, limits, control).run();
}

Pricing enumerate_rules(const ClassInstance& instance, RowDual& dual, Weight slack, const PricingLimits& limits,
                        Control& control) {
  return Pricer(instance, dual, static_cast<Exact>(slack), false, limits, control).run();
}

}  // namespace laconic
