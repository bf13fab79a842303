// Listing of the rules that can be in a set of cost at most C, ties and near-optimal sets included.
//
// The prunings of sparse/candidates.cpp keep one optimal set. Here every set within a limit must be kept, so only
// consequences of the limit itself are used:
//
// - 1. The request states how many positives a rule must cover, and how heavy the negatives must be that each of its
//   literals excludes alone; otherwise the set without the rule or the literal is at least as good.
//
// - 2. Reduced costs: with prices y and blame mu feasible for every rule, a set costs at least sum y + sum over its
//   rules of -V(R), so V(R) >= sum y - C.
//
// - 3. V(R without l) <= 0, so the recovery of l, the sum of min(y, blame of the negatives that l excludes alone), is
//   at least the price of a literal less the slack.
//
// - 4. Below R, V grows by at most the recovery of each further literal beyond its price (recovery is subadditive).
//
// Conditions 1 to 3 are hereditary, so the depth-first search cuts whole subtrees. With `exchange` (one best set is
// enough) a literal is left out if another one keeps all its positives and excludes all its negatives here. All
// computations are in integers.
#include "near/rules.hpp"

#include <algorithm>

#include "sparse/rule_body.hpp"

namespace laconic {

void BlameTable::blame_of(const Word* negatives, std::vector<Weight>& per_group) const {
  per_group.assign(dual_.n_pos_groups, 0);
  if (dual_.blame.empty()) return;
  std::vector<Weight> covered(dual_.blame.size(), 0);
  for_each(negatives, in_.neg.n_words, [&](std::size_t j) {
    if (dual_.neg_group[j] != kNoGroup) covered[dual_.neg_group[j]] += in_.neg.weight[j];
  });
  for (std::size_t h = 0; h < covered.size(); ++h)
    if (covered[h])
      for (const auto& [g, unit] : dual_.blame[h]) per_group[g] += unit * covered[h];
}

namespace {

class Listing {
 public:
  Listing(const ClassInstance& instance, const RowDual& dual, const ListingRequest& request, Control& control,
          RulePool& pool)
      : in_(instance), dual_(dual), ask_(request), control_(control), pool_(pool), blame_(instance, dual) {
    Weight sum = 0;
    for (const auto y : dual.y) sum += y;
    slack_ = request.max_cost * dual.scale - sum;
  }

  bool run() {
    if (slack_ < 0) return true;  // no set is that cheap
    std::vector<Word> pos(in_.pos.n_words), neg(in_.neg.n_words);
    fill_all(pos.data(), in_.pos.n_rows, pos.size());
    fill_all(neg.data(), in_.neg.n_rows, neg.size());
    std::vector<std::uint16_t> literals(in_.n_literals());
    for (std::size_t l = 0; l < literals.size(); ++l) literals[l] = static_cast<std::uint16_t>(l);
    return visit(pos.data(), neg.data(), literals, literals);
  }

 private:
  struct Child {
    std::uint16_t literal;
    std::vector<Word> cover;  // positives, followed by negatives
    Weight recovered;
  };

  Weight price(std::size_t n_literals) const { return in_.price(n_literals) * dual_.scale; }
  Weight prices_left(const Word* pos) const { return weight_of(pos, in_.pos.n_words, dual_.y.data()); }

  // Whether the prices of these positives alone can pay for a rule of this length, and their number suffices.
  bool affordable(const Word* pos, std::size_t n_literals) const {
    return n_literals < ask_.min_pos.size() && in_.pos.weigh(pos) >= ask_.min_pos[n_literals] &&
           prices_left(pos) - price(n_literals) >= -slack_;
  }

  // Upper bound on the gain in value if a rule over these positives excludes these negatives.
  Weight recovery(const Word* pos, const Word* excluded) {
    blame_.blame_of(excluded, shares_);
    Weight sum = 0;
    for_each(pos, in_.pos.n_words, [&](std::size_t i) { sum += dual_.y[i] - blame_.value(i, shares_); });
    return sum;
  }

  // Whether every literal of the body still excludes enough alone when l is appended.
  bool all_needed(const Word* pos, const Word* neg, std::uint16_t l) {
    const std::size_t wn = in_.neg.n_words;
    const Weight least = in_.literal_cost * dual_.scale - slack_;
    std::vector<Word> alone(wn);
    const auto needed = [&] {
      return in_.neg.weigh(alone.data()) >= ask_.min_alone && (least <= 0 || recovery(pos, alone.data()) >= least);
    };
    for (std::size_t k = 0; k < wn; ++k) alone[k] = neg[k] & ~in_.neg_of(l)[k];
    if (!needed()) return false;
    for (std::size_t b = 0; b < body_.size(); ++b) {
      assign_and(alone.data(), body_.alone(b), in_.neg_of(l), wn);
      if (!needed()) return false;
    }
    return true;
  }

  bool visit(const Word* pos, const Word* neg, const std::vector<std::uint16_t>& extend,
             const std::vector<std::uint16_t>& every) {
    if (control_.should_stop()) return false;
    if (!affordable(pos, body_.size())) return true;
    blame_.blame_of(neg, shares_);
    Weight value = -price(body_.size());
    for_each(pos, in_.pos.n_words, [&](std::size_t i) { value += blame_.value(i, shares_); });
    if (value >= -slack_) {
      if (pool_.size() >= ask_.cap) return false;
      pool_.add(body_.literals(), pos, neg);
    }

    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    std::vector<Child> children;
    for (const std::uint16_t l : every) {
      std::vector<Word> cover(wp + wn);
      assign_and(cover.data(), pos, in_.pos_of(l), wp);
      if (!affordable(cover.data(), body_.size() + 1)) continue;
      if (!all_needed(cover.data(), neg, l)) continue;
      assign_and(cover.data() + wp, neg, in_.neg_of(l), wn);
      std::vector<Word> excluded(wn);
      for (std::size_t k = 0; k < wn; ++k) excluded[k] = neg[k] & ~in_.neg_of(l)[k];
      const Weight recovered = recovery(cover.data(), excluded.data()) - in_.literal_cost * dual_.scale;
      children.push_back({l, std::move(cover), recovered});
    }
    if (ask_.exchange) drop_exchangeable(children);

    std::vector<std::uint16_t> survivors;
    std::vector<const Child*> candidates;
    Weight promise = value;
    for (const auto& child : children) {
      survivors.push_back(child.literal);
      if (!std::binary_search(extend.begin(), extend.end(), child.literal)) continue;
      candidates.push_back(&child);
      promise += std::max<Weight>(0, child.recovered);
    }
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      // Literals before this one have been extended, so the rest of this subtree uses later ones only.
      if (promise + std::min<Weight>(0, candidates[k]->recovered) >= -slack_) {
        std::vector<std::uint16_t> rest;
        for (std::size_t later = k + 1; later < candidates.size(); ++later) rest.push_back(candidates[later]->literal);
        body_.push(candidates[k]->literal, neg);
        const Word* cover = candidates[k]->cover.data();
        const bool going = visit(cover, cover + wp, rest, survivors);
        body_.pop();
        if (!going) return false;
      }
      promise -= std::max<Weight>(0, candidates[k]->recovered);
    }
    return true;
  }

  void drop_exchangeable(std::vector<Child>& children) const {
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words, n = children.size();
    std::vector<char> dropped(n, 0);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n && !dropped[a]; ++b) {
        if (a == b || dropped[b]) continue;
        const Word* ca = children[a].cover.data();
        const Word* cb = children[b].cover.data();
        if (!is_subset(ca, cb, wp) || !is_subset(cb + wp, ca + wp, wn)) continue;
        const bool equal = is_subset(cb, ca, wp) && is_subset(ca + wp, cb + wp, wn);
        if (!equal || b < a) dropped[a] = 1;
      }
    std::size_t kept = 0;
    for (std::size_t a = 0; a < n; ++a)
      if (!dropped[a]) {
        if (kept != a) children[kept] = std::move(children[a]);
        ++kept;
      }
    children.resize(kept);
  }

  const ClassInstance& in_;
  const RowDual& dual_;
  const ListingRequest& ask_;
  Control& control_;
  RulePool& pool_;
  BlameTable blame_;
  Weight slack_ = 0;
  RuleBody body_{in_};
  std::vector<Weight> shares_;
};

}  // namespace

bool list_near_rules(const ClassInstance& instance, const RowDual& dual, const ListingRequest& request,
                     Control& control, RulePool& pool) {
  return Listing(instance, dual, request, control, pool).run();
}

}  // namespace laconic
