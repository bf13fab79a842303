// Branch and bound over listed columns, branching on whether two rows share a rule.
//
// Branching on a column (use it or not) is lopsided: forbidding one of ten thousand rules changes nothing. Ask
// instead, for two rows, whether some chosen rule covers both (as Ryan and Foster do for partitions). If yes, the two
// rows become one, covered only by the columns that cover both; if no, those columns go. Either way the problem stays
// a plain covering problem, gets smaller, and the fractional solution is cut off on both sides. Every node solves its
// relaxation with some zero-half cuts, rounds the prices to integers, checks them against every column, and then drops the
// columns whose reduced cost exceeds what an improvement may cost: deep nodes have a handful of columns left.
// A few pairs are tried for real before one is chosen (strong branching): their children are kept, so little is lost.
#include "cover_branch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cover_master.hpp"

namespace laconic {

// A node's linear programme and its last solution.
struct CoverBranch::Relaxation {
  explicit Relaxation(std::size_t n_rows) : master(n_rows) {}
  CoverMaster master;
  std::vector<std::size_t> in_master;  // the node's column behind each column of the master
  std::vector<char> is_in;
  std::vector<std::pair<std::size_t, std::size_t>> row_at;  // (row, its place in the master)
  std::vector<std::vector<Word>> cuts;
  std::vector<std::size_t> cut_at;  // their places in the master
  std::vector<double> y, sigma;     // prices of rows (by row) and of cuts
  std::vector<std::pair<double, std::size_t>> shares;  // (value, the node's column) of columns in the solution
  Rows merged;                   // rows that became one since the programme was set up: the first stands for all
  std::size_t joint_at = 0;      // the place of their common row
  // A cover as the programme's rows see it: the merged rows are covered together or not at all.
  void unfold(const Word* cover, std::size_t n_words, std::vector<Word>& out) const {
    out.assign(cover, cover + n_words);
    if (merged.empty() || !test_bit(cover, merged[0])) return;
    for (const std::size_t r : merged) set_bit(out.data(), r);
  }
};

namespace {

constexpr std::int64_t kScale = std::int64_t{1} << 20;
constexpr double kShrink = 1.0 - 1e-8;
constexpr std::size_t kColumnsPerRound = 100;
constexpr std::size_t kPairsTried = 4;
constexpr std::size_t kCutsPerRound = 30;
constexpr std::size_t kCutRoundsAtRoot = 12;
constexpr double kLeastViolation = 0.03;
constexpr std::size_t kGone = ~std::size_t{0};  // a column of the master that the node may not use

std::int64_t scaled(double price) {
  return price > 0 ? static_cast<std::int64_t>(std::floor(price * kShrink * static_cast<double>(kScale))) : 0;
}

std::size_t half_up(const Word* cover, const std::vector<Word>& rows) {
  return (count_and(cover, rows.data(), rows.size()) + 1) / 2;
}

struct Later {
  template <class NodePtr>
  bool operator()(const NodePtr& a, const NodePtr& b) const {
    return a->bound != b->bound ? a->bound > b->bound : a->number > b->number;
  }
};

}  // namespace

CoverBranch::CoverBranch(std::size_t n_rows, std::vector<Column> columns, Cost upper_bound)
    : n_rows_(n_rows), words_(words_for(n_rows)), columns_(std::move(columns)), upper_bound_(upper_bound) {
  root_ = std::make_shared<Node>();
  root_->alive.assign(words_, 0);
  for (std::size_t i = 0; i < n_rows; ++i) set_bit(root_->alive.data(), i);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    root_->ids.push_back(static_cast<std::int32_t>(k));
    root_->covers.insert(root_->covers.end(), columns_[k].cover.begin(), columns_[k].cover.end());
  }
}

// Whether a node with this bound may hold a cover cheaper than the incumbent.
bool CoverBranch::open(std::int64_t bound) const { return bound <= kScale * (upper_bound_ - 1); }

// Of columns with equal covers over the node's rows keeps the cheapest; drops those that cover nothing.
void CoverBranch::merge_equal(Node& node) const {
  std::size_t capacity = 64;
  while (capacity < 2 * node.ids.size()) capacity *= 2;
  std::vector<std::int32_t> slots(capacity, -1);
  std::size_t write = 0;
  for (std::size_t k = 0; k < node.ids.size(); ++k) {
    const Word* own = cover(node, k);
    if (!any(own, words_)) continue;
    std::uint64_t h = 0;
    for (std::size_t w = 0; w < words_; ++w) h = (h ^ own[w]) * 0xbf58476d1ce4e5b9ull, h ^= h >> 31;
    std::size_t at = h & (capacity - 1);
    while (slots[at] >= 0 && !std::equal(own, own + words_, cover(node, static_cast<std::size_t>(slots[at]))))
      at = (at + 1) & (capacity - 1);
    if (slots[at] >= 0) {
      auto& kept = node.ids[static_cast<std::size_t>(slots[at])];
      if (columns_[static_cast<std::size_t>(node.ids[k])].cost < columns_[static_cast<std::size_t>(kept)].cost)
        kept = node.ids[k];
      continue;
    }
    slots[at] = static_cast<std::int32_t>(write);
    node.ids[write] = node.ids[k];
    if (write != k) std::copy(own, own + words_, node.covers.begin() + static_cast<std::ptrdiff_t>(write * words_));
    ++write;
  }
  node.ids.resize(write);
  node.covers.resize(write * words_);
}

// Drops rows that every column over some other row covers too; rows that a cut or a question speaks of stay.
void CoverBranch::drop_implied_rows(Node& node) const {
  const std::size_t n = node.ids.size(), column_words = words_for(n);
  std::vector<std::size_t> rows, n_columns(n_rows_, 0);
  for_each(node.alive.data(), words_, [&](std::size_t r) { rows.push_back(r); });
  std::vector<Word> columns_of(n_rows_ * column_words, 0);
  for (std::size_t k = 0; k < n; ++k)
    for_each(cover(node, k), words_, [&](std::size_t r) {
      set_bit(columns_of.data() + r * column_words, k);
      ++n_columns[r];
    });
  std::vector<Word> kept(words_, 0), implied(words_, 0);
  for (const auto& cut : node.cuts)
    for (std::size_t w = 0; w < words_; ++w) kept[w] |= cut[w];
  for (const auto& question : node.questions)
    for (const std::size_t r : question) set_bit(kept.data(), r);
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return n_columns[a] < n_columns[b]; });
  for (std::size_t a = 1; a < rows.size(); ++a) {
    if (test_bit(kept.data(), rows[a])) continue;
    const Word* own = columns_of.data() + rows[a] * column_words;
    for (std::size_t b = 0; b < a; ++b)
      if (!test_bit(implied.data(), rows[b]) && is_subset(columns_of.data() + rows[b] * column_words, own, column_words)) {
        set_bit(implied.data(), rows[a]);
        break;
      }
  }
  for (std::size_t w = 0; w < words_; ++w) node.alive[w] &= ~implied[w];
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t w = 0; w < words_; ++w) node.covers[k * words_ + w] &= ~implied[w];
}

// Solves the programme over all of the node's columns; false if the control stopped it.
bool CoverBranch::price_all(Node& node, Relaxation& lp, Control& control) const {
  std::vector<std::pair<double, std::size_t>> attractive;
  std::vector<Word> unfolded;
  for (;;) {
    if (!lp.master.solve(control)) return false;
    const auto& prices = lp.master.prices();
    for (const auto& [row, at] : lp.row_at) lp.y[row] = prices[at];
    if (!lp.merged.empty()) {
      // One price for the merged rows: their own, which are implied now, and that of the common row.
      double sum = std::max(0.0, prices[lp.joint_at]);
      for (const std::size_t r : lp.merged) {
        sum += std::max(0.0, lp.y[r]);
        lp.y[r] = 0;
      }
      lp.y[lp.merged[0]] = sum;
    }
    lp.sigma.resize(lp.cuts.size());
    std::vector<std::size_t> priced;
    for (std::size_t c = 0; c < lp.cuts.size(); ++c)
      if ((lp.sigma[c] = prices[lp.cut_at[c]]) > 1e-9) priced.push_back(c);
    attractive.clear();
    for (std::size_t k = 0; k < node.ids.size(); ++k) {
      if (lp.is_in[k]) continue;
      const Word* own = cover(node, k);
      auto d = static_cast<double>(columns_[static_cast<std::size_t>(node.ids[k])].cost);
      for_each(own, words_, [&](std::size_t r) { d -= lp.y[r]; });
      if (d >= -1e-7 && !priced.empty()) lp.unfold(own, words_, unfolded);
      for (std::size_t c = 0; d >= -1e-7 && c < priced.size(); ++c)
        d -= lp.sigma[priced[c]] * static_cast<double>(half_up(unfolded.data(), lp.cuts[priced[c]]));
      if (d < -1e-7) attractive.push_back({d, k});
    }
    if (attractive.empty()) break;
    const std::size_t kept = std::min(kColumnsPerRound, attractive.size());
    std::partial_sort(attractive.begin(), attractive.begin() + static_cast<std::ptrdiff_t>(kept), attractive.end());
    for (std::size_t a = 0; a < kept; ++a) {
      const std::size_t k = attractive[a].second;
      lp.is_in[k] = 1;
      lp.in_master.push_back(k);
      lp.unfold(cover(node, k), words_, unfolded);
      lp.master.add_column({{}, unfolded, columns_[static_cast<std::size_t>(node.ids[k])].cost});
    }
    if (control.check_now()) return false;
  }
  lp.shares.clear();
  const std::vector<double> x = lp.master.primal();
  for (std::size_t c = 0; c < x.size(); ++c)
    if (x[c] > 1e-6 && lp.in_master[c] != kGone) lp.shares.push_back({x[c], lp.in_master[c]});
  return true;
}

// Zero-half cuts of three tight rows: violated if the columns that cover an odd number of them sum to less than one.
bool CoverBranch::add_cuts(const Node& node, Relaxation& lp) const {
  std::vector<std::size_t> tight;
  std::vector<std::int32_t> place(n_rows_, -1);
  for (const auto& [row, at] : lp.row_at)
    if (lp.y[row] > 1e-6) {
      place[row] = static_cast<std::int32_t>(tight.size());
      tight.push_back(row);
    }
  const std::size_t m = tight.size();
  std::vector<float> common(m * m, 0.0f);
  for (const auto& [x, k] : lp.shares) {
    std::vector<std::size_t> rows;
    for_each(cover(node, k), words_, [&](std::size_t r) {
      if (place[r] >= 0) rows.push_back(static_cast<std::size_t>(place[r]));
    });
    for (const std::size_t a : rows)
      for (const std::size_t b : rows) common[a * m + b] += static_cast<float>(x);
  }
  std::vector<std::pair<double, std::array<std::size_t, 3>>> violated;
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = a + 1; b < m; ++b) {
      const double ab = common[a * m + b];
      if (ab < 0.1 || ab > 0.99) continue;
      for (std::size_t c = b + 1; c < m; ++c) {
        const double sum = ab + common[a * m + c] + common[b * m + c];
        if (sum <= 1 + 2 * kLeastViolation) continue;
        double all = 0;
        for (const auto& [x, k] : lp.shares) {
          const Word* own = cover(node, k);
          if (test_bit(own, tight[a]) && test_bit(own, tight[b]) && test_bit(own, tight[c])) all += x;
        }
        const double violation = (sum - 2 * all - 1) / 2;
        if (violation > kLeastViolation) violated.push_back({-violation, {tight[a], tight[b], tight[c]}});
      }
    }
  if (violated.empty()) return false;
  std::sort(violated.begin(), violated.end());
  std::vector<int> used(n_rows_, 0);
  std::size_t added = 0;
  for (const auto& [unused, rows] : violated) {
    if (added == kCutsPerRound) break;
    if (used[rows[0]] + used[rows[1]] + used[rows[2]] > 3) continue;
    std::vector<Word> mask(words_, 0);
    for (const std::size_t r : rows) {
      set_bit(mask.data(), r);
      ++used[r];
    }
    lp.cut_at.push_back(lp.master.n_rows());
    lp.master.add_cut(mask, static_cast<double>(upper_bound_) + 1.0);
    lp.cuts.push_back(std::move(mask));
    ++added;
  }
  return true;
}

// From here on in integers: the bound, the columns that an improvement may still use.
void CoverBranch::prove(Node& node, Relaxation& lp) {
  std::vector<std::int64_t> price(n_rows_, 0), cut_price(lp.cuts.size());
  std::vector<std::size_t> priced;
  std::int64_t total = 0, overpaid = 0;
  for (const auto& [row, at] : lp.row_at) total += price[row] = scaled(lp.y[row]);
  for (std::size_t c = 0; c < lp.cuts.size(); ++c) {
    cut_price[c] = scaled(lp.sigma[c]);
    total += cut_price[c] * static_cast<std::int64_t>(half_up(lp.cuts[c].data(), lp.cuts[c]));
    if (cut_price[c] > 0) priced.push_back(c);
  }
  std::vector<std::int64_t> slack(node.ids.size());
  std::vector<Word> unfolded;
  for (std::size_t k = 0; k < node.ids.size(); ++k) {
    const Word* own = cover(node, k);
    if (!priced.empty()) lp.unfold(own, words_, unfolded);
    slack[k] = kScale * columns_[static_cast<std::size_t>(node.ids[k])].cost;
    for_each(own, words_, [&](std::size_t r) { slack[k] -= price[r]; });
    for (const std::size_t c : priced) slack[k] -= cut_price[c] * static_cast<std::int64_t>(half_up(unfolded.data(), lp.cuts[c]));
    overpaid = std::max(overpaid, -slack[k]);
  }
  if (overpaid > 0) {
    // An improvement has at most upper_bound - 1 columns (each costs at least one), each overpaid by at most this.
    total -= overpaid * (upper_bound_ - 1);
    for (auto& s : slack) s += overpaid;
  }
  node.bound = std::max(node.bound, total);
  if (!open(node.bound)) return;

  node.hot.clear();
  for (const std::size_t k : lp.in_master)
    if (k != kGone && slack[k] < kScale / 4) node.hot.push_back(node.ids[k]);
  std::sort(node.hot.begin(), node.hot.end());
  node.cuts.clear();
  for (const std::size_t c : priced) node.cuts.push_back(lp.cuts[c]);
  ask(node, lp);

  std::size_t write = 0;
  for (std::size_t k = 0; k < node.ids.size(); ++k) {
    if (total + slack[k] > kScale * (upper_bound_ - 1)) continue;
    node.ids[write] = node.ids[k];
    if (write != k) std::copy(cover(node, k), cover(node, k) + words_, node.covers.begin() + static_cast<std::ptrdiff_t>(write * words_));
    ++write;
  }
  node.ids.resize(write);
  node.covers.resize(write * words_);
}

// Chooses the pairs of rows to branch on: those whose common columns have a share near one half.
void CoverBranch::ask(Node& node, const Relaxation& lp) {
  std::vector<std::size_t> alive, rows;
  std::vector<std::size_t> place(n_rows_, 0);
  for_each(node.alive.data(), words_, [&](std::size_t r) {
    place[r] = alive.size();
    alive.push_back(r);
  });
  const std::size_t m = alive.size();
  std::vector<float> common(m * m, 0.0f);
  for (const auto& [x, k] : lp.shares) {
    rows.clear();
    for_each(cover(node, k), words_, [&](std::size_t r) { rows.push_back(place[r]); });
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = a + 1; b < rows.size(); ++b) common[rows[a] * m + rows[b]] += static_cast<float>(x);
  }
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = a + 1; b < m; ++b) {
      const double f = common[a * m + b];
      if (f < 1e-4 || f > 1 - 1e-4) continue;
      ranked.push_back({-f * (1 - f) * (0.1 + std::min(lp.y[alive[a]], lp.y[alive[b]])), a * m + b});
    }
  const std::size_t tried = std::min(kPairsTried, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(tried), ranked.end());
  node.questions.clear();
  for (std::size_t t = 0; t < tried; ++t) node.questions.push_back({alive[ranked[t].second / m], alive[ranked[t].second % m]});
  if (!node.questions.empty()) return;
  // No pair is shared in part. A fractional column inside no other of the solution has all its rows shared in part.
  std::size_t pick = node.ids.size();
  for (const auto& [x, k] : lp.shares) {
    if (x < 1e-4 || x > 1 - 1e-4) continue;
    if (pick == node.ids.size() || count(cover(node, k), words_) > count(cover(node, pick), words_)) pick = k;
  }
  if (pick == node.ids.size() || count(cover(node, pick), words_) < 2) {
    // The solution rests on stand-ins: any column with two rows will do.
    for (std::size_t k = 0; k < node.ids.size(); ++k)
      if (pick == node.ids.size() || count(cover(node, k), words_) > count(cover(node, pick), words_)) pick = k;
  }
  if (pick == node.ids.size() || count(cover(node, pick), words_) < 2) return settle(node);
  node.questions.emplace_back();
  for_each(cover(node, pick), words_, [&](std::size_t r) { node.questions[0].push_back(r); });
}

// No column covers two rows: every row takes its cheapest column, and the node is done with.
void CoverBranch::settle(Node& node) {
  std::vector<std::size_t> cheapest(n_rows_, columns_.size()), chosen;
  for (std::size_t c = 0; c < node.ids.size(); ++c) {
    const auto k = static_cast<std::size_t>(node.ids[c]);
    for_each(cover(node, c), words_, [&](std::size_t r) {
      if (cheapest[r] == columns_.size() || columns_[k].cost < columns_[cheapest[r]].cost) cheapest[r] = k;
    });
  }
  Cost cost = 0;
  bool coverable = true;
  for_each(node.alive.data(), words_, [&](std::size_t r) {
    coverable &= cheapest[r] < columns_.size();
    if (!coverable) return;
    chosen.push_back(cheapest[r]);
    cost += columns_[cheapest[r]].cost;
  });
  if (coverable && cost < upper_bound_) {
    upper_bound_ = cost;
    best_ = std::move(chosen);
  }
  node.bound = kScale * upper_bound_;
}

// Sets up the node's programme from nothing and solves it; false if it has no solution (or the control stopped: ask it).
bool CoverBranch::solve_afresh(Node& node, Relaxation& lp, Control& control) const {
  merge_equal(node);
  drop_implied_rows(node);
  merge_equal(node);
  const std::size_t n = node.ids.size();
  std::vector<Cost> cheapest(n_rows_, upper_bound_ + 1);
  for (std::size_t k = 0; k < n; ++k) {
    const Cost cost = columns_[static_cast<std::size_t>(node.ids[k])].cost;
    for_each(cover(node, k), words_, [&](std::size_t r) { cheapest[r] = std::min(cheapest[r], cost); });
  }
  bool coverable = true;
  for_each(node.alive.data(), words_, [&](std::size_t r) {
    coverable &= cheapest[r] <= upper_bound_;
    lp.row_at.push_back({r, lp.master.n_rows()});
    lp.master.add_row(r, static_cast<double>(cheapest[r]) + 1.0);  // dearer than a real column, so never in a solution
  });
  if (!coverable) return false;
  for (const auto& cut : node.cuts) {
    if (!is_subset(cut.data(), node.alive.data(), words_)) continue;  // a merged row changed what it says
    lp.cut_at.push_back(lp.master.n_rows());
    lp.cuts.push_back(cut);
    lp.master.add_cut(cut, static_cast<double>(upper_bound_) + 1.0);
  }
  lp.y.assign(n_rows_, 0.0);
  lp.is_in.assign(n, 0);
  for (std::size_t k = 0; k < n; ++k)
    if (std::binary_search(node.hot.begin(), node.hot.end(), node.ids[k])) {
      lp.is_in[k] = 1;
      lp.in_master.push_back(k);
      lp.master.add_column({{}, {cover(node, k), cover(node, k) + words_}, columns_[static_cast<std::size_t>(node.ids[k])].cost});
    }
  return price_all(node, lp, control);
}

// Solves a child's programme from its parent's solution. `lp` is a copy of the parent's with `merged` set if rows were
// merged; `kept` gives the child's number of each of the parent's columns, -1 if it may no longer be used, and is
// empty if all are kept. Forbidden columns stay, at a price that drives them out.
bool CoverBranch::solve_from(const std::vector<std::int32_t>& kept, Node& child, Relaxation& lp, Control& control) const {
  const double prohibitive = 100.0 * static_cast<double>(upper_bound_);
  if (!lp.merged.empty()) {
    std::vector<Word> mask(words_, 0);
    for (const std::size_t r : lp.merged) set_bit(mask.data(), r);
    lp.joint_at = lp.master.n_rows();
    lp.master.add_joint_row(mask, prohibitive);
  }
  if (!kept.empty()) {
    for (std::size_t c = 0; c < lp.in_master.size(); ++c) {
      const std::int32_t now = kept[lp.in_master[c]];
      if (now < 0) lp.master.set_cost(c, prohibitive);
      lp.in_master[c] = now < 0 ? kGone : static_cast<std::size_t>(now);
    }
    lp.is_in.assign(child.ids.size(), 0);
    for (const std::size_t k : lp.in_master)
      if (k != kGone) lp.is_in[k] = 1;
  }
  return price_all(child, lp, control);
}

// Adds cuts, proves the bound, fixes columns; false if the node can be forgotten (or the control stopped: ask it).
bool CoverBranch::finish(Node& node, Relaxation& lp, std::size_t cut_rounds, Control& control) {
  ++nodes_;
  for (std::size_t round = 0; round < cut_rounds; ++round) {
    if (lp.master.objective() > static_cast<double>(upper_bound_) - 1.0 + 1e-6) break;
    if (!add_cuts(node, lp)) break;
    if (!price_all(node, lp, control)) return false;
  }
  round(node, lp);
  prove(node, lp);
  return open(node.bound);
}

// Takes the columns of the solution, largest share first, while they cover something new.
void CoverBranch::round(const Node& node, const Relaxation& lp) {
  auto order = lp.shares;
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Word> covered(words_, 0);
  std::vector<std::int32_t> times(n_rows_, 0);
  std::vector<std::size_t> chosen;
  for (const auto& [share, local] : order) {
    const auto k = static_cast<std::size_t>(node.ids[local]);
    if (is_subset(columns_[k].cover.data(), covered.data(), words_)) continue;
    chosen.push_back(k);
    for (std::size_t w = 0; w < words_; ++w) covered[w] |= columns_[k].cover[w];
    for_each(columns_[k].cover.data(), words_, [&](std::size_t i) { ++times[i]; });
  }
  if (count(covered.data(), words_) < n_rows_) return;
  Cost cost = 0;
  std::vector<std::size_t> needed;
  for (std::size_t c = chosen.size(); c-- > 0;) {
    bool superfluous = true;
    for_each(columns_[chosen[c]].cover.data(), words_, [&](std::size_t i) { superfluous &= times[i] > 1; });
    if (superfluous) {
      for_each(columns_[chosen[c]].cover.data(), words_, [&](std::size_t i) { --times[i]; });
    } else {
      needed.push_back(chosen[c]);
      cost += columns_[chosen[c]].cost;
    }
  }
  if (cost < upper_bound_) {
    upper_bound_ = cost;
    best_ = needed;
  }
}

// Some chosen column covers all of `rows`: they become one row, the first.
CoverBranch::NodePtr CoverBranch::together(const Node& parent, const Rows& rows) const {
  auto child = std::make_shared<Node>(parent);
  for (std::size_t k = 0; k < child->ids.size(); ++k) {
    Word* own = child->covers.data() + k * words_;
    bool all = true;
    for (const std::size_t r : rows) all &= test_bit(own, r);
    for (const std::size_t r : rows) clear_bit(own, r);
    if (all) set_bit(own, rows[0]);
  }
  for (std::size_t r = 1; r < rows.size(); ++r) clear_bit(child->alive.data(), rows[r]);
  return child;
}

// No chosen column covers all of `rows`: the columns that do are dropped.
CoverBranch::NodePtr CoverBranch::apart(const Node& parent, const Rows& rows, std::vector<std::int32_t>& kept) const {
  auto child = std::make_shared<Node>(parent);
  kept.assign(parent.ids.size(), -1);
  std::size_t write = 0;
  for (std::size_t k = 0; k < parent.ids.size(); ++k) {
    const Word* own = cover(parent, k);
    bool all = true;
    for (const std::size_t r : rows) all &= test_bit(own, r);
    if (all) continue;
    kept[k] = static_cast<std::int32_t>(write);
    child->ids[write] = parent.ids[k];
    std::copy(own, own + words_, child->covers.begin() + static_cast<std::ptrdiff_t>(write * words_));
    ++write;
  }
  child->ids.resize(write);
  child->covers.resize(write * words_);
  return child;
}

void CoverBranch::push(NodePtr node) {
  heap_.push_back(std::move(node));
  std::push_heap(heap_.begin(), heap_.end(), Later{});
}

void CoverBranch::expand(const NodePtr& node, Control& control) {
  Relaxation base(n_rows_);
  const bool feasible = solve_afresh(*node, base, control);
  if (control.check_now()) return push(node);  // nothing was decided
  if (!feasible) return;
  std::vector<NodePtr> best_children;
  double best_score = -1;
  for (const auto& rows : node->questions) {
    std::vector<NodePtr> children;
    double score = 1;
    for (const bool merge : {true, false}) {
      std::vector<std::int32_t> kept;
      NodePtr child = merge ? together(*node, rows) : apart(*node, rows, kept);
      Relaxation lp = base;
      if (merge) lp.merged = rows;
      const bool alive = solve_from(kept, *child, lp, control) && finish(*child, lp, 1, control);
      if (control.check_now()) return push(node);
      const auto most = static_cast<double>(kScale * upper_bound_ - node->bound);
      const double gain = alive ? static_cast<double>(child->bound - node->bound) : most;
      score *= std::max(gain / static_cast<double>(kScale), 1e-3);
      if (alive) children.push_back(std::move(child));
    }
    if (score > best_score) {
      best_score = score;
      best_children = std::move(children);
      if (best_children.size() < 2) break;
    }
  }
  for (auto& child : best_children) {
    if (!open(child->bound)) continue;
    child->number = ++numbers_;
    push(std::move(child));
  }
}

bool CoverBranch::run(Control& control) {
  if (!started_) {
    Relaxation lp(n_rows_);
    const bool alive = solve_afresh(*root_, lp, control) && finish(*root_, lp, kCutRoundsAtRoot, control);
    if (control.check_now()) return false;
    started_ = true;
    if (alive) push(root_);
  }
  while (!heap_.empty()) {
    if (control.check_now()) return false;
    std::pop_heap(heap_.begin(), heap_.end(), Later{});
    const NodePtr node = heap_.back();
    heap_.pop_back();
    if (open(node->bound)) expand(node, control);
  }
  return true;
}

}  // namespace laconic
