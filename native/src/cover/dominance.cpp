// Columns that another column makes needless.
//
// Cheapest first, and of equal cost the largest first, whatever dominates a column stands before it. It covers all of the
// column's rows, so it is enough to look among those kept over the column's rarest row.
#include "cover/dominance.hpp"

#include <algorithm>
#include <numeric>

namespace laconic {

std::vector<std::size_t> undominated(std::size_t n_rows, const std::vector<const Word*>& covers, const std::vector<Cost>& costs,
                                     Control& control) {
  const std::size_t words = words_for(n_rows);
  std::vector<std::size_t> size(covers.size()), order(covers.size()), kept;
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = 0; k < size.size(); ++k) size[k] = count(covers[k], words);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (costs[a] != costs[b]) return costs[a] < costs[b];
    return size[a] != size[b] ? size[a] > size[b] : a < b;
  });
  std::vector<std::vector<const Word*>> over(n_rows);
  for (const std::size_t k : order) {
    if (control.should_stop()) return {};
    std::size_t rarest = n_rows;
    for_each(covers[k], words, [&](std::size_t i) {
      if (rarest == n_rows || over[i].size() < over[rarest].size()) rarest = i;
    });
    if (rarest == n_rows) continue;  // it covers nothing
    const auto is_inside = [&](const Word* other) { return is_subset(covers[k], other, words); };
    if (std::any_of(over[rarest].begin(), over[rarest].end(), is_inside)) continue;
    for_each(covers[k], words, [&](std::size_t i) { over[i].push_back(covers[k]); });
    kept.push_back(k);
  }
  return kept;
}

bool drop_dominated(std::size_t n_rows, std::vector<Column>& columns, Control& control) {
  std::vector<const Word*> covers;
  std::vector<Cost> costs;
  for (const auto& column : columns) {
    covers.push_back(column.cover.data());
    costs.push_back(column.cost);
  }
  std::vector<Column> kept;
  for (const std::size_t k : undominated(n_rows, covers, costs, control)) kept.push_back(std::move(columns[k]));
  columns = std::move(kept);
  return !control.stopped();
}

}  // namespace laconic
