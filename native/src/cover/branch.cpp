// Branch and bound over listed columns, branching on whether two rows share a rule.
//
// Branching on a column (use it or not) is lopsided: forbidding one of ten thousand rules changes nothing. Instead, a
// branch decides for two rows whether some chosen rule covers both (as Ryan and Foster do for partitions). Either child
// is again a plain covering problem, is smaller, and cuts off the fractional solution. Every node solves its relaxation
// with some zero-half cuts, rounds the prices to integers, checks them against every column, and then drops the columns
// whose reduced cost exceeds what an improvement may cost: deep nodes have a handful of columns left. A few pairs are
// tried before one is chosen (strong branching); their children are kept, so little work is lost.
//
// The search decides whether a cover of the proved bound exists (or of slightly more, if columns are expensive). If
// none exists, the bound rises, and the search restarts from the solved root. So a poor incumbent costs nothing. Nodes
// are visited depth first: every open node must be closed anyway, few nodes wait at a time, and a child can continue
// from its parent's last solution.
#include "cover/branch.hpp"

#include <algorithm>
#include <numeric>

namespace laconic {
CoverBranch::CoverBranch(std::size_t n_rows, Columns columns, Cost lower_bound, Cost upper_bound, SharedOptions options,
                         bool afresh)
    : options_(std::move(options)), n_rows_(n_rows), words_(words_for(n_rows)), columns_(std::move(columns)),
      lower_bound_(lower_bound), upper_bound_(upper_bound), goal_(upper_bound), afresh_(afresh) {
  Cost cheapest = upper_bound_;
  for (std::size_t k = 0; k < columns_.size(); ++k) cheapest = std::min(cheapest, columns_[k].cost);
  step_ = step(cheapest);
}

bool may_hold(std::int64_t bound, Cost goal) { return bound <= kBranchScale * (goal - 1); }

PriceVerdict judge(const NodeRelaxation::Proof& proof, Cost goal) {
  std::int64_t overpaid = 0;
  for (const auto s : proof.slack) overpaid = std::max(overpaid, -s);
  // A cover cheaper than the goal has at most goal - 1 columns (each costs at least one), each overpaid by at most
  // this.
  PriceVerdict verdict{proof.total - overpaid * (goal - 1), {}};
  for (const auto s : proof.slack) verdict.wanted.push_back(may_hold(verdict.bound + s + overpaid, goal));
  return verdict;
}

bool CoverBranch::open(std::int64_t bound) const { return may_hold(bound, goal_); }

// A node is closed if its relaxation exceeds this. The limit has a margin, because prices are rounded before they
// count.
double CoverBranch::limit() const { return static_cast<double>(goal_) - 1.0 + options_->branch_rounding_margin; }

// From here on in integers: proves the bound, and keeps the columns that an improvement may use.
void CoverBranch::prove(CoverNode& node, NodeRelaxation& lp) {
  const NodeRelaxation::Proof proof = lp.prove(node);
  const PriceVerdict verdict = judge(proof, goal_);
  node.bound = std::max(node.bound, verdict.bound);
  if (!open(node.bound)) return;

  node.cuts.clear();
  for (const std::size_t c : proof.priced) node.cuts.push_back(lp.cut(c));
  // Columns with almost no slack are the first ones of the programme.
  std::vector<std::size_t> order(proof.slack.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t n_hot = std::min(order.size(), options_->branch_hot_columns +
                                                       options_->branch_hot_per_row * count(node.alive.data(), words_));
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n_hot - (n_hot == order.size())),
                   order.end(), [&](std::size_t a, std::size_t b) {
                     return proof.slack[a] != proof.slack[b] ? proof.slack[a] < proof.slack[b] : a < b;
                   });
  node.hot.clear();
  for (std::size_t h = 0; h < n_hot; ++h) node.hot.push_back(node.ids[order[h]]);
  std::sort(node.hot.begin(), node.hot.end());
  const std::vector<std::int32_t> number = node.keep(verdict.wanted);
  lp.renumber(number, node.n_columns());
  ask(node, lp);
}

// Chooses the pairs of rows to branch on: those whose common columns have a total share near one half.
void CoverBranch::ask(CoverNode& node, const NodeRelaxation& lp) {
  std::vector<std::size_t> alive, rows, place(n_rows_, 0);
  for_each(node.alive.data(), words_, [&](std::size_t r) {
    place[r] = alive.size();
    alive.push_back(r);
  });
  const std::size_t m = alive.size();
  std::vector<float> common(m * m, 0.0f);
  for (const auto& [x, k] : lp.shares()) {
    rows.clear();
    for_each(node.cover(k), words_, [&](std::size_t r) { rows.push_back(place[r]); });
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = a + 1; b < rows.size(); ++b) common[rows[a] * m + rows[b]] += static_cast<float>(x);
  }
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = a + 1; b < m; ++b) {
      const double f = common[a * m + b];
      if (f < 1e-4 || f > 1 - 1e-4) continue;
      ranked.push_back({-f * (1 - f) * (0.1 + std::min(lp.price(alive[a]), lp.price(alive[b]))), a * m + b});
    }
  const std::size_t tried = std::min(options_->branch_pairs_tried, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(tried), ranked.end());
  node.questions.clear();
  for (std::size_t t = 0; t < tried; ++t)
    node.questions.push_back({alive[ranked[t].second / m], alive[ranked[t].second % m]});
  if (!node.questions.empty()) return;
  // No pair is shared in part. A fractional column that no other column of the solution contains shares all its rows in
  // part.
  std::size_t pick = node.n_columns(), most = 1;
  const auto consider = [&](std::size_t k) {
    const std::size_t n = count(node.cover(k), words_);
    if (n > most) {
      most = n;
      pick = k;
    }
  };
  for (const auto& [x, k] : lp.shares())
    if (x > 1e-4 && x < 1 - 1e-4) consider(k);
  if (pick == node.n_columns())  // the solution uses stand-ins: any column with two rows will do
    for (std::size_t k = 0; k < node.n_columns(); ++k) consider(k);
  if (pick == node.n_columns()) return settle(node);
  node.questions.emplace_back();
  for_each(node.cover(pick), words_, [&](std::size_t r) { node.questions[0].push_back(r); });
}

// No column covers two rows: every row takes its cheapest column, and the node is closed.
void CoverBranch::settle(CoverNode& node) {
  std::vector<std::size_t> cheapest(n_rows_, columns_.size()), chosen;
  for (std::size_t c = 0; c < node.n_columns(); ++c) {
    const auto k = static_cast<std::size_t>(node.ids[c]);
    for_each(node.cover(c), words_, [&](std::size_t r) {
      if (cheapest[r] == columns_.size() || columns_[k].cost < columns_[cheapest[r]].cost) cheapest[r] = k;
    });
  }
  Cost total = 0;
  bool coverable = true;
  for_each(node.alive.data(), words_, [&](std::size_t r) {
    coverable &= cheapest[r] < columns_.size();
    if (!coverable) return;
    chosen.push_back(cheapest[r]);
    total += columns_[cheapest[r]].cost;
  });
  if (coverable) offer(total, std::move(chosen));
  node.bound = kBranchScale * goal_;
}

void CoverBranch::offer(Cost cost, std::vector<std::size_t> columns) {
  if (cost >= upper_bound_) return;
  upper_bound_ = cost;
  goal_ = std::min(goal_, cost);
  best_ = std::move(columns);
}

// Adds cuts, proves the bound, fixes columns; returns false if the node can be dropped, or if the control has stopped.
bool CoverBranch::finish(CoverNode& node, NodeRelaxation& lp, std::size_t cut_rounds, Control& control) {
  ++nodes_;
  for (std::size_t round = 0; round < cut_rounds; ++round) {
    if (lp.objective() > limit()) break;
    if (!lp.add_cuts(node)) break;
    if (!lp.solve(node, limit(), control)) return false;
  }
  round(node, lp);
  prove(node, lp);
  return open(node.bound);
}

// Rounds the solution: takes its columns, largest share first, while they cover new rows.
void CoverBranch::round(const CoverNode& node, const NodeRelaxation& lp) {
  auto order = lp.shares();
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Word> covered(words_, 0);
  std::vector<std::int32_t> times(n_rows_, 0);
  std::vector<std::size_t> chosen;
  for (const auto& [share, local] : order) {
    const auto k = static_cast<std::size_t>(node.ids[local]);
    if (is_subset(columns_[k].cover, covered.data(), words_)) continue;
    chosen.push_back(k);
    for (std::size_t w = 0; w < words_; ++w) covered[w] |= columns_[k].cover[w];
    for_each(columns_[k].cover, words_, [&](std::size_t i) { ++times[i]; });
  }
  if (count(covered.data(), words_) < n_rows_) return;
  Cost total = 0;
  std::vector<std::size_t> needed;
  for (std::size_t c = chosen.size(); c-- > 0;) {
    bool superfluous = true;
    for_each(columns_[chosen[c]].cover, words_, [&](std::size_t i) { superfluous &= times[i] > 1; });
    if (superfluous) {
      for_each(columns_[chosen[c]].cover, words_, [&](std::size_t i) { --times[i]; });
    } else {
      needed.push_back(chosen[c]);
      total += columns_[chosen[c]].cost;
    }
  }
  offer(total, std::move(needed));
}

void CoverBranch::expand(const Waiting& waiting, Control& control) {
  const NodePtr& node = waiting.node;
  std::shared_ptr<NodeRelaxation> base = waiting.lp;
  if (!base || options_->branch_shrinkage * node->n_columns() < base->n_columns_at_first()) {
    base = std::make_shared<NodeRelaxation>(n_rows_, columns_, upper_bound_, options_);
    const bool feasible = base->set_up(*node, limit(), control);
    if (control.check_now()) return stack_.push_back({node, nullptr});  // nothing was decided
    if (!feasible) return;
  }
  if (base->is_sparse()) base->shrink();
  // Estimates each question by a few steps with each answer, and picks the best one.
  const Rows* best = nullptr;
  double best_score = -1;
  for (const auto& rows : node->questions) {
    double score = 1;
    if (node->questions.size() > 1)
      for (const bool merge : {true, false})
        score *= std::max(std::min(base->estimate(*node, rows, merge, limit(), control), limit()) - base->objective(),
                          options_->branch_least_gain);
    if (score <= best_score) continue;
    best_score = score;
    best = &rows;
  }
  std::vector<Waiting> children;
  for (const bool merge : {true, false}) {
    std::vector<std::int32_t> kept;
    NodePtr child = merge ? together(*node, *best) : apart(*node, *best, kept);
    auto lp = std::make_shared<NodeRelaxation>(*base);
    if (merge)
      lp->merge(*best);
    else
      lp->renumber(kept, child->n_columns());
    const bool alive = lp->solve(*child, limit(), control) && finish(*child, *lp, options_->branch_cut_rounds, control);
    if (control.check_now()) return stack_.push_back({node, base});
    if (afresh_ || lp->n_rows() > options_->branch_rows_kept) lp.reset();
    if (alive) children.push_back({std::move(child), std::move(lp)});
  }
  // The child with the better chance of a cover comes last, to be visited first.
  std::stable_sort(children.begin(), children.end(),
                   [](const Waiting& a, const Waiting& b) { return a.node->bound > b.node->bound; });
  for (auto& child : children)
    if (open(child.node->bound)) stack_.push_back(std::move(child));
}

bool CoverBranch::solve_root(Control& control) {
  root_ = {std::make_shared<CoverNode>(n_rows_, columns_),
           std::make_shared<NodeRelaxation>(n_rows_, columns_, upper_bound_, options_)};
  const bool alive = root_.lp->set_up(*root_.node, limit(), control) &&
                     finish(*root_.node, *root_.lp, options_->branch_root_cut_rounds, control);
  if (control.check_now()) return false;
  started_ = true;
  lower_bound_ = alive ? std::max(lower_bound_, (root_.node->bound + kBranchScale - 1) / kBranchScale) : upper_bound_;
  if (lower_bound_ < upper_bound_) aim();
  return true;
}

// Sets the goal: a cover that costs little more than the proved bound.
void CoverBranch::aim() {
  goal_ = std::min(upper_bound_, lower_bound_ + step_);
  Waiting root{std::make_shared<CoverNode>(*root_.node), std::make_shared<NodeRelaxation>(*root_.lp)};
  prove(*root.node, *root.lp);
  if (afresh_) root.lp.reset();
  if (open(root.node->bound)) stack_.push_back(std::move(root));
}

bool CoverBranch::run(Control& control, std::uint64_t max_nodes) {
  if (!started_ && !solve_root(control)) return false;
  while (lower_bound_ < upper_bound_) {
    if (nodes_ >= max_nodes || control.check_now()) return false;
    if (stack_.empty()) {
      lower_bound_ = goal_;
      if (lower_bound_ < upper_bound_) aim();
      continue;
    }
    const Waiting next = std::move(stack_.back());
    stack_.pop_back();
    if (open(next.node->bound)) expand(next, control);
  }
  stack_.clear();
  return true;
}

}  // namespace laconic
