// The stages of one class: a first cover, the linear relaxation by column generation, better covers, deepening.
//
// Deepening asks, for one cost after another from the proved bound up, whether a cover of that cost exists. By linear
// programming duality it can only use rules whose reduced cost is at most the cost minus the relaxation's value; these
// are enumerated, dominated ones dropped, and a branch and bound decides. Going up instead of down from the incumbent
// means that a poor incumbent costs nothing, and every question answered "no" is one more unit of proved bound.
//
// Rows enter the relaxation only when its solution leaves them uncovered, columns only when exact pricing (or a
// greedy stand-in that runs first) finds them overpaid. Leaving rows out is a relaxation too, so every time exact
// pricing comes back empty the prices prove a bound, long before the last row is in. Bounds are proved in integers:
// prices are rounded down to multiples of 1/scale, priced exactly, and their sum is divided rounding up.
#include "cover/solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/memory.hpp"
#include "cover/dominance.hpp"
#include "cover/greedy.hpp"
#include "cover/rule_list.hpp"

namespace laconic {
namespace {

// Prices in units of 2^-20: fine enough for a sum to be rounded up safely, small enough never to overflow.
constexpr std::int64_t kScale = std::int64_t{1} << 20;
constexpr double kShrink = 1.0 - 1e-8;  // above the simplex tolerance, so that columns at hand are never overpaid

std::vector<std::int64_t> to_integers(const std::vector<double>& y) {
  std::vector<std::int64_t> out(y.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    out[i] = y[i] > 0 ? static_cast<std::int64_t>(std::floor(y[i] * kShrink * static_cast<double>(kScale))) : 0;
  return out;
}

double sum_of(const std::vector<std::int64_t>& y) {
  return static_cast<double>(std::accumulate(y.begin(), y.end(), std::int64_t{0}));
}

Cost ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0); }

}  // namespace

CoverSolver::CoverSolver(CoverInstance instance, std::uint64_t seed)
    : in_(std::move(instance)), random_(seed), pool_(in_), grower_(in_), pricer_(in_), ascent_(in_.n_pos),
      master_(in_.options), row_at_(in_.n_pos, -1), row_price_(in_.n_pos, 1e18), enumerated_(in_.pos_words),
      upper_bound_(0), lower_bound_(in_.n_pos ? in_.price(in_.n_neg ? 1 : 0) : 0) {}

void CoverSolver::offer(const std::vector<std::size_t>& chosen) {
  const Cost cost = cost_of(pool_, chosen);
  if (!best_.empty() && cost >= upper_bound_) return;
  upper_bound_ = cost;
  best_columns_ = chosen;
  best_.clear();
  for (const std::size_t k : chosen) best_.push_back(pool_[k].rule());
}

bool CoverSolver::large() const { return cells() > options().cover_large_table; }

bool CoverSolver::first_cover(Control& control) {
  std::vector<std::size_t> chosen;
  const bool done = greedy_cover(in_, pool_, control, best_columns_, chosen);
  offer(chosen);
  return done;
}

bool CoverSolver::list_all(Control& control) {
  Columns columns = pool_.columns();
  const RuleList list = list_rules(in_, columns, options().cover_words_listed);
  counts_.pricing_nodes += list.nodes;
  if (!list.complete) return false;
  for (std::size_t k = 0; k < list.rules.size(); ++k) columns.add(list.rules[k]);
  counts_.enumerated = columns.size();
  auto listed = std::make_unique<ListedCover>(in_.n_pos, columns, in_.options, control);
  if (control.stopped() || listed->n_columns() > options().cover_listed_columns ||
      listed->n_rows() > options().cover_simplex_rows)
    return false;
  enumerated_ = std::move(columns);
  listed_ = std::move(listed);
  return true;
}

bool CoverSolver::search_list(Control& control, std::uint64_t max_nodes) {
  const bool done = listed_->run(control, max_nodes);
  counts_.nodes = listed_->nodes();
  take(enumerated_, listed_->best());
  lower_bound_ = std::max(lower_bound_, listed_->lower_bound());
  return done;
}

void CoverSolver::take(const Columns& columns, const std::vector<std::size_t>& numbers) {
  std::vector<std::size_t> chosen;
  for (const std::size_t c : numbers) chosen.push_back(pool_.add(columns[c].rule()).first);
  drop_redundant(in_.n_pos, pool_, chosen);
  offer(chosen);
}

void CoverSolver::add_to_master(std::size_t k) {
  if (in_master_.size() < pool_.size()) in_master_.resize(pool_.size(), 0);
  if (in_master_[k]) return;
  in_master_[k] = 1;
  std::vector<std::int32_t> rows;
  for_each(pool_[k].cover, in_.pos_words, [&](std::size_t i) {
    if (row_at_[i] >= 0) rows.push_back(row_at_[i]);
  });
  master_.add_column(static_cast<double>(pool_[k].cost), rows);
  master_columns_.push_back(k);
}

void CoverSolver::add_row_to_master(std::size_t i) {
  std::vector<std::int32_t> coefficients;
  for (const std::size_t k : master_columns_) coefficients.push_back(test_bit(pool_[k].cover, i));
  row_at_[i] = static_cast<std::int32_t>(master_rows_.size());
  master_rows_.push_back(i);
  master_.add_row(coefficients, 1.0, row_price_[i] + 1.0);
}

bool CoverSolver::add_violated_rows() {
  std::vector<double> covered(in_.n_pos, 0.0);
  const std::vector<double> x = master_.values();
  for (std::size_t c = 0; c < x.size(); ++c)
    if (x[c] > 1e-9)
      for_each(pool_[master_columns_[c]].cover, in_.pos_words, [&](std::size_t i) { covered[i] += x[c]; });
  std::vector<std::size_t> violated;
  for (std::size_t i = 0; i < in_.n_pos; ++i)
    if (row_at_[i] < 0 && covered[i] < 1.0 - 1e-6) violated.push_back(i);
  if (violated.empty()) return false;
  std::stable_sort(violated.begin(), violated.end(),
                   [&](std::size_t a, std::size_t b) { return covered[a] < covered[b]; });
  const std::size_t n = std::min(violated.size(), std::max(options().cover_rows_at_once, master_.n_rows() / 4));
  // Rows far apart say more than neighbours: skip those that share a chosen row's covering columns only as a spread.
  for (std::size_t k = 0; k < n; ++k) add_row_to_master(violated[k * violated.size() / n]);
  return true;
}

std::size_t CoverSolver::price_heuristically(const std::vector<double>& y, std::size_t n_seeds,
                                             std::vector<std::size_t>& found, Control& control) {
  std::vector<Word> priced(in_.pos_words, 0);
  std::vector<std::size_t> seeds;
  for (std::size_t i = 0; i < in_.n_pos; ++i)
    if (y[i] > 1e-9) {
      set_bit(priced.data(), i);
      seeds.push_back(i);
    }
  const std::size_t before = found.size();
  for (std::size_t t = 0; t < std::min(n_seeds, 4 * seeds.size()) && !control.check_now(); ++t) {
    // Stride through the seeds, so that every row has its turn.
    const std::size_t seed = seeds[(next_seed_ += 1 + random_.below(3)) % seeds.size()];
    Literals rule = grower_.grow(seed, y.data(), priced.data(), t % 3 == 0 ? 0.0 : 0.5, random_);
    const double cost = static_cast<double>(in_.price(rule.size()));
    double value = -cost;
    for_each(cover_of(in_, rule).data(), in_.pos_words, [&](std::size_t i) { value += y[i]; });
    if (value <= 1e-3 * cost) continue;
    const auto [k, is_new] = pool_.add(std::move(rule));
    if (is_new) found.push_back(k);
  }
  return found.size() - before;
}

bool CoverSolver::price_exactly(const std::vector<double>& prices, std::vector<std::size_t>& found, Control& control) {
  std::vector<double> y = prices;
  for (auto& v : y) v /= 1.0 + margin_;
  std::vector<std::int64_t> exact = to_integers(y);
  PricingRequest request;
  request.y = exact.data();
  request.scale = kScale;
  request.max_columns = std::max<std::size_t>(64, in_.n_pos > options().cover_simplex_rows ? in_.n_pos : in_.n_pos / 8);
  request.keep_per_seed = options().cover_kept_per_seed;
  request.max_nodes_per_seed = node_limit_;
  PricingAnswer answer = pricer_.price(request, control);
  counts_.pricing_nodes += answer.nodes;
  // Seeds were given up: look longer next time. Hardly anything was lost: dare to ask for more next time.
  const double asked = sum_of(exact), proved = sum_of(answer.y);
  if (!answer.exhausted && answer.found.rules.size() < request.max_columns)
    node_limit_ *= answer.found.rules.empty() ? 4 : 2;
  if (answer.exhausted && asked - proved <= margin_ / 3 * asked) margin_ = margin_ > 0.005 ? margin_ / 3 : 0.0;
  learn_bound(std::move(answer.y));
  for (std::size_t k = 0; k < answer.found.rules.size(); ++k)
    found.push_back(pool_.add(answer.found.rules[k].rule()).first);
  return answer.exhausted;
}

// Takes prices that no rule is overpaid at.
void CoverSolver::learn_bound(std::vector<std::int64_t> y) {
  std::int64_t total = 0;
  for (const auto v : y) total += v;
  const double value = static_cast<double>(total) / static_cast<double>(kScale);
  if (value <= relaxation_) return;
  relaxation_ = value;
  proved_y_ = std::move(y);
  lower_bound_ = std::max(lower_bound_, ceil_div(total, kScale));
}

// One round of column generation with prices by ascent; returns their sum.
double CoverSolver::ascend(std::uint64_t steps, std::size_t wanted, std::vector<std::size_t>& found, Control& control) {
  ++counts_.lp_rounds;
  for (; in_ascent_ < pool_.size(); ++in_ascent_) ascent_.add_column(pool_[in_ascent_]);
  ascent_.run(steps, upper_bound_, control);
  const std::vector<double> y = ascent_.feasible_prices();
  if (control.check_now()) return 0;
  const std::size_t seeds = std::max<std::size_t>(24, std::min<std::size_t>(in_.n_pos / 2, 400));
  if (price_heuristically(y, seeds, found, control) < wanted) price_exactly(y, found, control);
  return std::accumulate(y.begin(), y.end(), 0.0);
}

bool CoverSolver::approach_relaxation(Control& control) {
  std::vector<double> sums;
  for (std::size_t round = 0; round < options().cover_approach_rounds; ++round) {
    std::vector<std::size_t> found;
    const std::size_t wanted = std::max<std::size_t>(8, in_.n_pos / 50);
    const double sum =
        ascend(round == 0 ? options().cover_first_steps : options().cover_more_steps, wanted, found, control);
    sums.push_back(sum);
    if (control.check_now()) return false;
    if (proved()) return true;
    if (round == 2 || round % 10 == 9) improve(options().cover_local_steps / 10, control);  // a decent cover early
    if ((large() || round % 10 == 9) && sum < options().cover_near_cost * static_cast<double>(upper_bound_))
      rebuild_while(0.005, large() ? 10 : 50, control);
    if (relaxation_ >= sum - 1e-3) break;  // these prices are proved: the simplex has the last word
    // Columns that lower the sum by next to nothing, round after round: the simplex is quicker now.
    if (round >= 10 && found.size() < wanted && std::abs(sums[round - 5] - sum) < 0.002 * sum) break;
  }
  return true;
}

// For tables too large for the simplex: better prices and better covers in turn, as long as either improves.
bool CoverSolver::polish(Control& control) {
  for (std::size_t idle = 0; idle < options().cover_polish_patience; ++idle) {
    const Cost cost = upper_bound_;
    const double bound = relaxation_;
    std::vector<std::size_t> found;
    ascend(200, 1, found, control);
    improve(options().cover_local_steps, control);
    if (idle == 2 && !proved() && !control.check_now()) search_near(kScale * (upper_bound_ - 1) - price_sum(), control);
    if (proved()) return true;
    if (control.check_now()) return false;
    if (upper_bound_ < cost || relaxation_ > bound + 1e-4 * bound) idle = 0;
  }
  return true;
}

void CoverSolver::round_relaxation() {
  const std::vector<double> x = master_.values();
  std::vector<std::size_t> order, chosen;
  for (std::size_t c = 0; c < x.size(); ++c)
    if (x[c] > 1e-6) order.push_back(c);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] > x[b]; });
  std::vector<Word> covered(in_.pos_words, 0);
  for (const std::size_t c : order) {
    const Column column = pool_[master_columns_[c]];
    if (is_subset(column.cover, covered.data(), in_.pos_words)) continue;
    chosen.push_back(master_columns_[c]);
    for (std::size_t w = 0; w < in_.pos_words; ++w) covered[w] |= column.cover[w];
  }
  if (count(covered.data(), in_.pos_words) < in_.n_pos) return;  // a stand-in is still in use
  drop_redundant(in_.n_pos, pool_, chosen);
  offer(chosen);
}

bool CoverSolver::solve_relaxation(Control& control) {
  if (in_.n_pos == 0 || proved()) return true;
  if (master_.n_rows() == 0) {
    for (std::size_t k = 0; k < pool_.size(); ++k)
      for_each(pool_[k].cover, in_.pos_words,
               [&](std::size_t i) { row_price_[i] = std::min(row_price_[i], static_cast<double>(pool_[k].cost)); });
    // Start from what the cheap prices say: the rows they pay, the columns they nearly pay for.
    const std::vector<double> y = ascent_.feasible_prices();
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < in_.n_pos; ++i)
      if (y[i] > 1e-6) rows.push_back(i);
    if (rows.size() > options().cover_simplex_rows) {
      stage_ = Stage::kPolish;
      return false;
    }
    for (const std::size_t i : rows) add_row_to_master(i);
    for (std::size_t k = 0; k < in_ascent_; ++k)
      if (ascent_.reduced_cost(k, y) < 0.5 * static_cast<double>(pool_[k].cost)) add_to_master(k);
  }
  for (;;) {
    ++counts_.lp_rounds;
    if (master_.solve(1e300, control) == CoverSimplex::Outcome::kStopped) return false;
    if (add_violated_rows()) {
      if (master_.n_rows() <= options().cover_simplex_rows) continue;
      stage_ = Stage::kPolish;
      return false;
    }
    std::vector<double> y(in_.n_pos, 0.0);
    for (std::size_t r = 0; r < master_.n_rows(); ++r) y[master_rows_[r]] = std::max(0.0, master_.prices()[r]);
    std::vector<std::size_t> found;
    const bool last = margin_ == 0.0;
    bool exhausted = false;
    if (price_heuristically(y, 24, found, control) < 4) exhausted = price_exactly(y, found, control);
    if (control.check_now()) return false;
    for (const std::size_t k : found) add_to_master(k);
    if (!found.empty()) continue;
    if (proved()) return true;
    if (exhausted && last) {
      round_relaxation();
      return true;
    }
  }
}

void CoverSolver::improve(std::uint64_t steps, Control& control) {
  if (proved()) return;
  std::vector<std::size_t> columns(pool_.size());
  for (std::size_t k = 0; k < columns.size(); ++k) columns[k] = k;
  auto better = improve_cover(in_, pool_, columns, best_columns_, lower_bound_, steps, random_, control);
  drop_redundant(in_.n_pos, pool_, better);
  offer(better);
  rebuild(steps / options().cover_steps_per_round, control);
}

void CoverSolver::rebuild(std::uint64_t rounds, Control& control) {
  if (proved() || rounds == 0) return;
  if (!rebuilder_) rebuilder_ = std::make_unique<CoverRebuilder>(in_, options().cover_rebuilt_columns);
  offer(rebuilder_->run(pool_, best_columns_, lower_bound_, rounds, random_, control));
}

void CoverSolver::rebuild_while(double least, std::uint64_t rounds, Control& control) {
  while (options().cover_local_steps > 0 && !proved() && !control.check_now()) {
    const Cost before = upper_bound_;
    rebuild(rounds, control);
    if (static_cast<double>(before - upper_bound_) <= least * static_cast<double>(before)) return;
  }
}

bool CoverSolver::enumerate(Cost target, Control& control) {
  if (target <= enumerated_to_) return true;
  const Cost further = std::min(target + options().cover_look_ahead * step(in_.price(1)), upper_bound_ - 1);
  if (further > target && enumerate_up_to(further, options().cover_ahead_rules, options().cover_ahead_nodes, control))
    return true;
  if (control.check_now()) return false;
  if (enumerate_up_to(target, std::min(longest_list_, most_columns()), ~std::uint64_t{0}, control)) return true;
  if (!control.check_now()) stage_ = Stage::kWidening;
  return false;
}

std::size_t CoverSolver::most_columns() const {
  const std::uint64_t each = 8 * (in_.pos_words + 10);  // a cover, some literals, and pointers while they are compared
  return static_cast<std::size_t>(std::min<std::uint64_t>(spare_bytes(memory_limit_) / (2 * each), 1u << 30));
}

std::int64_t CoverSolver::price_sum() const {
  return std::accumulate(proved_y_.begin(), proved_y_.end(), std::int64_t{0});
}

bool CoverSolver::list_within(std::int64_t slack, std::size_t limit, std::uint64_t max_nodes, Columns& columns,
                              Control& control) {
  PricingRequest request;
  request.y = proved_y_.data();
  request.scale = kScale;
  request.threshold = -slack - 1;
  request.max_columns = limit;
  request.max_nodes = max_nodes;
  request.unpriced_too = true;
  PricingAnswer answer = pricer_.price(request, control);
  counts_.pricing_nodes += answer.nodes;
  columns = std::move(answer.found.rules);
  return answer.exhausted;
}

// A better cover among those of the rules of least reduced cost.
void CoverSolver::search_near(std::int64_t slack, Control& control) {
  Columns near(in_.pos_words);
  for (int part = 8; part > 0 && near.empty(); part /= 2) {
    Columns columns(in_.pos_words);
    const std::size_t limit = std::min(near_list_, most_columns());
    if (list_within(slack / part, limit, options().cover_ahead_nodes << std::min<std::size_t>(widened_, 20), columns,
                    control) ||
        part == 8)
      near = std::move(columns);
    if (control.check_now()) return;
  }
  for (const std::size_t k : best_columns_) near.add(pool_[k]);
  if (!drop_dominated(in_.n_pos, near, control)) return;
  ListedCover listed(in_.n_pos, near, in_.options, control);
  if (control.check_now()) return;
  if (listed.n_rows() <= options().cover_simplex_rows)
    listed.run(control, std::uint64_t{50} << std::min<std::size_t>(widened_, 20));
  counts_.nodes += listed.nodes();
  take(near, listed.best());
}

bool CoverSolver::widen(Control& control) {
  for (;; ++widened_) {
    if (relaxation_ > 0) search_near(kScale * (upper_bound_ - 1) - price_sum(), control);
    if (proved() || control.check_now()) return proved();
    const double bound = relaxation_;
    std::vector<std::size_t> found;
    ascend(options().cover_more_steps, 1, found, control);
    improve(options().cover_local_steps, control);
    if (proved() || control.check_now()) return proved();
    near_list_ = std::min<std::size_t>(2 * near_list_, 1u << 30);
    if (longest_list_ >= most_columns()) {
      if (relaxation_ > bound + 1e-4 * bound || widened_ < options().cover_polish_patience) continue;
      stage_ = Stage::kStuck;
      return false;
    }
    longest_list_ *= 2;
    if (relaxation_ > 0) return true;
  }
}

bool CoverSolver::enumerate_up_to(Cost target, std::size_t limit, std::uint64_t max_nodes, Control& control) {
  Columns columns(in_.pos_words);
  if (!list_within(kScale * target - price_sum(), limit, max_nodes, columns, control)) return false;
  enumerated_to_ = -1;
  enumerated_ = std::move(columns);
  if (!drop_dominated(in_.n_pos, enumerated_, control)) return false;
  enumerated_slack_.clear();
  for (std::size_t k = 0; k < enumerated_.size(); ++k) {
    std::int64_t slack = kScale * enumerated_[k].cost;
    for_each(enumerated_[k].cover, in_.pos_words, [&](std::size_t i) { slack -= proved_y_[i]; });
    enumerated_slack_.push_back(slack);
  }
  enumerated_to_ = target;
  counts_.enumerated = std::max<std::uint64_t>(counts_.enumerated, enumerated_.size());
  return true;
}

bool CoverSolver::try_target(Control& control) {
  if (!branch_) {
    const Cost target = std::min(lower_bound_ + step(in_.price(1)), upper_bound_) - 1;
    if (!enumerate(target, control)) return false;
    const std::int64_t total = price_sum();
    Columns usable(in_.pos_words);
    for (std::size_t k = 0; k < enumerated_.size(); ++k)
      if (total + enumerated_slack_[k] <= kScale * target) usable.add(enumerated_[k]);
    branch_ = std::make_unique<CoverBranch>(in_.n_pos, std::move(usable), lower_bound_, target + 1, in_.options);
  }
  const std::uint64_t before = branch_->nodes();
  const bool done = branch_->run(control);
  counts_.nodes += branch_->nodes() - before;
  if (!done) return false;
  if (branch_->improved()) take(branch_->columns(), branch_->best());
  lower_bound_ = branch_->lower_bound();  // what it found, or the target was too low
  branch_.reset();
  return true;
}

bool CoverSolver::relax(Control& control) {
  if (in_.n_pos == 0) return true;
  if (stage_ == Stage::kFirstCover && first_cover(control)) stage_ = Stage::kApproach;
  if (stage_ == Stage::kApproach && !proved() && approach_relaxation(control)) stage_ = Stage::kRelaxation;
  if (stage_ == Stage::kRelaxation && !proved() && solve_relaxation(control)) stage_ = Stage::kLocalSearch;
  if (stage_ == Stage::kPolish && !proved() && polish(control)) stage_ = Stage::kWidening;
  return stage_ > Stage::kPolish || proved();
}

std::int64_t CoverSolver::price_scale() { return kScale; }

std::vector<std::pair<Literals, double>> CoverSolver::shares() const {
  std::vector<std::pair<Literals, double>> out;
  if (master_.n_rows() == 0) return out;
  const std::vector<double> x = master_.values();
  for (std::size_t c = 0; c < x.size(); ++c)
    if (x[c] > 1e-9) out.emplace_back(pool_[master_columns_[c]].rule(), x[c]);
  return out;
}

bool CoverSolver::try_at_once() {
  if (in_.n_pos == 0) return true;
  if (stage_ != Stage::kFirstCover || cells() > options().cover_small_table) return proved();
  Control never(-1);
  first_cover(never);
  stage_ = list_all(never) ? Stage::kListed : Stage::kRebuild;
  return stage_ == Stage::kListed && listed_->n_columns() <= options().cover_columns_at_once &&
         search_list(never, options().cover_nodes_at_once);
}

bool CoverSolver::advance(Control& control) {
  if (in_.n_pos == 0) return true;
  if (stage_ == Stage::kFirstCover && first_cover(control))
    stage_ = list_all(control) ? Stage::kListed : Stage::kRebuild;
  if (stage_ == Stage::kListed) return search_list(control);
  if (stage_ == Stage::kRebuild) {
    rebuild_while(large() ? 0.01 : 1.0, 5, control);
    if (control.check_now()) return proved();
    stage_ = Stage::kApproach;
  }
  if (!relax(control)) return false;
  if (stage_ == Stage::kLocalSearch && !proved() && !control.check_now()) {
    improve(options().cover_local_steps, control);
    if (relaxation_ < options().cover_near_cost * static_cast<double>(upper_bound_)) rebuild_while(0.0, 50, control);
    if (!control.check_now()) stage_ = Stage::kDeepening;
  }
  if (stage_ == Stage::kDeepening || proved())
    rebuilder_.reset();  // its rules take memory, and there may be many classes
  while (!proved()) {
    if (stage_ == Stage::kWidening && widen(control)) stage_ = Stage::kDeepening;
    if (stage_ != Stage::kDeepening || (!try_target(control) && stage_ != Stage::kWidening)) break;
  }
  return proved();
}

CoverCounts CoverSolver::counts() const {
  CoverCounts out = counts_;
  out.pivots = master_.pivots();
  out.columns = pool_.size();
  out.rows = master_.n_rows();
  return out;
}

}  // namespace laconic
