// Improvement of covers by local search with row weights.
//
// The search keeps a cover. Whenever it is complete, it is stored and one column is removed. Then columns are swapped:
// another column leaves (the one whose loss costs the least weight per price and that was not moved recently), an
// uncovered row is picked, the best allowed column for it enters, and the weights of the rows that stay uncovered grow.
// Rows that are hard to cover become heavy, which leads the search out of local optima (Gao, Weise and Li's row
// weighting local search for unicost covers; here scores are divided by prices). The rival, an integer programme over
// the same columns, takes seconds where this takes milliseconds, and proves nothing more.
#include "cover/local.hpp"

#include <algorithm>

namespace laconic {

Cost cost_of(const ColumnPool& pool, const std::vector<std::size_t>& chosen) {
  Cost total = 0;
  for (const std::size_t k : chosen) total += pool[k].cost;
  return total;
}

namespace {

class LocalSearch {
 public:
  LocalSearch(const CoverInstance& in, const ColumnPool& pool, const std::vector<std::size_t>& columns)
      : columns_(columns) {
    const std::size_t n = columns.size();
    rows_.resize(n);
    of_row_.resize(in.n_pos);
    for (const std::size_t k : columns) price_.push_back(pool[k].cost);
    for (std::size_t c = 0; c < n; ++c)
      for_each(pool[columns[c]].cover, in.pos_words, [&](std::size_t i) {
        rows_[c].push_back(static_cast<std::int32_t>(i));
        of_row_[i].push_back(static_cast<std::int32_t>(c));
      });
    chosen_.assign(n, 0);
    score_.assign(n, 0);
    moved_.assign(n, 0);
    can_add_.assign(n, 1);
    times_.assign(in.n_pos, 0);
    weight_.assign(in.n_pos, 1);
    where_.assign(in.n_pos, -1);
    slot_.assign(n, -1);
    for (std::size_t i = 0; i < in.n_pos; ++i) mark_uncovered(i);
    for (std::size_t c = 0; c < n; ++c) score_[c] = static_cast<std::int64_t>(rows_[c].size());
  }

  bool complete() const { return uncovered_.empty(); }
  Cost cost() const { return cost_; }
  std::size_t n_chosen() const { return members_.size(); }

  void add(std::size_t c) {
    chosen_[c] = 1;
    slot_[c] = static_cast<std::int32_t>(members_.size());
    members_.push_back(static_cast<std::int32_t>(c));
    cost_ += price(c);
    score_[c] = -score_[c];
    for (const auto row : rows_[c]) {
      const auto i = static_cast<std::size_t>(row);
      if (times_[i]++ == 0) {
        mark_covered(i);
        for (const auto other : of_row_[i])
          if (static_cast<std::size_t>(other) != c) {
            score_[static_cast<std::size_t>(other)] -= weight_[i];
            can_add_[static_cast<std::size_t>(other)] = 1;
          }
      } else if (times_[i] == 2) {
        // The only column that covered the row is no longer alone.
        for (const auto other : of_row_[i])
          if (static_cast<std::size_t>(other) != c && chosen_[static_cast<std::size_t>(other)])
            score_[static_cast<std::size_t>(other)] += weight_[i];
      }
    }
  }

  void remove(std::size_t c) {
    chosen_[c] = 0;
    const auto last = static_cast<std::size_t>(members_.back());
    members_[static_cast<std::size_t>(slot_[c])] = members_.back();
    slot_[last] = slot_[c];
    members_.pop_back();
    slot_[c] = -1;
    cost_ -= price(c);
    score_[c] = -score_[c];
    can_add_[c] = 0;
    for (const auto row : rows_[c]) {
      const auto i = static_cast<std::size_t>(row);
      if (--times_[i] == 0) {
        mark_uncovered(i);
        for (const auto other : of_row_[i])
          if (static_cast<std::size_t>(other) != c) {
            score_[static_cast<std::size_t>(other)] += weight_[i];
            can_add_[static_cast<std::size_t>(other)] = 1;
          }
      } else if (times_[i] == 1) {
        for (const auto other : of_row_[i])
          if (chosen_[static_cast<std::size_t>(other)]) score_[static_cast<std::size_t>(other)] -= weight_[i];
      }
    }
  }

  // Returns the chosen column whose loss costs the least weight per price; among equals the one moved longest ago.
  std::size_t cheapest_loss(std::uint64_t now, std::uint64_t tabu) const {
    std::size_t best = columns_.size();
    for (const auto member : members_) {
      const auto c = static_cast<std::size_t>(member);
      if (tabu && moved_[c] + tabu > now) continue;
      if (best == columns_.size() || better(c, best)) best = c;
    }
    return best;
  }

  // Returns the best column over the row that fits. A column whose neighbourhood is unchanged since it left is taken
  // only as a last resort.
  std::size_t best_gain(std::size_t row, Cost room) const {
    std::size_t best = columns_.size(), stale = columns_.size();
    for (const auto candidate : of_row_[row]) {
      const auto c = static_cast<std::size_t>(candidate);
      if (chosen_[c] || price(c) > room) continue;
      std::size_t& pick = can_add_[c] ? best : stale;
      if (pick == columns_.size() || better(c, pick)) pick = c;
    }
    return best < columns_.size() ? best : stale;
  }

  std::size_t random_uncovered(Random& random) const {
    return static_cast<std::size_t>(uncovered_[random.below(uncovered_.size())]);
  }

  void weigh_uncovered() {
    for (const auto row : uncovered_) {
      const auto i = static_cast<std::size_t>(row);
      ++weight_[i];
      for (const auto c : of_row_[i]) ++score_[static_cast<std::size_t>(c)];
    }
  }

  void touch(std::size_t c, std::uint64_t now) { moved_[c] = now; }
  Cost price(std::size_t c) const { return price_[c]; }

  std::vector<std::size_t> chosen() const {
    std::vector<std::size_t> out;
    for (const auto c : members_) out.push_back(columns_[static_cast<std::size_t>(c)]);
    return out;
  }

 private:
  // Scores are gains for columns outside and negated losses for columns inside; the comparison is per unit of price.
  bool better(std::size_t a, std::size_t b) const {
    // Among losses (negative scores) the more expensive column should leave, so the products swap sides.
    const std::int64_t left = score_[a] * price(b), right = score_[b] * price(a);
    if (left != right) return left > right;
    return moved_[a] != moved_[b] ? moved_[a] < moved_[b] : a < b;
  }
  void mark_uncovered(std::size_t i) {
    where_[i] = static_cast<std::int32_t>(uncovered_.size());
    uncovered_.push_back(static_cast<std::int32_t>(i));
  }
  void mark_covered(std::size_t i) {
    const auto last = static_cast<std::size_t>(uncovered_.back());
    uncovered_[static_cast<std::size_t>(where_[i])] = uncovered_.back();
    where_[last] = where_[i];
    uncovered_.pop_back();
    where_[i] = -1;
  }

  const std::vector<std::size_t>& columns_;
  std::vector<Cost> price_;
  std::vector<std::vector<std::int32_t>> rows_, of_row_;
  std::vector<char> chosen_, can_add_;
  std::vector<std::int64_t> score_, weight_;
  std::vector<std::uint64_t> moved_;
  std::vector<std::int32_t> times_, where_, slot_, uncovered_, members_;
  Cost cost_ = 0;
};

}  // namespace

std::vector<std::size_t> improve_cover(const CoverInstance& in, const ColumnPool& pool,
                                       const std::vector<std::size_t>& columns, std::vector<std::size_t> start,
                                       Cost stop_at, std::uint64_t steps, Random& random, Control& control) {
  LocalSearch search(in, pool, columns);
  std::vector<std::size_t> position(pool.size(), columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) position[columns[c]] = c;
  for (const std::size_t k : start)
    if (position[k] < columns.size()) search.add(position[k]);
  std::vector<std::size_t> best = start;
  Cost best_cost = cost_of(pool, start);
  for (std::uint64_t now = 1; now <= steps && best_cost > stop_at; ++now) {
    if (control.should_stop()) break;
    while (search.complete() && search.n_chosen() > 0) {
      if (search.cost() < best_cost) {
        best = search.chosen();
        best_cost = search.cost();
      }
      const std::size_t out = search.cheapest_loss(now, 0);
      search.remove(out);
      search.touch(out, now);
    }
    const std::size_t out = search.cheapest_loss(now, 2);
    if (out < columns.size()) {
      search.remove(out);
      search.touch(out, now);
    }
    while (!search.complete()) {
      const std::size_t row = search.random_uncovered(random);
      const std::size_t in_column = search.best_gain(row, best_cost - 1 - search.cost());
      if (in_column == columns.size()) {
        search.weigh_uncovered();
        break;
      }
      search.add(in_column);
      search.touch(in_column, now);
      search.weigh_uncovered();
    }
  }
  return best;
}

}  // namespace laconic
