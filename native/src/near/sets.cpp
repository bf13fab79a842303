// Enumeration of the sets of listed rules that cost at most a limit.
//
// The branching is on positives: is the positive covered, and which rule covers it first? For an open positive, each
// rule over it is chosen in turn and then forbidden; when no rule is left, the positive stays uncovered. So every set
// in which each rule covers something alone is visited exactly once, at the leaf where every positive is decided.
//
// Bound: with prices y and blame mu feasible for every rule, the subproblem after choosing C is again of the same kind,
// and y' = (y - blame of the negatives of C)+ is feasible for it. So a set that extends C costs at least (price of C,
// negatives of C, positives given up) + sum of y' over the open positives. A further rule adds at least its reduced
// cost, price(R) - sum of (y_i - blame_i(neg R))+ over its open positives, which grows by known amounts as positives
// are decided. Giving up positive i adds w_i - y'_i. Rules and positives that do not fit are decided at once. All
// computations are in integers. Rival: trying all subsets whose reduced costs fit (sparse/listed/set_enumeration.cpp),
// which visits every subset of a good set.
#include "near/sets.hpp"

#include <algorithm>
#include <map>

namespace laconic {

bool irredundant(const ClassInstance& in, const RulePool& pool, const std::vector<std::uint32_t>& rules) {
  const std::size_t wp = in.pos.n_words, wn = in.neg.n_words;
  std::vector<Word> others(wp + wn), cover(wp + wn);
  for (const auto r : rules) {
    std::fill(others.begin(), others.end(), Word{0});
    for (const auto s : rules) {
      if (s == r) continue;
      for (std::size_t k = 0; k < wp; ++k) others[k] |= pool.pos(s)[k];
      for (std::size_t k = 0; k < wn; ++k) others[wp + k] |= pool.neg(s)[k];
    }
    const Word* neg_others = others.data() + wp;
    const Weight pos_here = in.pos.weigh_minus(pool.pos(r), others.data());
    const Weight neg_here = in.neg.weigh_minus(pool.neg(r), neg_others);
    if (pos_here <= neg_here) return false;
    for (std::size_t out = 0; out < pool.length(r); ++out) {
      std::vector<std::uint16_t> rest;
      for (std::size_t k = 0; k < pool.length(r); ++k)
        if (k != out) rest.push_back(pool.body(r)[k]);
      pool.cover_of(rest, cover.data(), cover.data() + wp);
      const Weight gained = in.pos.weigh_minus(cover.data(), others.data()) - pos_here;
      const Weight lost = in.neg.weigh_minus(cover.data() + wp, neg_others) - neg_here;
      if (lost <= gained) return false;
    }
  }
  return true;
}

namespace {

// Positives that the same rules cover, or negatives that the same rules cover and the same group blames.
struct Cell {
  Weight weight = 0, price = 0;                          // price: sum of y, scaled
  std::vector<std::pair<std::uint32_t, Weight>> groups;  // positives: weight in each group of the dual
  std::vector<std::pair<std::uint32_t, Weight>> rules;   // positives: rule and what the dual pays for the cell in it
  std::uint32_t blamed = kNoGroup;                       // negatives: group of the dual
};

class Search {
 public:
  Search(const ClassInstance& instance, const RowDual& dual, const RulePool& pool, const SetRequest& request,
         Control& control)
      : in_(instance), dual_(dual), pool_(pool), ask_(request), control_(control), max_paid_(request.max_paid) {
    set_limit();
    make_cells();
    blame_.assign(dual.n_pos_groups, 0);
    for (std::size_t r = 0; r < pool.size(); ++r) {
      active_.push_back(1);
      reduced_.push_back(pool.price(r) * dual.scale);
    }
    for (const auto& cell : pos_)
      for (const auto& [r, value] : cell.rules) reduced_[r] -= value;
    for (const auto& cell : pos_) n_active_.push_back(cell.rules.size());
    state_.assign(pos_.size(), State::open);
    n_over_.assign(neg_.size(), 0);
  }

  SetAnswer run() {
    answer_.complete = true;
    visit();
    return std::move(answer_);
  }

 private:
  enum class State : char { open, covered, given_up };
  struct Step {
    enum Kind : char { forbid, decide, choose } kind;
    std::uint32_t index;
  };

  void make_cells() {
    const std::size_t n = pool_.size();
    BlameTable table(in_, dual_);
    std::vector<std::vector<std::uint32_t>> over_pos(in_.pos.n_rows), over_neg(in_.neg.n_rows);
    for (std::uint32_t r = 0; r < n; ++r) {
      for_each(pool_.pos(r), in_.pos.n_words, [&](std::size_t i) { over_pos[i].push_back(r); });
      for_each(pool_.neg(r), in_.neg.n_words, [&](std::size_t j) { over_neg[j].push_back(r); });
    }
    std::map<std::vector<std::uint32_t>, std::uint32_t> cell_of;
    std::vector<std::uint32_t> own(in_.pos.n_rows);
    for (std::size_t i = 0; i < in_.pos.n_rows; ++i) {
      const auto [at, fresh] = cell_of.emplace(std::move(over_pos[i]), static_cast<std::uint32_t>(pos_.size()));
      if (fresh) {
        pos_.emplace_back();
        for (const auto r : at->first) pos_.back().rules.emplace_back(r, 0);
      }
      own[i] = at->second;
      Cell& cell = pos_[at->second];
      cell.weight += in_.pos.weight[i];
      cell.price += dual_.y[i];
      const auto g = dual_.pos_group[i];
      if (g == kNoGroup) continue;
      auto place =
          std::find_if(cell.groups.begin(), cell.groups.end(), [&](const auto& one) { return one.first == g; });
      if (place == cell.groups.end())
        cell.groups.emplace_back(g, in_.pos.weight[i]);
      else
        place->second += in_.pos.weight[i];
    }
    cells_of_rule_.resize(n);
    negs_of_rule_.resize(n);
    for (std::uint32_t c = 0; c < pos_.size(); ++c)
      for (const auto& [r, value] : pos_[c].rules) cells_of_rule_[r].push_back(c);
    std::vector<Weight> shares;
    for (std::uint32_t r = 0; r < n; ++r) {
      table.blame_of(pool_.neg(r), shares);
      std::map<std::uint32_t, Weight> paid;
      for_each(pool_.pos(r), in_.pos.n_words, [&](std::size_t i) { paid[own[i]] += table.value(i, shares); });
      for (const auto& [c, value] : paid) {
        auto& rules = pos_[c].rules;
        std::lower_bound(rules.begin(), rules.end(), std::make_pair(r, std::numeric_limits<Weight>::min()))->second =
            value;
      }
    }
    std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, std::uint32_t> neg_cell;
    for (std::size_t j = 0; j < in_.neg.n_rows; ++j) {
      const std::uint32_t group = dual_.neg_group.empty() ? kNoGroup : dual_.neg_group[j];
      const auto [at, fresh] =
          neg_cell.emplace(std::make_pair(group, std::move(over_neg[j])), static_cast<std::uint32_t>(neg_.size()));
      if (fresh) {
        neg_.emplace_back();
        neg_.back().blamed = group;
        for (const auto r : at->first.second) negs_of_rule_[r].push_back(at->second);
      }
      neg_[at->second].weight += in_.neg.weight[j];
    }
  }

  void set_limit() {
    const auto& [most, per_rule, per_literal, price] = ask_.limit;
    limit_ = (ask_.all ? ask_.max_cost : max_paid_ + price * static_cast<Weight>(most)) * dual_.scale;
  }

  // The price that an open cell still pays after the blame of the chosen rules.
  Weight residual(const Cell& cell) const {
    Weight left = cell.price;
    for (const auto& [g, weight] : cell.groups) left -= weight * blame_[g];
    return left > 0 ? left : 0;
  }

  void forbid(std::uint32_t r) {
    active_[r] = 0;
    for (const auto c : cells_of_rule_[r]) --n_active_[c];
    trail_.push_back({Step::forbid, r});
  }
  void decide(std::uint32_t c, State state) {
    state_[c] = state;
    if (state == State::given_up) paid_ += pos_[c].weight;
    for (const auto& [r, value] : pos_[c].rules) reduced_[r] += value;
    trail_.push_back({Step::decide, c});
  }
  void choose(std::uint32_t r) {
    forbid(r);  // visited; must not be chosen again
    for (const auto h : negs_of_rule_[r])
      if (n_over_[h]++ == 0) blame_negative(neg_[h], 1);
    paid_ += pool_.price(r);
    amount_ += ask_.limit.of_rule(pool_.length(r));
    chosen_.push_back(r);
    trail_.push_back({Step::choose, r});
    for (const auto c : cells_of_rule_[r])
      if (state_[c] == State::open) decide(c, State::covered);
  }
  void blame_negative(const Cell& cell, Weight sign) {
    paid_ += sign * cell.weight;
    if (cell.blamed == kNoGroup) return;
    for (const auto& [g, unit] : dual_.blame[cell.blamed]) blame_[g] += sign * unit * cell.weight;
  }
  void undo_to(std::size_t mark) {
    while (trail_.size() > mark) {
      const Step step = trail_.back();
      trail_.pop_back();
      if (step.kind == Step::forbid) {
        active_[step.index] = 1;
        for (const auto c : cells_of_rule_[step.index]) ++n_active_[c];
      } else if (step.kind == Step::decide) {
        if (state_[step.index] == State::given_up) paid_ -= pos_[step.index].weight;
        for (const auto& [r, value] : pos_[step.index].rules) reduced_[r] -= value;
        state_[step.index] = State::open;
      } else {
        for (const auto h : negs_of_rule_[step.index])
          if (--n_over_[h] == 0) blame_negative(neg_[h], -1);
        paid_ -= pool_.price(step.index);
        amount_ -= ask_.limit.of_rule(pool_.length(step.index));
        chosen_.pop_back();
      }
    }
  }

  // Cost without the price of the limited amount.
  Weight paid_so_far() const { return paid_ - ask_.limit.price * static_cast<Weight>(amount_); }
  bool fits(std::uint32_t r) const { return amount_ + ask_.limit.of_rule(pool_.length(r)) <= ask_.limit.most; }

  // Decides all forced rules and positives; returns false if no set fits. Leaves the bound in bound_.
  bool propagate() {
    for (bool changed = true; changed;) {
      changed = false;
      bound_ = paid_ * dual_.scale;
      for (std::uint32_t c = 0; c < pos_.size(); ++c)
        if (state_[c] == State::open) bound_ += residual(pos_[c]);
      if (bound_ > limit_ || (!ask_.all && paid_so_far() > max_paid_)) return false;
      for (std::uint32_t r = 0; r < active_.size(); ++r)
        if (active_[r] && (bound_ + reduced_[r] > limit_ || !fits(r))) forbid(r);
      for (std::uint32_t c = 0; c < pos_.size(); ++c)
        if (state_[c] == State::open && n_active_[c] == 0) decide(c, State::given_up), changed = true;
    }
    return true;
  }

  // Returns the open cell with the fewest choices, or none.
  std::uint32_t pick() const {
    std::uint32_t best = kNoGroup;
    std::size_t fewest = 0;
    Weight dearest = 0;
    for (std::uint32_t c = 0; c < pos_.size(); ++c) {
      if (state_[c] != State::open) continue;
      const Weight penalty = pos_[c].weight * dual_.scale - residual(pos_[c]);
      const std::size_t ways = n_active_[c] + (bound_ + penalty > limit_ ? 0 : 1);
      if (best == kNoGroup || ways < fewest || (ways == fewest && penalty > dearest))
        best = c, fewest = ways, dearest = penalty;
    }
    return best;
  }

  void visit() {
    const std::size_t mark = trail_.size();
    while (answer_.complete) {
      ++answer_.n_nodes;
      if (control_.should_stop()) {
        answer_.complete = false;
        break;
      }
      if (!propagate()) break;
      const std::uint32_t cell = pick();
      if (cell == kNoGroup) {
        leaf();
        break;
      }
      std::vector<std::pair<Weight, std::uint32_t>> ways;
      for (const auto& [r, value] : pos_[cell].rules)
        if (active_[r]) ways.emplace_back(reduced_[r], r);
      std::sort(ways.begin(), ways.end());
      for (const auto& [reduced, r] : ways) {
        const std::size_t before = trail_.size();
        choose(r);
        visit();
        undo_to(before);
        if (!answer_.complete) break;
        forbid(r);
      }
    }
    undo_to(mark);
  }

  void leaf() {
    NearSet found;
    found.rules = chosen_;
    std::sort(found.rules.begin(), found.rules.end());
    found.cost = paid_;
    found.paid = paid_so_far();
    if (ask_.all) {
      if (!irredundant(in_, pool_, found.rules)) return;
      if (answer_.sets.size() >= ask_.cap)
        answer_.complete = false;
      else
        answer_.sets.push_back(std::move(found));
      return;
    }
    max_paid_ = found.paid - ask_.step;
    set_limit();
    answer_.sets.assign(1, std::move(found));
  }

  const ClassInstance& in_;
  const RowDual& dual_;
  const RulePool& pool_;
  const SetRequest& ask_;
  Control& control_;
  Weight max_paid_, limit_ = 0, bound_ = 0, paid_ = 0;
  std::size_t amount_ = 0;  // the limited amount
  std::vector<Cell> pos_, neg_;
  std::vector<std::vector<std::uint32_t>> cells_of_rule_, negs_of_rule_;
  std::vector<char> active_;
  std::vector<Weight> reduced_;        // lower bound of each rule's reduced cost on the open cells
  std::vector<std::size_t> n_active_;  // open rules over each cell
  std::vector<State> state_;
  std::vector<std::uint32_t> n_over_;  // chosen rules over each negative cell
  std::vector<Weight> blame_;          // of the chosen rules' negatives, per unit of weight of each group
  std::vector<std::uint32_t> chosen_;
  std::vector<Step> trail_;
  SetAnswer answer_;
};

}  // namespace

SetAnswer search_sets(const ClassInstance& instance, const RowDual& dual, const RulePool& pool,
                      const SetRequest& request, Control& control) {
  return Search(instance, dual, pool, request, control).run();
}

}  // namespace laconic
