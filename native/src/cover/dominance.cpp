// Dominated columns.
//
// Columns are sorted by cost, and by falling size among equal costs, so a dominating column always comes first. It
// covers all rows of the dominated column, so the search is limited to the kept columns over the rarest row.
#include "cover/dominance.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace laconic {

std::vector<std::size_t> undominated(std::size_t n_rows, const std::vector<const Word*>& covers,
                                     const std::vector<Cost>& costs, Control& control) {
  const std::size_t words = words_for(n_rows);
  // By cost and number of rows not covered. A sort of millions could not be interrupted.
  std::map<std::pair<Cost, std::size_t>, std::vector<std::size_t>> kinds;
  for (std::size_t k = 0; k < covers.size(); ++k) {
    if (control.should_stop()) return {};
    const std::size_t size = count(covers[k], words);
    if (size > 0) kinds[{costs[k], n_rows - size}].push_back(k);
  }
  std::vector<std::vector<const Word*>> over(n_rows);
  std::vector<std::size_t> kept;
  for (const auto& [kind, numbers] : kinds)
    for (const std::size_t k : numbers) {
      if (control.should_stop()) return {};
      std::size_t rarest = n_rows;
      for_each(covers[k], words, [&](std::size_t i) {
        if (rarest == n_rows || over[i].size() < over[rarest].size()) rarest = i;
      });
      const auto is_inside = [&](const Word* other) { return is_subset(covers[k], other, words); };
      if (std::any_of(over[rarest].begin(), over[rarest].end(), is_inside)) continue;
      for_each(covers[k], words, [&](std::size_t i) { over[i].push_back(covers[k]); });
      kept.push_back(k);
    }
  return kept;
}

bool drop_dominated(std::size_t n_rows, Columns& columns, Control& control) {
  std::vector<const Word*> covers;
  std::vector<Cost> costs;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    covers.push_back(columns[k].cover);
    costs.push_back(columns[k].cost);
  }
  Columns kept(columns.words());
  for (const std::size_t k : undominated(n_rows, covers, costs, control)) kept.add(columns[k]);
  columns = std::move(kept);
  return !control.stopped();
}

}  // namespace laconic
