// First-order ascent of the blame relaxation over a list of rules (list_dual.cpp says what is ascended).
//
// Projected subgradient with deflected directions and Polyak steps towards the incumbent. Rivals measured on these
// tables: the LP in a simplex or interior-point solver (100 times slower), primal-dual hybrid gradient (its averages
// violate many near-equal rules a little, and the sum of the violations ruins the bound).
//
// One iteration is two products of matrices: the blame that each rule's negatives put on each positive group
// (rules x negative groups x positive groups), and back, from the violated rules to the direction of every share.
// Rules that cover many groups are rows as long as there are groups, so that all loops run over neighbouring
// floats; rules that cover few are lists.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lanes.hpp"
#include "list_dual.hpp"

namespace laconic {
namespace {

constexpr std::size_t kAlwaysScan = 256;  // lists up to this long are evaluated whole each iteration
constexpr std::size_t kScanEvery = 20;
constexpr float kKeep = 0.5f;             // share of the previous direction
constexpr std::size_t kDenseShare = 6;    // a rule that covers one in six groups is stored as a row
constexpr std::size_t kDenseLimit = 16'000'000;  // floats in all rows

class Ascent {
 public:
  Ascent(const ListProblem& problem, const Dual& dual)
      : p_(problem), dual_(dual), n_pos_(problem.n_pos()), n_neg_(problem.n_neg()), y_(n_pos_), by_column_(n_neg_) {
    row_of_.assign(p_.rules.size(), kNoRow);
    for (std::size_t r = 0; r < p_.rules.size(); ++r) {
      const ListRule& rule = p_.rules[r];
      if (rule.pos.size() * kDenseShare < n_pos_ || rows_.size() + n_pos_ > kDenseLimit) continue;
      row_of_[r] = rows_.size();
      rows_.resize(rows_.size() + n_pos_, 0.0f);
      for (std::size_t k = 0; k < rule.pos.size(); ++k) rows_[row_of_[r] + rule.pos[k]] = share(rule, k);
    }
  }

  void load_prices() { std::copy(dual_.y.begin(), dual_.y.end(), y_.begin()); }

  // How much the rule is overpaid; slack() then holds price minus blame per group.
  double overpaid(std::size_t r) {
    const ListRule& rule = p_.rules[r];
    const double price = static_cast<double>(rule.price);
    const bool dense = row_of_[r] != kNoRow;
    const std::size_t n = dense ? n_pos_ : rule.pos.size();
    slack_.resize(n);
    if (dense) std::copy(y_.begin(), y_.end(), slack_.begin());
    else for (std::size_t k = 0; k < n; ++k) slack_[k] = y_[rule.pos[k]];
    const auto total = [&] {
      if (dense) {
        const float* a = rows_.data() + row_of_[r];
        return static_cast<double>(lane_sum(n, [&](std::size_t k) { return a[k] * std::max(0.0f, slack_[k]); }));
      }
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += static_cast<double>(share(rule, k) * std::max(0.0f, slack_[k]));
      return sum;
    };
    if (const double sum = total(); sum <= price) return sum - price;  // no blame needed to see it
    dense ? charge_row(rule) : charge_list(rule);
    return total() - price;
  }

  // Lets the rule whose slack was computed last pull the direction.
  void pull(std::size_t r, std::vector<float>& dir_y) {
    const ListRule& rule = p_.rules[r];
    const std::size_t at = pulls_.size();
    if (row_of_[r] != kNoRow) {
      const float* a = rows_.data() + row_of_[r];
      pulls_.resize(at + n_pos_);
      float* q = pulls_.data() + at;
      for (std::size_t g = 0; g < n_pos_; ++g) q[g] = slack_[g] > 0 ? (1 - kKeep) * a[g] : 0.0f;
      for (std::size_t g = 0; g < n_pos_; ++g) dir_y[g] -= q[g];
      for (std::size_t m = 0; m < rule.neg.size(); ++m) touch(rule.neg[m]).rows.push_back({at, part(rule, m)});
      return;
    }
    const std::size_t first = entries_.size();
    for (std::size_t k = 0; k < rule.pos.size(); ++k)
      if (slack_[k] > 0) entries_.push_back({rule.pos[k], (1 - kKeep) * share(rule, k)});
    for (std::size_t k = first; k < entries_.size(); ++k) dir_y[entries_[k].group] -= entries_[k].value;
    for (std::size_t m = 0; m < rule.neg.size(); ++m)
      touch(rule.neg[m]).lists.push_back({first, entries_.size(), part(rule, m)});
  }

  void forget_pulls() {
    pulls_.clear();
    entries_.clear();
    for (auto h : touched_) by_column_[h].rows.clear(), by_column_[h].lists.clear(), by_column_[h].touched = false;
    touched_.clear();
  }

  // Adds the pulls on the shares of one negative group to its direction.
  void add_pulls(std::uint32_t h, float* direction) const {
    const Column& column = by_column_[h];
    std::size_t k = 0;
    for (; k + 4 <= column.rows.size(); k += 4) {
      const float* rows[4];
      float factor[4];
      for (std::size_t m = 0; m < 4; ++m) rows[m] = pulls_.data() + column.rows[k + m].at, factor[m] = column.rows[k + m].part;
      add_multiples(direction, rows, factor, n_pos_);
    }
    for (; k < column.rows.size(); ++k) add_multiple(direction, pulls_.data() + column.rows[k].at, column.rows[k].part, n_pos_);
    for (const auto& list : column.lists)
      for (std::size_t e = list.first; e < list.last; ++e) direction[entries_[e].group] += list.part * entries_[e].value;
  }

  const std::vector<std::uint32_t>& touched() const { return touched_; }

 private:
  struct Entry {
    std::uint32_t group;
    float value;
  };
  struct RowPull {
    std::size_t at;
    float part;
  };
  struct ListPull {
    std::size_t first, last;
    float part;
  };
  struct Column {
    std::vector<RowPull> rows;
    std::vector<ListPull> lists;
    bool touched = false;
  };
  static constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

  float share(const ListRule& rule, std::size_t k) const {
    return rule.pos_part.empty() ? 1.0f : static_cast<float>(rule.pos_part[k]) / static_cast<float>(p_.pos_weight[rule.pos[k]]);
  }
  float part(const ListRule& rule, std::size_t m) const {
    return rule.neg_part.empty() ? 1.0f : static_cast<float>(rule.neg_part[m]) / static_cast<float>(p_.neg_weight[rule.neg[m]]);
  }
  const float* shares_of(std::uint32_t h) const { return dual_.mu.data() + static_cast<std::size_t>(h) * n_pos_; }

  Column& touch(std::uint32_t h) {
    if (!by_column_[h].touched) by_column_[h].touched = true, touched_.push_back(h);
    return by_column_[h];
  }

  void charge_row(const ListRule& rule) {
    std::size_t m = 0;
    for (; m + 4 <= rule.neg.size(); m += 4) {
      const float* rows[4];
      float factor[4];
      for (std::size_t k = 0; k < 4; ++k) rows[k] = shares_of(rule.neg[m + k]), factor[k] = -part(rule, m + k);
      add_multiples(slack_.data(), rows, factor, n_pos_);
    }
    for (; m < rule.neg.size(); ++m) add_multiple(slack_.data(), shares_of(rule.neg[m]), -part(rule, m), n_pos_);
  }

  void charge_list(const ListRule& rule) {
    for (std::size_t m = 0; m < rule.neg.size(); ++m) {
      const float* column = shares_of(rule.neg[m]);
      const float factor = part(rule, m);
      for (std::size_t k = 0; k < rule.pos.size(); ++k) slack_[k] -= factor * column[rule.pos[k]];
    }
  }

  const ListProblem& p_;
  const Dual& dual_;
  const std::size_t n_pos_, n_neg_;
  std::vector<float> y_, slack_;
  std::vector<float> rows_;             // shares of the groups that each dense rule covers
  std::vector<std::size_t> row_of_;     // per rule: where its row starts
  std::vector<float> pulls_;            // rows of the violated dense rules
  std::vector<Entry> entries_;          // lists of the violated others
  std::vector<Column> by_column_;       // per negative group: what pulls its shares
  std::vector<std::uint32_t> touched_;
};

// Moves a column of shares along its direction, onto {column >= 0, sum <= weight}. The projection is in the metric in
// which coordinate g counts 1 / scale[g]: the numbers fall by a common multiple of scale.
void move_column(float* column, const float* direction, const float* scale, std::size_t n, float scale_sum,
                 float step, float weight) {
  float sum = lane_sum(n, [&](std::size_t k) { return column[k] = std::max(0.0f, column[k] + step * scale[k] * direction[k]); });
  if (sum <= weight) return;
  // Michelot: the shift that would do if everything stayed positive, again for what does, until nothing changes.
  float shift = (sum - weight) / scale_sum;
  for (int round = 0; round < 20; ++round) {
    const float excess = lane_sum(n, [=](std::size_t k) { return std::max(0.0f, column[k] - shift * scale[k]); }) - weight;
    if (!(excess > 1e-5f * weight)) break;
    shift += excess / lane_sum(n, [=](std::size_t k) { return column[k] > shift * scale[k] ? scale[k] : 0.0f; });
  }
  for (std::size_t k = 0; k < n; ++k) column[k] = std::max(0.0f, column[k] - shift * scale[k]);
}

}  // namespace

double list_value(const ListProblem& p, const Dual& dual) {
  Ascent ascent(p, dual);
  ascent.load_prices();
  double value = static_cast<double>(p.offset) + std::accumulate(dual.y.begin(), dual.y.end(), 0.0);
  for (std::size_t r = 0; r < p.rules.size(); ++r) value -= std::max(0.0, ascent.overpaid(r));
  return value;
}

void ascend(const ListProblem& p, Dual& dual, double target, std::size_t iterations, AscentState& state,
            Control& control) {
  const std::size_t n_pos = p.n_pos(), n_neg = p.n_neg(), n_rules = p.rules.size();
  Ascent ascent(p, dual);
  std::vector<float> dir_y(n_pos, 0.0f), dir_mu(n_pos * n_neg, 0.0f);
  // Heavy groups take longer steps: the root of the weight served best between 0 (none) and 1 (as if every
  // unit of weight had a price and a blame of its own).
  std::vector<float> pos_scale(n_pos), neg_scale(n_neg);
  double mean = 0;
  for (auto w : p.neg_weight) mean += std::sqrt(static_cast<double>(w)) / static_cast<double>(n_neg);
  for (std::size_t g = 0; g < n_pos; ++g) pos_scale[g] = static_cast<float>(std::sqrt(static_cast<double>(p.pos_weight[g])));
  for (std::size_t h = 0; h < n_neg; ++h) neg_scale[h] = static_cast<float>(std::sqrt(static_cast<double>(p.neg_weight[h])) / mean);
  const float scale_sum = std::accumulate(pos_scale.begin(), pos_scale.end(), 0.0f);
  std::vector<char> column_live(n_neg, 0);
  std::vector<std::uint32_t> live;  // columns with a direction
  std::vector<std::uint32_t> active(n_rules);
  std::iota(active.begin(), active.end(), 0u);
  std::vector<double> last_value(n_rules, 0.0);
  if (state.use.size() != n_rules) state.use.assign(n_rules, 0.0f);
  std::size_t since_best = 0;
  const bool partial = n_rules > kAlwaysScan;

  for (std::size_t it = 0; it < iterations; ++it) {
    if (control.check_now()) return;
    ++state.iterations;
    const bool full = !partial || it % kScanEvery == 0 || it + 1 == iterations;
    if (full && partial) {
      active.resize(n_rules);
      std::iota(active.begin(), active.end(), 0u);
    }
    // Direction: 1 per price, minus 1 per violated rule that uses the price, plus 1 per blame it could use.
    for (auto& d : dir_y) d = kKeep * d + (1 - kKeep);
    double value = static_cast<double>(p.offset) + std::accumulate(dual.y.begin(), dual.y.end(), 0.0);
    ascent.load_prices();
    ascent.forget_pulls();
    for (auto r : active) {
      const double over = ascent.overpaid(r);
      last_value[r] = over;
      state.use[r] *= 0.98f;
      if (over <= 0) continue;
      state.use[r] += 0.02f;
      value -= over;
      ascent.pull(r, dir_y);
    }
    if (full) {
      if (value > state.best + 1e-9) {
        since_best = value > state.best + 1e-3 * std::abs(target - state.best) ? 0 : since_best + 1;
        state.best = value;
        state.best_dual = dual;
      } else {
        ++since_best;
      }
      if (state.best > target - 1 + 1e-6) return;
      if (partial) {
        // Keep the rules closest to violation until the next full scan.
        const std::size_t want = std::max<std::size_t>(kAlwaysScan, n_rules / 10);
        std::nth_element(active.begin(), active.begin() + static_cast<long>(want), active.end(),
                         [&](auto a, auto b) { return last_value[a] > last_value[b]; });
        active.resize(want);
        std::sort(active.begin(), active.end());
      }
      if (since_best >= (partial ? 3u : 40u)) {
        since_best = 0;
        state.step_factor = std::max(0.05, state.step_factor * 0.7);
      }
    }
    for (auto h : ascent.touched())
      if (!column_live[h]) column_live[h] = 1, live.push_back(h);
    double norm = 1e-9 + static_cast<double>(lane_sum(n_pos, [&](std::size_t g) { return pos_scale[g] * dir_y[g] * dir_y[g]; }));
    std::size_t still = 0;
    for (auto h : live) {
      float* d = dir_mu.data() + static_cast<std::size_t>(h) * n_pos;
      for (std::size_t g = 0; g < n_pos; ++g) d[g] *= kKeep;
      ascent.add_pulls(h, d);
      const float length = lane_sum(n_pos, [&](std::size_t g) { return pos_scale[g] * d[g] * d[g]; });
      if (length < 1e-6f) {
        std::fill(d, d + n_pos, 0.0f);
        column_live[h] = 0;
        continue;
      }
      norm += static_cast<double>(length * neg_scale[h]);
      live[still++] = h;
    }
    live.resize(still);
    const double step = state.step_factor * std::max(0.25, target - value) / norm;
    for (std::size_t g = 0; g < n_pos; ++g)
      dual.y[g] = std::clamp(dual.y[g] + step * static_cast<double>(pos_scale[g] * dir_y[g]), 0.0, static_cast<double>(p.pos_weight[g]));
    for (auto h : live)
      move_column(dual.mu.data() + static_cast<std::size_t>(h) * n_pos, dir_mu.data() + static_cast<std::size_t>(h) * n_pos,
                  pos_scale.data(), n_pos, scale_sum, static_cast<float>(step) * neg_scale[h], static_cast<float>(p.neg_weight[h]));
  }
}

}  // namespace laconic
