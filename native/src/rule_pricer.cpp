// Which rules violate a dual?
//
// Value of a rule R under prices y and blame mu:
//     V(R) = sum_{i in pos R} (y_i - mu_i(neg R))+ - price(R).
// A depth-first search over literals finds all R with V(R) > -slack (slack = 0: the violated
// ones). Besides the prunings of sparse_candidates.cpp it cuts a subtree when
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
//   (d) k more literals are needed for (c), and the prices left do not pay for k.
// Repair. When a violated rule is met its prices are lowered until it is satisfied, at once. Prices
// only fall, so rules already passed, and subtrees already cut, stay satisfied; at the end the dual
// is feasible for all rules, and near-copies of one violated rule are paid for once, not once each.
#include "rule_pricer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

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

// Two sums side by side, each in two halves: a single one would wait for its last addition.
template <class WordAt>
Pair sum_of(const std::vector<Pair>& per_row, std::size_t n_words, const WordAt& word) {
  Pair a{0, 0}, b{0, 0};
  for (std::size_t k = 0; k < n_words; ++k) {
    const Pair* at = per_row.data() + k * kWordBits;
    const auto add = [at](Pair& to, Word& w) {
      const Pair& row = at[lowest_bit(w)];
      to.first += row.first, to.second += row.second;
      w &= w - 1;
    };
    Word w = word(k);
    while (w) {
      add(a, w);
      if (w) add(b, w);
    }
  }
  return {a.first + b.first, a.second + b.second};
}

// The blame between the groups that the current rule still covers: for each negative group the positive groups that
// it blames at all, few as a rule.
struct Frame {
  struct Share {
    std::uint32_t at;   // place of the positive group
    Exact blame;        // per unit of either weight
  };
  std::vector<std::uint32_t> pos_ids, neg_ids;   // groups present
  std::vector<std::int32_t> pos_at, neg_at;      // group -> place here, or -1
  std::vector<Share> shares;                     // of the first negative group, the second, ...
  std::vector<std::size_t> start;                // where they begin; and the end
};

class Pricer {
 public:
  Pricer(const ClassInstance& in, RowDual& dual, Weight slack, bool repair, const PricingLimits& limits,
         Control& control)
      : in_(in), dual_(dual), slack_(static_cast<Exact>(slack)), repair_(repair), limits_(limits), control_(control),
        tiny_(dual.whole_units ? 0 : kTinyShare), rounding_(1e-12 + kUlp * static_cast<double>(in.pos.n_rows + in.neg.n_rows)), noise_(10 * tiny_ * static_cast<double>(in.pos.total * dual.scale)),
        y_(dual.y.begin(), dual.y.end()), mass_(dual.blame.size(), 0), value_(in.pos.n_rows), prospect_(in.pos.n_rows),
        blame_(in.neg.n_rows) {}

  Pricing run() {
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    std::vector<Word> pos(wp), neg(wn);
    RulePool::fill_all(pos.data(), in_.pos.n_rows, wp);
    RulePool::fill_all(neg.data(), in_.neg.n_rows, wn);
    std::vector<std::uint16_t> literals(in_.n_literals());
    for (std::size_t l = 0; l < literals.size(); ++l) literals[l] = static_cast<std::uint16_t>(l);
    const Frame top = top_frame();
    out_.complete = visit(pos.data(), neg.data(), top, literals, literals, 1e300) && !narrowed_;
    for (std::size_t i = 0; i < y_.size(); ++i) dual_.y[i] = static_cast<Weight>(y_[i]);
    return std::move(out_);
  }

 private:
  struct Child {
    std::uint16_t literal;
    Exact recovers;   // M_l
    double gain;      // G_l
    Exact left;       // prices of the positives it keeps
    Exact counted;    // what these count now
    Weight kept;
    std::size_t at;
  };

  Exact price(std::size_t n_literals) const { return static_cast<Exact>(in_.price(n_literals) * dual_.scale); }
  Exact weight_of_pos(std::size_t i) const { return static_cast<Exact>(in_.pos.weight[i]); }
  Exact weight_of_neg(std::size_t j) const { return static_cast<Exact>(in_.neg.weight[j]); }

  Frame top_frame() const {
    Frame f;
    f.pos_at.assign(dual_.n_pos_groups, -1);
    f.neg_at.assign(dual_.blame.size(), -1);
    for (std::uint32_t g = 0; g < dual_.n_pos_groups; ++g) f.pos_at[g] = static_cast<std::int32_t>(g), f.pos_ids.push_back(g);
    for (std::uint32_t h = 0; h < dual_.blame.size(); ++h)
      if (!dual_.blame[h].empty()) f.neg_at[h] = static_cast<std::int32_t>(f.neg_ids.size()), f.neg_ids.push_back(h);
    f.start.push_back(0);
    for (auto h : f.neg_ids) {
      for (const auto& [g, share] : dual_.blame[h]) f.shares.push_back({g, share});
      f.start.push_back(f.shares.size());
    }
    return f;
  }

  // The part of a frame that the rows in pos and in neg or excluded alone still use; none if it is most of it.
  std::optional<Frame> narrow(const Frame& from, const Word* pos, const Word* neg) const {
    Frame f;
    f.pos_at.assign(from.pos_at.size(), -1);
    f.neg_at.assign(from.neg_at.size(), -1);
    for_each(pos, in_.pos.n_words, [&](std::size_t i) {
      const auto g = dual_.pos_group[i];
      if (g == kNoGroup || f.pos_at[g] >= 0) return;
      f.pos_at[g] = static_cast<std::int32_t>(f.pos_ids.size());
      f.pos_ids.push_back(g);
    });
    const std::vector<Word> rows = covered_or_alone(neg);
    for_each(rows.data(), in_.neg.n_words, [&](std::size_t j) {
      const auto h = dual_.neg_group[j];
      if (h == kNoGroup || from.neg_at[h] < 0 || f.neg_at[h] >= 0) return;
      f.neg_at[h] = static_cast<std::int32_t>(f.neg_ids.size());
      f.neg_ids.push_back(h);
    });
    if (2 * f.pos_ids.size() * f.neg_ids.size() > from.pos_ids.size() * from.neg_ids.size()) return std::nullopt;
    f.start.push_back(0);
    for (auto h : f.neg_ids) {
      const auto k = static_cast<std::size_t>(from.neg_at[h]);
      for (std::size_t e = from.start[k]; e < from.start[k + 1]; ++e) {
        const auto at = f.pos_at[from.pos_ids[from.shares[e].at]];
        if (at >= 0) f.shares.push_back({static_cast<std::uint32_t>(at), from.shares[e].blame});
      }
      f.start.push_back(f.shares.size());
    }
    return f;
  }

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
  void charge(const Frame& f, const Word* set) {
    const std::size_t n = f.pos_ids.size();
    charge_.assign(n + 1, 0);
    touched_.clear();
    for_each(set, in_.neg.n_words, [&](std::size_t j) {
      const auto h = dual_.neg_group[j];
      if (h == kNoGroup || f.neg_at[h] < 0) return;
      if (mass_[h] == 0) touched_.push_back(h);
      mass_[h] += weight_of_neg(j);
    });
    for (auto h : touched_) {
      const auto k = static_cast<std::size_t>(f.neg_at[h]);
      const Exact mass = mass_[h];
      for (std::size_t e = f.start[k]; e < f.start[k + 1]; ++e) charge_[f.shares[e].at] += mass * f.shares[e].blame;
      mass_[h] = 0;
    }
  }
  // At most the blame charged to a row, and, for what literals recover, at least.
  Exact blame_of(const Frame& f, std::size_t i) const {
    const auto g = dual_.pos_group[i];
    return g == kNoGroup ? 0 : charge_[static_cast<std::size_t>(f.pos_at[g])] * weight_of_pos(i) * (1 - tiny_);
  }
  Exact at_most(Exact blame) const { return blame * (1 + 3 * tiny_); }

  // The sum over the rows in both sets, given that over a: by adding up or by taking off, whichever takes fewer rows.
  Pair sum_of_both(const std::vector<Pair>& per_row, const Pair& all, const Word* a, const Word* b, std::size_t n) const {
    std::size_t inside = 0, outside = 0;
    for (std::size_t k = 0; k < n; ++k) {
      inside += static_cast<std::size_t>(popcount(a[k] & b[k]));
      outside += static_cast<std::size_t>(popcount(a[k] & ~b[k]));
    }
    if (inside <= outside) return sum_of(per_row, n, [a, b](std::size_t k) { return a[k] & b[k]; });
    const Pair rest = sum_of(per_row, n, [a, b](std::size_t k) { return a[k] & ~b[k]; });
    return {round_up(all.first) - rest.first, round_up(all.second) - rest.second};
  }

  // Value of the current rule; lowers prices if asked to.
  Exact value_of(const Frame& f, const Word* pos, const Word* neg) {
    charge(f, neg);
    Exact sum = 0;
    for_each(pos, in_.pos.n_words, [&](std::size_t i) { sum += std::max(0.0, y_[i] - blame_of(f, i)); });
    const Exact over = sum * (1 + tiny_) - price(body_.size());
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

  // A positive of the current rule (other rows: anything).
  struct Prospect {
    double worth;   // of a unit of recovered blame: min(1, price / blame)
    Exact weight;
    std::size_t at;  // place of its group in charge_
  };
  Exact charged_to(const Prospect& row) const { return charge_[row.at] * row.weight * (1 - tiny_); }
  void look_at_positives(const Frame& f, const Word* pos, const Word* neg) {
    charge(f, neg);
    for_each(pos, in_.pos.n_words, [&](std::size_t i) {
      const auto g = dual_.pos_group[i];
      Prospect& row = prospect_[i];
      row.weight = weight_of_pos(i);
      row.at = g == kNoGroup ? f.pos_ids.size() : static_cast<std::size_t>(f.pos_at[g]);
      const Exact blame = charged_to(row);
      value_[i] = {y_[i], std::max(0.0, y_[i] - blame)};
      row.worth = blame > y_[i] ? y_[i] / blame : 1;
    });
  }
  // Negatives that no open literal excludes stay: their blame comes off the prices for good.
  void take_unavoidable(const Frame& f, const Word* pos, const Word* neg, const Word* stay) {
    if (in_.neg.weigh(stay) == 0) return;
    std::vector<Word> rest(neg, neg + in_.neg.n_words);
    for (std::size_t k = 0; k < rest.size(); ++k) rest[k] &= ~stay[k];
    charge(f, stay);
    for_each(pos, in_.pos.n_words, [&](std::size_t i) { value_[i].first = std::max(0.0, y_[i] - charged_to(prospect_[i])); });
    charge(f, rest.data());
    for_each(pos, in_.pos.n_words, [&](std::size_t i) {
      Prospect& row = prospect_[i];
      const Exact blame = charged_to(row);
      row.worth = blame > value_[i].first ? value_[i].first / blame : 1;
    });
  }

  // blame_: what each negative charges the positives of the current rule in all, and what that is worth. Known for the
  // rows that the rule covers or that one of its literals alone excludes; elsewhere anything.
  void look_at_negatives(const Frame& f, const Word* pos, const Word* neg) {
    const std::size_t n = f.pos_ids.size();
    std::vector<Pair> covered(n + 1, {0, 0}), unit(f.neg_ids.size(), {0, 0});  // weight, and what it is worth
    for_each(pos, in_.pos.n_words, [&](std::size_t i) {
      const Prospect& row = prospect_[i];
      covered[row.at].first += row.weight;
      covered[row.at].second += row.weight * row.worth;
    });
    for (std::size_t k = 0; k < unit.size(); ++k)
      for (std::size_t e = f.start[k]; e < f.start[k + 1]; ++e) {
        unit[k].first += f.shares[e].blame * covered[f.shares[e].at].first;
        unit[k].second += f.shares[e].blame * covered[f.shares[e].at].second;
      }
    const std::vector<Word> rows = covered_or_alone(neg);
    for_each(rows.data(), in_.neg.n_words, [&](std::size_t j) {
      const auto h = dual_.neg_group[j];
      const bool blames = h != kNoGroup && f.neg_at[h] >= 0;
      const auto k = blames ? static_cast<std::size_t>(f.neg_at[h]) : 0;
      blame_[j].first = blames ? at_most(unit[k].first * weight_of_neg(j)) : 0;
      blame_[j].second = blames ? at_most(unit[k].second * weight_of_neg(j)) : 0;
    });
  }

  // `open`: the most that literals still allowed below can recover (pruning c).
  bool visit(const Word* pos, const Word* neg, const Frame& outer, const std::vector<std::uint16_t>& extend,
             const std::vector<std::uint16_t>& every, double open) {
    ++out_.n_nodes;
    if (control_.should_stop() || out_.n_nodes > limits_.nodes) return false;
    Exact value = value_of(outer, pos, neg);
    if (value > -slack_ && (slack_ > 0 || value > noise_)) {
      if (out_.found.size() >= limits_.found) return false;
      out_.found.push_back({body_, value});
    }
    if (repair_ && value > 0) value = 0;
    if (extend.empty() || value + open <= -slack_) return true;
    Exact prices = 0;
    for_each(pos, in_.pos.n_words, [&](std::size_t i) { prices += y_[i]; });
    if (prices - price(body_.size() + 1) <= -slack_) return true;

    const std::optional<Frame> smaller = narrow(outer, pos, neg);
    const Frame& frame = smaller ? *smaller : outer;
    std::vector<Child> children;
    std::vector<Word> covers;
    if (!find_children(frame, pos, neg, extend, every, value, children, covers)) return true;
    drop_dominated(children, covers);
    std::vector<std::uint16_t> survivors;
    for (const auto& c : children) survivors.push_back(c.literal);
    children.erase(std::remove_if(children.begin(), children.end(),
                                  [&](const Child& c) { return !std::binary_search(extend.begin(), extend.end(), c.literal); }),
                   children.end());
    // The strongest first: its later siblings, the weak ones, have little left to recover.
    std::sort(children.begin(), children.end(), [](const Child& a, const Child& b) {
      return a.gain != b.gain ? a.gain > b.gain : a.literal < b.literal;
    });
    const Exact literal_cost = static_cast<Exact>(in_.literal_cost * dual_.scale);
    std::vector<double> later(children.size() + 1, 0);  // the most that the literals from k on can recover
    for (std::size_t k = children.size(); k-- > 0;)
      later[k] = later[k + 1] + std::max(0.0, children[k].recovers - literal_cost);
    const std::size_t n_alone = alone_.size();
    std::vector<std::uint16_t> rest;
    const std::size_t width = std::max<std::size_t>(1, limits_.width >> body_.size());
    std::size_t tried = 0;
    for (std::size_t k = 0; k < children.size(); ++k) {
      const Child& c = children[k];
      // Below this child only c and later siblings are added, the strongest of which stand first.
      double reach = c.counted + c.gain - price(body_.size() + 1);
      std::size_t n_added = 1;
      for (std::size_t m = k + 1; m < children.size() && round_up(reach) <= -slack_; ++m, ++n_added) {
        if (children[m].gain <= literal_cost) break;
        reach += children[m].gain - literal_cost;
      }
      if (round_up(reach) <= -slack_ || c.left - price(body_.size() + n_added) <= -slack_) continue;
      if (++tried > width) {
        narrowed_ = true;
        break;
      }
      rest.clear();
      for (std::size_t m = k + 1; m < children.size(); ++m) rest.push_back(children[m].literal);
      std::sort(rest.begin(), rest.end());
      push(c.literal, neg);
      const Word* cover = covers.data() + c.at;
      const bool going = visit(cover, cover + in_.pos.n_words, frame, rest, survivors, round_up(later[k + 1]));
      alone_.resize(n_alone);
      body_.pop_back();
      if (!going) return false;
    }
    return true;
  }

  // Sums over many literals may pass 2^53, and what blame is worth is no integer: widen them by more than their rounding
  // error, a sum of positive numbers before anything is taken off it.
  double round_up(double x) const { return x + std::abs(x) * (rounding_ + 3 * tiny_); }

  // Literals worth adding to the current rule, with their covers. False if even all of them
  // together recover too little.
  bool find_children(const Frame& f, const Word* pos, const Word* neg, const std::vector<std::uint16_t>& extend,
                     const std::vector<std::uint16_t>& every, Exact value, std::vector<Child>& children,
                     std::vector<Word>& covers) {
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    const Exact next_cost = price(body_.size() + 1);
    const Weight next_price = in_.price(body_.size() + 1);
    const Exact needed = static_cast<Exact>(in_.literal_cost * dual_.scale) - slack_;
    look_at_positives(f, pos, neg);
    look_at_negatives(f, pos, neg);
    // First with the blame of all positives here: cheap, and enough to lose most literals.
    std::vector<std::pair<std::uint16_t, Weight>> likely;
    double recoverable = 0;
    std::vector<Word> stay(neg, neg + wn);
    for (std::uint16_t l : every) {
      const Weight kept = in_.pos.weigh_and(pos, in_.pos_of(l));
      if (kept <= next_price) continue;
      const Word* ln = in_.neg_of(l);
      if (in_.neg.weigh_minus(neg, ln) <= in_.literal_cost) continue;
      const auto [recovers, worth] = sum_of(blame_, wn, [neg, ln](std::size_t k) { return neg[k] & ~ln[k]; });
      if (recovers <= needed || !others_still_needed(l, needed)) continue;
      likely.emplace_back(l, kept);
      if (!std::binary_search(extend.begin(), extend.end(), l)) continue;
      recoverable += std::max(0.0, round_up(worth) - needed - slack_);
      for (std::size_t k = 0; k < wn; ++k) stay[k] &= ln[k];
    }
    if (round_up(value + recoverable) <= -slack_) return false;
    take_unavoidable(f, pos, neg, stay.data());
    std::vector<Word> excluded(wn);
    const Pair all_value = sum_of(value_, wp, [pos](std::size_t k) { return pos[k]; });
    for (const auto& [l, kept] : likely) {
      const std::size_t at = covers.size();
      covers.resize(at + wp + wn);
      assign_and(covers.data() + at, pos, in_.pos_of(l), wp);
      // Literals that are not open only stand here to dominate others.
      if (!std::binary_search(extend.begin(), extend.end(), l)) {
        assign_and(covers.data() + at + wp, neg, in_.neg_of(l), wn);
        children.push_back({l, 0, 0, 0, 0, kept, at});
        continue;
      }
      const auto [left, counted] = sum_of_both(value_, all_value, pos, in_.pos_of(l), wp);
      Exact recovers = 0;
      double gain = 0;
      if (left - next_cost > -slack_) {
        for (std::size_t k = 0; k < wn; ++k) excluded[k] = neg[k] & ~in_.neg_of(l)[k];
        charge(f, excluded.data());
        for_each(covers.data() + at, wp, [&](std::size_t i) {
          const Prospect& row = prospect_[i];
          const Exact blame = at_most(charged_to(row));
          recovers += std::min(value_[i].first, blame);
          gain += blame * row.worth;
        });
      }
      if (left - next_cost <= -slack_ || recovers <= needed) {
        covers.resize(at);
        continue;
      }
      assign_and(covers.data() + at + wp, neg, in_.neg_of(l), wn);
      children.push_back({l, recovers, round_up(gain), left, round_up(counted), kept, at});
    }
    return true;
  }

  // Whether each literal of the body, once l joins, still excludes alone enough weight, and enough blame.
  bool others_still_needed(std::uint16_t l, Exact needed) const {
    const std::size_t wn = in_.neg.n_words;
    const std::size_t first = alone_.size() - body_.size() * wn;
    const Word* ln = in_.neg_of(l);
    for (std::size_t b = 0; b < body_.size(); ++b) {
      const Word* alone = alone_.data() + first + b * wn;
      if (in_.neg.weigh_and(alone, ln) <= in_.literal_cost) return false;
      Exact charged = 0;
      for (std::size_t k = 0; k < wn && charged <= needed; ++k)
        for (Word w = alone[k] & ln[k]; w; w &= w - 1) charged += blame_[k * kWordBits + static_cast<std::size_t>(lowest_bit(w))].first;
      if (charged <= needed) return false;
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

  void drop_dominated(std::vector<Child>& children, const std::vector<Word>& covers) const {
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    // Those that keep most first: only they can dominate the others.
    std::stable_sort(children.begin(), children.end(), [](const Child& a, const Child& b) { return a.kept > b.kept; });
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
    for (std::size_t a = 0; a < children.size(); ++a)
      if (!dead[a]) children[kept++] = children[a];
    children.resize(kept);
  }

  const ClassInstance& in_;
  RowDual& dual_;
  const Exact slack_;
  const bool repair_;
  const PricingLimits limits_;
  bool narrowed_ = false;
  Control& control_;
  Pricing out_;
  const double tiny_, rounding_, noise_;
  std::vector<Exact> y_;
  std::vector<std::uint16_t> body_;
  std::vector<Word> alone_;
  std::vector<Exact> charge_, mass_;
  std::vector<Pair> value_;  // per positive: the price that it can still count, and what it counts now
  std::vector<Prospect> prospect_;
  std::vector<Pair> blame_;  // per negative: look_at_negatives
  std::vector<std::uint32_t> touched_;
};

}  // namespace

Pricing price_rules(const ClassInstance& instance, RowDual& dual, bool repair, const PricingLimits& limits,
                    Control& control) {
  return Pricer(instance, dual, 0, repair, limits, control).run();
}

Pricing enumerate_rules(const ClassInstance& instance, RowDual& dual, Weight slack,
                        const PricingLimits& limits, Control& control) {
  return Pricer(instance, dual, slack, false, limits, control).run();
}

}  // namespace laconic
