// Good sets quickly: greedy, then drop / add / exchange.
//
// A move changes one or two rules; its effect follows from the number of chosen rules that cover each group. Rival: a
// restricted integer program, which can be better but takes longer to its first good set; the few dozen rules that the
// dual favours leave little room for improvement.
#include <algorithm>
#include <limits>

#include "sparse/listed/search.hpp"

namespace laconic {
namespace {

struct Cover {
  const ListProblem& p;
  std::vector<std::uint32_t> pos, neg;  // number of chosen rules that cover each group
  explicit Cover(const ListProblem& problem) : p(problem), pos(problem.n_pos(), 0), neg(problem.n_neg(), 0) {}

  Weight add_gain(const ListRule& r) const {
    Weight gain = -r.price;
    for (auto g : r.pos)
      if (!pos[g]) gain += p.pos_weight[g];
    for (auto h : r.neg)
      if (!neg[h]) gain -= p.neg_weight[h];
    return gain;
  }
  Weight drop_gain(const ListRule& r) const {
    Weight gain = r.price;
    for (auto g : r.pos)
      if (pos[g] == 1) gain -= p.pos_weight[g];
    for (auto h : r.neg)
      if (neg[h] == 1) gain += p.neg_weight[h];
    return gain;
  }
  void add(const ListRule& r) {
    for (auto g : r.pos) ++pos[g];
    for (auto h : r.neg) ++neg[h];
  }
  void drop(const ListRule& r) {
    for (auto g : r.pos) --pos[g];
    for (auto h : r.neg) --neg[h];
  }
};

}  // namespace

std::vector<std::uint32_t> local_search(const ListProblem& p, std::vector<std::uint32_t> chosen,
                                        const std::vector<std::uint32_t>& candidates, bool must_choose,
                                        Control& control) {
  Cover cover(p);
  for (auto r : chosen) cover.add(p.rules[r]);
  const auto best_add = [&]() {
    std::pair<Weight, std::uint32_t> best{std::numeric_limits<Weight>::min(), 0};
    for (auto r : candidates)
      if (const Weight gain = cover.add_gain(p.rules[r]); gain > best.first) best = {gain, r};
    return best;
  };
  bool moved = true;
  while (moved && !control.check_now()) {
    moved = false;
    while (!candidates.empty()) {
      const auto [gain, r] = best_add();
      if (gain <= 0 && !(must_choose && chosen.empty())) break;
      chosen.push_back(r);
      cover.add(p.rules[r]);
      moved = true;
      if (control.check_now()) return chosen;
    }
    for (std::size_t k = 0; k < chosen.size();) {
      if ((!must_choose || chosen.size() > 1) && cover.drop_gain(p.rules[chosen[k]]) >= 0) {
        moved = moved || cover.drop_gain(p.rules[chosen[k]]) > 0;
        cover.drop(p.rules[chosen[k]]);
        chosen.erase(chosen.begin() + static_cast<long>(k));
      } else {
        ++k;
      }
    }
    for (std::size_t k = 0; k < chosen.size() && !moved; ++k) {
      const auto out = chosen[k];
      const Weight lost = cover.drop_gain(p.rules[out]);
      cover.drop(p.rules[out]);
      const auto [gain, in] = best_add();
      if (gain + lost > 0) {
        cover.add(p.rules[in]);
        chosen[k] = in;
        moved = true;
      } else {
        cover.add(p.rules[out]);
      }
      if (control.check_now()) return chosen;
    }
  }
  return chosen;
}

}  // namespace laconic
