// Exhaustive end of the search on wide tables: a dozen rules left, and thousands of rows that they separate.
//
// With a feasible dual of value L, a set S costs at least L + sum of the reduced costs of its rules. Once the gap is a
// fraction of a literal's price, few rules remain and few of them fit together, so all fitting sets are tried, with
// their true costs. Rival: branch and bound with the blame dual (sparse/listed/search.cpp), which is far better on long
// lists, but its matrix has groups x groups entries.
#include "sparse/listed/set_enumeration.hpp"

#include <algorithm>

namespace laconic {
namespace {

class Enumeration {
 public:
  Enumeration(const ClassInstance& in, const RulePool& pool, const std::vector<Survivor>& survivors,
              std::uint64_t max_nodes, Incumbent& best, Control& control)
      : in_(in), pool_(pool), survivors_(survivors), max_nodes_(max_nodes), best_(best), control_(control) {}

  bool extend(std::size_t from, double slack, Weight cost, const std::vector<Word>& pos, const std::vector<Word>& neg) {
    for (std::size_t k = from; k < survivors_.size() && survivors_[k].reduced_cost <= slack; ++k) {
      if (++nodes_ > max_nodes_ || control_.should_stop()) return false;
      const auto r = survivors_[k].rule;
      std::vector<Word> with_pos = pos, with_neg = neg;
      Weight gained = in_.pos.weigh_minus(pool_.pos(r), pos.data());
      Weight lost = in_.neg.weigh_minus(pool_.neg(r), neg.data());
      for (std::size_t w = 0; w < pos.size(); ++w) with_pos[w] |= pool_.pos(r)[w];
      for (std::size_t w = 0; w < neg.size(); ++w) with_neg[w] |= pool_.neg(r)[w];
      const Weight total = cost + pool_.price(r) - gained + lost;
      chosen_.push_back(r);
      if (total < best_.cost) best_ = {total, chosen_};
      const bool going = extend(k + 1, slack - survivors_[k].reduced_cost, total, with_pos, with_neg);
      chosen_.pop_back();
      if (!going) return false;
    }
    return true;
  }

 private:
  const ClassInstance& in_;
  const RulePool& pool_;
  const std::vector<Survivor>& survivors_;
  const std::uint64_t max_nodes_;
  Incumbent& best_;
  Control& control_;
  std::uint64_t nodes_ = 0;
  std::vector<std::uint32_t> chosen_;
};

}  // namespace

bool enumerate_sets(const ClassInstance& in, const RulePool& pool, std::vector<Survivor> survivors, double slack,
                    std::uint64_t max_nodes, Incumbent& best, Control& control) {
  std::sort(survivors.begin(), survivors.end(), [](const Survivor& a, const Survivor& b) {
    return a.reduced_cost != b.reduced_cost ? a.reduced_cost < b.reduced_cost : a.rule < b.rule;
  });
  Enumeration search(in, pool, survivors, max_nodes, best, control);
  return search.extend(0, slack, in.pos.total, std::vector<Word>(in.pos.n_words, 0),
                       std::vector<Word>(in.neg.n_words, 0));
}

}  // namespace laconic
