// A fast first cover: one rule after another over the uncovered rows.
#include "cover/greedy.hpp"

#include "cover/conquer.hpp"
#include "cover/pack.hpp"
#include "cover/prune.hpp"
#include "cover/tree.hpp"

namespace laconic {

bool greedy_cover(const CoverInstance& in, ColumnPool& pool, Control& control, const std::vector<std::size_t>& known,
                  std::vector<std::size_t>& chosen) {
  std::vector<Word> left;
  fill_ones(left, in.n_pos);
  const auto take = [&](std::size_t k) {
    chosen.push_back(k);
    remove_all(left.data(), pool[k].cover, left.size());
  };
  Conqueror conqueror(in);
  RulePruner pruner(in);
  bool stopped = false;
  while (any(left.data(), left.size())) {
    if ((stopped = control.check_now())) break;
    Literals rule = conqueror.next_rule(left);
    pruner.prune(rule, nullptr, left.data());
    take(pool.add(std::move(rule)).first);
  }
  if (stopped && !known.empty()) {
    for (const std::size_t k : known)
      if (intersects(left.data(), pool[k].cover, left.size())) take(k);
  } else if (stopped) {
    for (Literals& rule : tree_cover(in, left)) take(pool.add(std::move(rule)).first);
  }
  drop_redundant(in.n_pos, pool, chosen);
  return !stopped;
}

}  // namespace laconic
