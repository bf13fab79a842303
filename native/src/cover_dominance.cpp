// Columns that another column makes needless.
//
// Cheapest first, and of equal cost the largest first, whatever dominates a column stands before it. It covers all of the
// column's rows, so it is enough to look among those kept over the column's rarest row.
#include "cover_dominance.hpp"

#include <algorithm>
#include <numeric>

namespace laconic {

bool drop_dominated(std::size_t n_rows, std::vector<Column>& columns, Control& control) {
  const std::size_t words = words_for(n_rows);
  std::vector<std::size_t> size(columns.size()), order(columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = 0; k < size.size(); ++k) size[k] = count(columns[k].cover.data(), words);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Column &x = columns[a], &y = columns[b];
    if (x.cost != y.cost) return x.cost < y.cost;
    return size[a] != size[b] ? size[a] > size[b] : x.literals < y.literals;
  });
  std::vector<std::vector<std::size_t>> over(n_rows);
  std::vector<Column> kept;
  for (const std::size_t k : order) {
    if (control.should_stop()) return false;
    const Word* cover = columns[k].cover.data();
    std::size_t rarest = n_rows;
    for_each(cover, words, [&](std::size_t i) {
      if (rarest == n_rows || over[i].size() < over[rarest].size()) rarest = i;
    });
    bool dominated = false;
    for (const std::size_t other : over[rarest])
      if ((dominated = is_subset(cover, kept[other].cover.data(), words))) break;
    if (dominated) continue;
    for_each(cover, words, [&](std::size_t i) { over[i].push_back(kept.size()); });
    kept.push_back(std::move(columns[k]));
  }
  columns = std::move(kept);
  return true;
}

}  // namespace laconic
