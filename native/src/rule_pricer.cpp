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
//   (c) V(R) + sum over the literals still open of (M_l - literal_cost)+ <= -slack: the most that
//       they can recover together.
// Repair. When a violated rule is met its prices are lowered until it is satisfied, at once. Prices
// only fall, so rules already passed, and subtrees already cut, stay satisfied; at the end the dual
// is feasible for all rules, and near-copies of one violated rule are paid for once, not once each.
#include "rule_pricer.hpp"

#include <algorithm>
#include <cmath>

namespace laconic {
namespace {

class Pricer {
 public:
  Pricer(const ClassInstance& in, RowDual& dual, Weight slack, bool repair, std::size_t max_found, Control& control)
      : in_(in), dual_(dual), slack_(slack), repair_(repair), max_found_(max_found), control_(control),
        charge_(dual.n_pos_groups, 0), neg_mass_(dual.blame.size(), 0) {}

  Pricing run() {
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    std::vector<Word> pos(wp), neg(wn);
    RulePool::fill_all(pos.data(), in_.pos.n_rows, wp);
    RulePool::fill_all(neg.data(), in_.neg.n_rows, wn);
    std::vector<std::uint16_t> literals(in_.n_literals());
    for (std::size_t l = 0; l < literals.size(); ++l) literals[l] = static_cast<std::uint16_t>(l);
    out_.complete = visit(pos.data(), neg.data(), literals, literals, std::numeric_limits<Weight>::max() / 4);
    return std::move(out_);
  }

 private:
  Weight price(std::size_t n_literals) const { return in_.price(n_literals) * dual_.scale; }

  // charge_[g] = blame per unit of weight that the negatives in `set` put on positive group g.
  void charge(const Word* set) {
    for (auto g : charged_) charge_[g] = 0;
    charged_.clear();
    touched_.clear();
    for_each(set, in_.neg.n_words, [&](std::size_t j) {
      const auto h = dual_.neg_group[j];
      if (h == kNoGroup || dual_.blame[h].empty()) return;
      if (!neg_mass_[h]) touched_.push_back(h);
      neg_mass_[h] += in_.neg.weight[j];
    });
    for (auto h : touched_) {
      for (const auto& [g, share] : dual_.blame[h]) {
        if (!charge_[g]) charged_.push_back(g);
        charge_[g] += neg_mass_[h] * share;
      }
      neg_mass_[h] = 0;
    }
  }
  Weight blame_of(std::size_t i) const {
    const auto g = dual_.pos_group[i];
    return g == kNoGroup ? 0 : charge_[g] * in_.pos.weight[i];
  }

  // Value of the current rule; lowers prices if asked to.
  Weight value_of(const Word* pos, const Word* neg) {
    charge(neg);
    Weight sum = 0;
    for_each(pos, in_.pos.n_words, [&](std::size_t i) { sum += std::max<Weight>(0, dual_.y[i] - blame_of(i)); });
    const Weight cost = price(body_.size());
    Weight over = sum - cost;
    if (over > 0 && repair_) {
      const double share = static_cast<double>(over) / static_cast<double>(sum);
      Weight left = over;
      const auto cut = [&](std::size_t i, bool all) {
        const Weight part = std::max<Weight>(0, dual_.y[i] - blame_of(i));
        const Weight wanted = all ? part : static_cast<Weight>(std::ceil(static_cast<double>(part) * share)) + 1;
        const Weight amount = std::min({part, left, wanted});
        dual_.y[i] -= amount;
        left -= amount;
      };
      for_each(pos, in_.pos.n_words, [&](std::size_t i) { cut(i, false); });
      if (left > 0) for_each(pos, in_.pos.n_words, [&](std::size_t i) { cut(i, true); });
    }
    return over;
  }

  // `open`: the most that literals still allowed below can recover (pruning c).
  bool visit(const Word* pos, const Word* neg, const std::vector<std::uint16_t>& extend,
             const std::vector<std::uint16_t>& every, Weight open) {
    ++out_.n_nodes;
    if (control_.should_stop()) return false;
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    Weight value = value_of(pos, neg);
    if (value > -slack_) {
      if (out_.found.size() >= max_found_) return false;
      out_.found.push_back({body_, value});
      if (repair_ && value > 0) value = 0;
    }
    if (extend.empty() || value + open <= -slack_) return true;
    const Weight next_cost = price(body_.size() + 1);
    const Weight next_price = in_.price(body_.size() + 1);
    const Weight literal_cost = in_.literal_cost * dual_.scale;
    Weight prices = 0;
    for_each(pos, wp, [&](std::size_t i) { prices += dual_.y[i]; });
    if (prices - next_cost <= -slack_) return true;

    struct Child {
      std::uint16_t literal;
      Weight recovers, kept;
      std::size_t at;
    };
    std::vector<Child> children;
    std::vector<Word> covers, excluded(wn);
    for (std::uint16_t l : every) {
      const Word* lp = in_.pos_of(l);
      const Word* ln = in_.neg_of(l);
      const Weight kept = in_.pos.weigh_and(pos, lp);
      if (kept <= next_price) continue;
      if (in_.neg.weigh_minus(neg, ln) <= in_.literal_cost) continue;
      if (!others_still_needed(l, literal_cost)) continue;
      Weight charged = 0;
      for (std::size_t k = 0; k < wn; ++k) excluded[k] = neg[k] & ~ln[k];
      for_each(excluded.data(), wn, [&](std::size_t j) { charged += dual_.blame_total[j]; });
      if (charged <= literal_cost - slack_) continue;
      Weight left = 0;
      const std::size_t at = covers.size();
      covers.resize(at + wp + wn);
      assign_and(covers.data() + at, pos, lp, wp);
      for_each(covers.data() + at, wp, [&](std::size_t i) { left += dual_.y[i]; });
      Weight recovers = 0;
      if (left - next_cost > -slack_) {
        charge(excluded.data());
        for_each(covers.data() + at, wp, [&](std::size_t i) { recovers += std::min(dual_.y[i], blame_of(i)); });
      }
      if (left - next_cost <= -slack_ || recovers <= literal_cost - slack_) {
        covers.resize(at);
        continue;
      }
      assign_and(covers.data() + at + wp, neg, ln, wn);
      children.push_back({l, recovers, kept, at});
    }
    drop_dominated(children, covers);
    std::vector<char> may_extend(in_.n_literals(), 0);
    for (auto l : extend) may_extend[l] = 1;
    std::vector<std::uint16_t> survivors;
    for (const auto& c : children) survivors.push_back(c.literal);
    children.erase(std::remove_if(children.begin(), children.end(), [&](const Child& c) { return !may_extend[c.literal]; }),
                   children.end());
    // The strongest first: its later siblings, the weak ones, have little left to recover.
    std::sort(children.begin(), children.end(), [](const Child& a, const Child& b) {
      return a.recovers != b.recovers ? a.recovers > b.recovers : a.literal < b.literal;
    });
    std::vector<Weight> later(children.size() + 1, 0);
    for (std::size_t k = children.size(); k-- > 0;)
      later[k] = later[k + 1] + std::max<Weight>(0, children[k].recovers - literal_cost);
    if (value + later[0] <= -slack_) return true;
    const std::size_t n_alone = alone_.size();
    for (std::size_t k = 0; k < children.size(); ++k) {
      const Child& c = children[k];
      // Below this child only c and later siblings are added.
      if (value + (c.recovers - literal_cost) + later[k + 1] <= -slack_) continue;
      std::vector<std::uint16_t> rest;
      for (std::size_t m = k + 1; m < children.size(); ++m) rest.push_back(children[m].literal);
      push(c.literal, neg);
      const Word* cover = covers.data() + c.at;
      const bool going = visit(cover, cover + wp, rest, survivors, later[k + 1]);
      alone_.resize(n_alone);
      body_.pop_back();
      if (!going) return false;
    }
    return true;
  }

  // Whether each literal of the body, once l joins, still excludes alone enough weight, and enough blame.
  bool others_still_needed(std::uint16_t l, Weight literal_cost) {
    const std::size_t wn = in_.neg.n_words;
    const std::size_t first = alone_.size() - body_.size() * wn;
    const Word* ln = in_.neg_of(l);
    for (std::size_t k = 0; k < body_.size(); ++k) {
      const Word* alone = alone_.data() + first + k * wn;
      if (in_.neg.weigh_and(alone, ln) <= in_.literal_cost) return false;
      Weight charged = 0;
      for (std::size_t w = 0; w < wn; ++w)
        for (Word bits = alone[w] & ln[w]; bits; bits &= bits - 1)
          charged += dual_.blame_total[w * kWordBits + static_cast<std::size_t>(lowest_bit(bits))];
      if (charged <= literal_cost - slack_) return false;
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

  template <class Child>
  void drop_dominated(std::vector<Child>& children, const std::vector<Word>& covers) const {
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    std::vector<char> dead(children.size(), 0);
    for (std::size_t a = 0; a < children.size(); ++a) {
      for (std::size_t b = 0; b < children.size() && !dead[a]; ++b) {
        if (a == b || dead[b] || children[b].kept < children[a].kept) continue;
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
  const Weight slack_;
  const bool repair_;
  const std::size_t max_found_;
  Control& control_;
  Pricing out_;
  std::vector<std::uint16_t> body_;
  std::vector<Word> alone_;
  std::vector<Weight> charge_, neg_mass_;
  std::vector<std::uint32_t> charged_, touched_;
};

}  // namespace

RowDual to_rows(const ClassInstance& in, const Grouping& grouping, const Dual& dual) {
  RowDual out;
  const ListProblem& p = grouping.problem;
  const Weight total = std::max<Weight>(1, std::max(in.pos.total, std::max(in.neg.total, in.price(in.n_literals()))));
  while (out.scale < (Weight{1} << 40) && total < (Weight{1} << 60) / (2 * out.scale)) out.scale *= 2;
  const double s = static_cast<double>(out.scale);
  out.pos_group = grouping.pos_group;
  out.neg_group = grouping.neg_group;
  out.n_pos_groups = p.n_pos();
  out.y.resize(in.pos.n_rows);
  for (std::size_t i = 0; i < in.pos.n_rows; ++i) {
    const auto g = out.pos_group[i];
    const Weight full = in.pos.weight[i] * out.scale;
    // No rule of the list covers the row: nothing limits its price yet.
    out.y[i] = g == kNoGroup ? full
                             : std::clamp<Weight>(static_cast<Weight>(dual.y[g] * s * static_cast<double>(in.pos.weight[i]) /
                                                                      static_cast<double>(p.pos_weight[g])),
                                                  0, full);
  }
  out.blame.resize(p.n_neg());
  std::vector<Weight> spent(p.n_neg(), 0);  // per unit of negative weight, at most scale
  for (std::size_t h = 0; h < p.n_neg(); ++h) {
    for (std::size_t g = 0; g < p.n_pos(); ++g) {
      const double share = dual.mu[h * p.n_pos() + g];
      if (share <= 0) continue;
      const double per_unit = share * s / (static_cast<double>(p.pos_weight[g]) * static_cast<double>(p.neg_weight[h]));
      Weight unit = static_cast<Weight>(per_unit);
      unit = std::min(unit, (out.scale - spent[h]) / p.pos_weight[g]);
      if (unit <= 0) continue;
      spent[h] += unit * p.pos_weight[g];
      out.blame[h].emplace_back(static_cast<std::uint32_t>(g), unit);
    }
  }
  out.blame_total.assign(in.neg.n_rows, 0);
  for (std::size_t j = 0; j < in.neg.n_rows; ++j)
    if (out.neg_group[j] != kNoGroup) out.blame_total[j] = spent[out.neg_group[j]] * in.neg.weight[j];
  return out;
}

Pricing price_rules(const ClassInstance& instance, RowDual& dual, bool repair, std::size_t max_found,
                    Control& control) {
  return Pricer(instance, dual, 0, repair, max_found, control).run();
}

Pricing enumerate_rules(const ClassInstance& instance, RowDual& dual, Weight slack, std::size_t max_found,
                        Control& control) {
  return Pricer(instance, dual, slack, false, max_found, control).run();
}

}  // namespace laconic
