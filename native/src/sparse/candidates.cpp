// Which rules can be in an optimal sparse set.
//
// For every optimal set there is one, at no higher cost, all of whose rules R satisfy
//   1. weight(pos R) > price(R): else drop R, which saves its price and loses at most
//      its positives;
//   2. each literal of R alone excludes negatives heavier than literal_cost: else drop
//      the literal, which saves its cost and adds at most those negatives.
//   3. no literal l of R is dominated on the rest S of R by another literal m: m keeps
//      all positives of S that l keeps and excludes all negatives of S that l excludes.
//      Exchanging l for m costs nothing, gains positives, loses negatives. Equal pairs are
//      broken by literal number.
// All three shorten rules or keep their length, so they hold under a limit on it too. They are hereditary along the
// search: adding literals shrinks positives, shrinks what a literal excludes alone, and keeps inclusions, so a node
// that fails is cut with its whole subtree. (3 with m already in R is a case of 2.) Each replacement strictly lowers
// the cost, or the size, or the literal numbers, so replacing ends. Source: exchange arguments in the style of optimal
// rule lists (CORELS), for sets.
#include "sparse/candidates.hpp"

#include <algorithm>

#include "sparse/rule_body.hpp"

namespace laconic {
namespace {

class Enumerator {
 public:
  Enumerator(const ClassInstance& instance, std::size_t cap, Control& control, RulePool& out)
      : in_(instance), cap_(cap), control_(control), out_(out) {}

  bool run() {
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    std::vector<Word> all_pos(wp, 0), all_neg(wn, 0);
    for (std::size_t i = 0; i < in_.pos.n_rows; ++i) set_bit(all_pos.data(), i);
    for (std::size_t j = 0; j < in_.neg.n_rows; ++j) set_bit(all_neg.data(), j);
    std::vector<std::uint16_t> literals(in_.n_literals());
    for (std::size_t l = 0; l < literals.size(); ++l) literals[l] = static_cast<std::uint16_t>(l);
    return visit(all_pos.data(), all_neg.data(), in_.pos.total, literals, literals);
  }

 private:
  // `every`: literals not excluded below this node (for dominance); `extend`: those of them that come after the last
  // one added.
  bool visit(const Word* pos, const Word* neg, Weight pos_weight, const std::vector<std::uint16_t>& extend,
             const std::vector<std::uint16_t>& every) {
    if (control_.should_stop()) return false;
    const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
    if (pos_weight <= in_.price(body_.size())) return true;
    if (!emit(pos, neg)) return false;
    if (body_.size() >= in_.max_length) return true;

    // Literals that can still be added here: heavy enough, and excluding enough alone.
    std::vector<std::uint16_t> viable;
    std::vector<Weight> viable_weight;
    std::vector<Word> covers;
    const Weight next_price = in_.price(body_.size() + 1);
    for (std::uint16_t l : every) {
      const Weight kept = in_.pos.weigh_and(pos, in_.pos_of(l));
      if (kept <= next_price) continue;
      if (in_.neg.weigh_minus(neg, in_.neg_of(l)) <= in_.literal_cost) continue;
      if (!others_still_needed(l)) continue;
      viable.push_back(l);
      viable_weight.push_back(kept);
      const std::size_t at = covers.size();
      covers.resize(at + wp + wn);
      assign_and(covers.data() + at, pos, in_.pos_of(l), wp);
      assign_and(covers.data() + at + wp, neg, in_.neg_of(l), wn);
    }
    const std::size_t n = viable.size(), stride = wp + wn;
    std::vector<char> dominated(n, 0);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n && !dominated[a]; ++b) {
        if (a == b || dominated[b] || viable_weight[b] < viable_weight[a]) continue;
        const Word* ca = covers.data() + a * stride;
        const Word* cb = covers.data() + b * stride;
        if (!is_subset(ca, cb, wp) || !is_subset(cb + wp, ca + wp, wn)) continue;
        const bool equal = is_subset(cb, ca, wp) && is_subset(ca + wp, cb + wp, wn);
        if (!equal || viable[b] < viable[a]) dominated[a] = 1;
      }
    }
    std::vector<std::uint16_t> survivors, candidates;
    std::vector<std::size_t> index;
    const auto after = [&](std::uint16_t l) { return std::binary_search(extend.begin(), extend.end(), l); };
    for (std::size_t a = 0; a < n; ++a) {
      if (dominated[a]) continue;
      survivors.push_back(viable[a]);
      if (after(viable[a])) candidates.push_back(viable[a]), index.push_back(a);
    }
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const std::uint16_t l = candidates[k];
      const Word* child = covers.data() + index[k] * stride;
      body_.push(l, neg);
      const std::vector<std::uint16_t> rest(candidates.begin() + static_cast<long>(k) + 1, candidates.end());
      const bool going = visit(child, child + wp, viable_weight[index[k]], rest, survivors);
      body_.pop();
      if (!going) return false;
    }
    return true;
  }

  // Whether each literal of the body still excludes enough alone when l is added.
  bool others_still_needed(std::uint16_t l) const {
    for (std::size_t k = 0; k < body_.size(); ++k)
      if (in_.neg.weigh_and(body_.alone(k), in_.neg_of(l)) <= in_.literal_cost) return false;
    return true;
  }

  bool emit(const Word* pos, const Word* neg) {
    if (out_.size() >= cap_) return false;
    out_.add(body_.literals(), pos, neg);
    return true;
  }

  const ClassInstance& in_;
  std::size_t cap_;
  Control& control_;
  RulePool& out_;
  RuleBody body_{in_};
};

}  // namespace

bool enumerate_candidates(const ClassInstance& instance, std::size_t cap, Control& control, RulePool& pool) {
  return Enumerator(instance, cap, control, pool).run();
}

}  // namespace laconic
