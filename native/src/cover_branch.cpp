// Branch and bound over listed columns, branching on whether two rows share a rule.
//
// Branching on a column (use it or not) is lopsided: forbidding one of ten thousand rules changes nothing. Ask
// instead, for two rows, whether some chosen rule covers both (as Ryan and Foster do for partitions). If yes, the two
// rows become one, covered only by the columns that cover both; if no, those columns go. Either way the problem stays
// a plain covering problem, gets smaller, and the fractional solution is cut off on both sides. Every node solves its
// relaxation, rounds the prices to integers, checks them against every column, and then drops the columns whose reduced cost
// exceeds what an improvement may cost: deep nodes have a handful of columns left.
// A few pairs are tried for real before one is chosen (strong branching): their children are kept, so little is lost.
#include "cover_branch.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

#include "cover_master.hpp"

namespace laconic {
namespace {

constexpr std::int64_t kScale = std::int64_t{1} << 20;
constexpr double kShrink = 1.0 - 1e-8;
constexpr std::size_t kColumnsPerRound = 100;
constexpr std::size_t kPairsTried = 4;

Cost ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0); }

template <class NodePtr>
bool later(const NodePtr& a, const NodePtr& b) {
  return a->bound != b->bound ? a->bound > b->bound : a->number > b->number;
}

}  // namespace

CoverBranch::CoverBranch(std::size_t n_rows, std::vector<Column> columns, Cost upper_bound)
    : n_rows_(n_rows), words_(words_for(n_rows)), columns_(std::move(columns)), upper_bound_(upper_bound) {
  root_ = std::make_shared<Node>();
  for (std::size_t i = 0; i < n_rows; ++i) root_->rows.push_back({static_cast<std::int32_t>(i)});
  auto all = std::make_shared<std::vector<std::int32_t>>(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) (*all)[k] = static_cast<std::int32_t>(k);
  root_->columns = all;
}

// Whether a node with this bound may hold a cover cheaper than the incumbent.
bool CoverBranch::open(std::int64_t bound) const { return bound <= kScale * (upper_bound_ - 1); }

Cost CoverBranch::lower_bound() const {
  std::int64_t least = kScale * upper_bound_;
  if (!started_) return 0;
  for (const auto& node : heap_) least = std::min(least, node->bound);
  return std::min(upper_bound_, ceil_div(least, kScale));
}

// Solves the node's relaxation; false if the node can be forgotten (or the control stopped: ask it).
bool CoverBranch::relax(Node& node, Control& control) {
  ++nodes_;
  // Columns over the node's rows, equal covers once, the cheapest of them.
  const std::size_t m = node.rows.size(), lw = words_for(m);
  std::vector<std::int32_t> ids;
  std::vector<Word> covers;
  std::unordered_multimap<std::uint64_t, std::size_t> seen;
  std::vector<Word> local(lw);
  for (const auto id : *node.columns) {
    const Word* cover = columns_[static_cast<std::size_t>(id)].cover.data();
    std::fill(local.begin(), local.end(), 0);
    bool some = false;
    for (std::size_t r = 0; r < m; ++r) {
      bool holds = true;
      for (const auto i : node.rows[r]) holds &= test_bit(cover, static_cast<std::size_t>(i));
      if (holds) {
        set_bit(local.data(), r);
        some = true;
      }
    }
    if (!some) continue;
    std::uint64_t h = 0;
    for (const Word w : local) h = (h ^ w) * 0xbf58476d1ce4e5b9ull, h ^= h >> 31;
    bool known = false;
    auto [first, last] = seen.equal_range(h);
    for (auto it = first; it != last && !known; ++it)
      if (std::equal(local.begin(), local.end(), covers.begin() + static_cast<std::ptrdiff_t>(it->second * lw))) {
        known = true;
        auto& kept = ids[it->second];
        if (columns_[static_cast<std::size_t>(id)].cost < columns_[static_cast<std::size_t>(kept)].cost) kept = id;
      }
    if (known) continue;
    seen.emplace(h, ids.size());
    ids.push_back(id);
    covers.insert(covers.end(), local.begin(), local.end());
  }
  const std::size_t n = ids.size();
  std::vector<Cost> cost(n), cheapest(m, upper_bound_ + 1);
  for (std::size_t k = 0; k < n; ++k) {
    cost[k] = columns_[static_cast<std::size_t>(ids[k])].cost;
    for_each(covers.data() + k * lw, lw, [&](std::size_t r) { cheapest[r] = std::min(cheapest[r], cost[k]); });
  }

  CoverMaster master(m);
  for (std::size_t r = 0; r < m; ++r) {
    if (cheapest[r] > upper_bound_) return false;  // nothing left covers the row
    master.add_row(r, static_cast<double>(cheapest[r]));
  }
  std::vector<std::size_t> in_master;
  std::vector<char> is_in(n, 0);
  const auto add = [&](std::size_t k) {
    Column column;
    column.cover.assign(covers.begin() + static_cast<std::ptrdiff_t>(k * lw), covers.begin() + static_cast<std::ptrdiff_t>((k + 1) * lw));
    column.cost = cost[k];
    master.add_column(column);
    in_master.push_back(k);
    is_in[k] = 1;
  };
  {
    std::unordered_map<std::int32_t, std::size_t> place;
    for (std::size_t k = 0; k < n; ++k) place.emplace(ids[k], k);
    for (const auto id : node.hot) {
      const auto it = place.find(id);
      if (it != place.end()) add(it->second);
    }
  }
  std::vector<double> y(m);
  std::vector<std::pair<double, std::size_t>> attractive;
  for (;;) {
    if (!master.solve(control)) return false;
    y = master.prices();
    attractive.clear();
    for (std::size_t k = 0; k < n; ++k) {
      if (is_in[k]) continue;
      double d = static_cast<double>(cost[k]);
      for_each(covers.data() + k * lw, lw, [&](std::size_t r) { d -= y[r]; });
      if (d < -1e-7) attractive.push_back({d, k});
    }
    if (attractive.empty()) break;
    const std::size_t kept = std::min(kColumnsPerRound, attractive.size());
    std::partial_sort(attractive.begin(), attractive.begin() + static_cast<std::ptrdiff_t>(kept), attractive.end());
    for (std::size_t a = 0; a < kept; ++a) add(attractive[a].second);
    if (control.check_now()) return false;
  }

  // From here on in integers: prices, the most they overpay any column, and the bound that is left.
  std::vector<std::int64_t> price(m);
  std::int64_t total = 0, overpaid = 0;
  for (std::size_t r = 0; r < m; ++r) {
    price[r] = y[r] > 0 ? static_cast<std::int64_t>(std::floor(y[r] * kShrink * static_cast<double>(kScale))) : 0;
    total += price[r];
  }
  std::vector<std::int64_t> slack(n);
  for (std::size_t k = 0; k < n; ++k) {
    slack[k] = kScale * cost[k];
    for_each(covers.data() + k * lw, lw, [&](std::size_t r) { slack[k] -= price[r]; });
    overpaid = std::max(overpaid, -slack[k]);
  }
  if (overpaid > 0) {
    // Overpaying by at most `overpaid` per chosen column, of which an improvement has at most upper_bound - 1.
    total -= overpaid * (upper_bound_ - 1);
    for (auto& s : slack) s += overpaid;
  }
  node.bound = std::max(node.bound, total);

  std::vector<std::pair<double, std::int32_t>> shares;
  const std::vector<double> x = master.primal();
  for (std::size_t c = 0; c < x.size(); ++c)
    if (x[c] > 1e-6) shares.push_back({x[c], ids[in_master[c]]});
  round(shares);
  if (!open(node.bound)) return false;

  auto kept = std::make_shared<std::vector<std::int32_t>>();
  for (std::size_t k = 0; k < n; ++k)
    if (total + slack[k] <= kScale * (upper_bound_ - 1)) kept->push_back(ids[k]);
  node.columns = kept;
  node.hot.clear();
  for (std::size_t c = 0; c < in_master.size(); ++c)
    if (slack[in_master[c]] < kScale / 2) node.hot.push_back(ids[in_master[c]]);

  // Pairs of rows whose common columns have a share near one half.
  std::vector<float> common(m * m, 0.0f);
  for (std::size_t c = 0; c < x.size(); ++c) {
    if (x[c] <= 1e-6) continue;
    std::vector<std::size_t> rows;
    for_each(covers.data() + in_master[c] * lw, lw, [&](std::size_t r) { rows.push_back(r); });
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = a + 1; b < rows.size(); ++b) common[rows[a] * m + rows[b]] += static_cast<float>(x[c]);
  }
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = a + 1; b < m; ++b) {
      const double f = common[a * m + b];
      if (f < 1e-4 || f > 1 - 1e-4) continue;
      const double weight = f * (1 - f) * (0.1 + std::min(y[a], y[b]));
      ranked.push_back({-weight, a * m + b});
    }
  const std::size_t tried = std::min(kPairsTried, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(tried), ranked.end());
  node.questions.clear();
  for (std::size_t t = 0; t < tried; ++t)
    node.questions.push_back({node.rows[ranked[t].second / m], node.rows[ranked[t].second % m]});
  if (node.questions.empty()) {
    // No pair is shared in part. A fractional column inside no other of the solution has all its rows shared in part.
    std::size_t pick = x.size();
    for (std::size_t c = 0; c < x.size(); ++c) {
      if (x[c] < 1e-4 || x[c] > 1 - 1e-4) continue;
      if (pick == x.size() || count(covers.data() + in_master[c] * lw, lw) > count(covers.data() + in_master[pick] * lw, lw))
        pick = c;
    }
    if (pick == x.size()) throw std::logic_error("an integral relaxation was not recognised as a cover");
    node.questions.emplace_back();
    for_each(covers.data() + in_master[pick] * lw, lw, [&](std::size_t r) { node.questions[0].push_back(node.rows[r]); });
  }
  return true;
}

// Takes the columns of a fractional solution, largest share first, while they cover something new.
void CoverBranch::round(const std::vector<std::pair<double, std::int32_t>>& shares) {
  auto order = shares;
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Word> covered(words_, 0);
  std::vector<std::int32_t> times(n_rows_, 0);
  std::vector<std::size_t> chosen;
  for (const auto& [share, id] : order) {
    const auto k = static_cast<std::size_t>(id);
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

// Some chosen column covers all of `rows`: they become one row.
std::shared_ptr<CoverBranch::Node> CoverBranch::together(const Node& parent, const std::vector<Row>& rows) const {
  auto child = std::make_shared<Node>();
  Row merged;
  for (const auto& row : rows) merged.insert(merged.end(), row.begin(), row.end());
  std::sort(merged.begin(), merged.end());
  for (const auto& row : parent.rows)
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) child->rows.push_back(row);
  child->rows.push_back(std::move(merged));
  child->columns = parent.columns;
  child->hot = parent.hot;
  child->bound = parent.bound;
  return child;
}

// No chosen column covers all of `rows`: the columns that do are dropped.
std::shared_ptr<CoverBranch::Node> CoverBranch::apart(const Node& parent, const std::vector<Row>& rows) const {
  auto child = std::make_shared<Node>();
  child->rows = parent.rows;
  auto columns = std::make_shared<std::vector<std::int32_t>>();
  for (const auto id : *parent.columns) {
    const Word* cover = columns_[static_cast<std::size_t>(id)].cover.data();
    bool all = true;
    for (const auto& row : rows)
      for (const auto i : row) all &= test_bit(cover, static_cast<std::size_t>(i));
    if (!all) columns->push_back(id);
  }
  child->columns = columns;
  child->hot = parent.hot;
  child->bound = parent.bound;
  return child;
}

void CoverBranch::expand(std::shared_ptr<Node> node, Control& control) {
  std::vector<std::shared_ptr<Node>> best_children;
  double best_score = -1;
  for (const auto& rows : node->questions) {
    std::vector<std::shared_ptr<Node>> children;
    double score = 1;
    for (auto child : {together(*node, rows), apart(*node, rows)}) {
      const bool alive = relax(*child, control);
      if (control.check_now()) {  // keep the node: nothing was decided
        heap_.push_back(node);
        std::push_heap(heap_.begin(), heap_.end(), later<std::shared_ptr<Node>>);
        return;
      }
      const double gap = static_cast<double>(kScale * upper_bound_ - node->bound);
      const double gain = alive ? static_cast<double>(child->bound - node->bound) : gap;
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
    heap_.push_back(std::move(child));
    std::push_heap(heap_.begin(), heap_.end(), later<std::shared_ptr<Node>>);
  }
}

bool CoverBranch::run(Control& control, std::uint64_t max_nodes) {
  const std::uint64_t limit = nodes_ + max_nodes;
  if (!started_) {
    const bool alive = relax(*root_, control);
    if (control.check_now()) return false;
    started_ = true;
    if (alive) heap_.push_back(root_);
  }
  while (!heap_.empty()) {
    if (control.check_now() || nodes_ >= limit) return false;
    std::pop_heap(heap_.begin(), heap_.end(), later<std::shared_ptr<Node>>);
    auto node = heap_.back();
    heap_.pop_back();
    if (!open(node->bound)) continue;
    expand(std::move(node), control);
  }
  return !control.check_now() || heap_.empty();
}

}  // namespace laconic
