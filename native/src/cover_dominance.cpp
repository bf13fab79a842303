// Columns that another column makes needless.
//
// Cheapest first, and of equal cost the largest first, whatever dominates a column stands before it. It covers all of the
// column's rows, so it is enough to look among those kept over the column's rarest row.
#include "cover_dominance.hpp"

#include <algorithm>
#include <numeric>

namespace laconic {

std::vector<char> find_dominated(std::size_t n_rows, const std::vector<const Word*>& covers, const std::vector<Cost>& costs,
                                 Control& control) {
  const std::size_t words = words_for(n_rows);
  std::vector<std::size_t> size(covers.size()), order(covers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = 0; k < size.size(); ++k) size[k] = count(covers[k], words);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (costs[a] != costs[b]) return costs[a] < costs[b];
    return size[a] != size[b] ? size[a] > size[b] : a < b;
  });
  std::vector<std::vector<const Word*>> kept(n_rows);
  std::vector<char> dominated(covers.size(), 0);
  for (const std::size_t k : order) {
    if (control.should_stop()) return {};
    std::size_t rarest = n_rows;
    for_each(covers[k], words, [&](std::size_t i) {
      if (rarest == n_rows || kept[i].size() < kept[rarest].size()) rarest = i;
    });
    const auto is_inside = [&](const Word* other) { return is_subset(covers[k], other, words); };
    if (rarest == n_rows || std::any_of(kept[rarest].begin(), kept[rarest].end(), is_inside))
      dominated[k] = 1;
    else
      for_each(covers[k], words, [&](std::size_t i) { kept[i].push_back(covers[k]); });
  }
  return dominated;
}

bool drop_dominated(std::size_t n_rows, std::vector<Column>& columns, Control& control) {
  std::vector<const Word*> covers;
  std::vector<Cost> costs;
  for (const auto& column : columns) {
    covers.push_back(column.cover.data());
    costs.push_back(column.cost);
  }
  const std::vector<char> dominated = find_dominated(n_rows, covers, costs, control);
  if (dominated.size() < columns.size()) return false;
  std::size_t write = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (dominated[k]) continue;
    if (write != k) columns[write] = std::move(columns[k]);
    ++write;
  }
  columns.resize(write);
  return true;
}

}  // namespace laconic
