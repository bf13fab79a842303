// First-order ascent of the blame relaxation over a list of rules (sparse/listed/dual.cpp defines the dual).
//
// The relaxation as a game: the duals y, mu against the primal, which is the use x_R of each rule and the part a_iR of
// it that each positive group claims, 0 <= a_iR <= x_R: max_{y, mu} min_{a, x}  sum_i y_i + sum_R p_R x_R - sum_R
// sum_{i in R} a_iR (y_i - sum_{j in neg R} mu_ij). The method is the primal-dual hybrid gradient (Chambolle and Pock)
// with diagonal steps: the primal takes a step and is projected, and the dual reacts to the extrapolated step. Rivals
// measured on these tables: the LP in a simplex or interior-point solver (100 times slower); projected subgradients
// with Polyak steps (after ten times the steps still four times as far from the optimum).
//
// An iterate violates many near-equal rules slightly, so its Lagrangian, which pays for every violation, is poor. But
// lowering one price repairs many violations, so iterates are judged after exact_bound's repair.
//
// One iteration is two matrix products: the blame that each rule's negatives put on each positive group (rules x
// negative groups x positive groups), and back, from the rules in use to the direction of every share. A rule that is
// neither in use nor violated stays so, and usually its prices alone show that. Nearly all shares soon become zero (of
// 2000 positive groups a negative blames twenty): a column of few shares moves on these alone, and all shares move
// together only once in a while, so that others can become positive. On large tables an iteration then takes a third to
// a fifth of the time.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/lanes.hpp"
#include "sparse/listed/dual.hpp"
#include "sparse/listed/pace.hpp"

namespace laconic {
namespace {

class Ascent {
 public:
  Ascent(const ListProblem& problem, const Dual& start, const Primal& primal, Control& control)
      : p_(problem), options_(*problem.options), control_(control), n_pos_(problem.n_pos()), n_neg_(problem.n_neg()),
        y_(start.y.begin(), start.y.end()), mu_(start.mu), gradient_(n_pos_), direction_(n_pos_), few_(n_pos_, 0.0f),
        by_column_(n_neg_), step_y_(n_pos_, 0.0f), step_mu_(n_pos_ * n_neg_, 0.0f) {
    dual_steps_ = options_.ascent_dual_steps * static_cast<float>(set_scale(p_.pos_weight, pos_scale_));
    set_scale(p_.neg_weight, neg_scale_);
    for (const auto& rule : p_.rules) rules_.push_back(layout(rule));
    for (std::size_t r = 0; r < rules_.size() && !stopped(); ++r) add_degrees(r);
    for (std::size_t g = 0; g < n_pos_; ++g) step_y_[g] = dual_steps_ * pos_scale_[g] / std::max(1.0f, step_y_[g]);
    for (std::size_t h = 0; h < n_neg_ && !stopped(); ++h)
      for (std::size_t g = 0; g < n_pos_; ++g) {
        float& step = step_mu_[h * n_pos_ + g];
        step = dual_steps_ * pos_scale_[g] * neg_scale_[h] / std::max(1.0f, step);
      }
    if (!primal.use.empty()) adopt(primal);
  }

  // If stopped on the way, the duals are still valid duals.
  void step(const std::vector<std::uint32_t>& active, bool all_shares) {
    std::fill(gradient_.begin(), gradient_.end(), 1.0f);
    pulling_.clear();
    pulls_.clear();
    for (auto r : active) {
      if (stopped()) return;
      move_primal(r);
    }
    pace_.adapt();
    move_prices();
    sort_pulls_by_column();
    if (all_shares) lengthen_columns();
    for (std::size_t h = 0; h < n_neg_; ++h) {
      if (pull_start_[h] == pull_start_[h + 1]) continue;
      if (stopped()) return;
      const Column& column = by_column_[h];
      const std::size_t n = column.is_short ? column.size : n_pos_;
      std::fill_n(direction_.begin(), n, 0.0f);
      if (column.is_short) {
        add_pulls_to_few(h);
        move(few_share_.data() + column.at, few_step_.data() + column.at, n, h);
      } else {
        add_pulls(h);
        move(mu_.data() + h * n_pos_, step_mu_.data() + h * n_pos_, n, h);
      }
    }
    if (all_shares) shorten_columns();
    pace_.end_step();
    ++n_steps_;
  }

  // Overpayment of the rule when it was last computed.
  float overpaid(std::size_t r) const { return rules_[r].over; }
  float use(std::size_t r) const { return rules_[r].x; }
  Dual dual() {
    store_short_columns();
    return {{y_.begin(), y_.end()}, mu_};
  }
  Primal primal() const {
    Primal out{std::vector<float>(rules_.size()), std::vector<std::vector<float>>(rules_.size())};
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      const Rule& rule = rules_[r];
      if (rule.x <= 0) continue;
      out.use[r] = rule.x;
      out.claim[r].assign(n_pos_, 0.0f);
      for (std::size_t k = 0; k < rule.in->pos.size(); ++k)
        out.claim[r][rule.in->pos[k]] = rule.a[rule.dense ? rule.in->pos[k] : k];
    }
    return out;
  }

 private:
  // A rule, with its groups as a row (all of them) or as a list.
  struct Rule {
    const ListRule* in;
    bool dense;
    float step;  // safe step of the primal
    float x = 0, over = 0;
    std::vector<float> share;             // of each group, the part that it covers
    std::vector<float> weight;            // weight of each group in the projection
    std::vector<float> part;              // of each negative group
    std::vector<float> a;                 // empty: none in use
    std::vector<float> moved, old_slack;  // of the claims at step moved_at
    std::size_t moved_at = 0;
  };
  // The pull of a rule in use on the shares of a negative group: the row of pulls_ that begins there, times its part.
  struct Pull {
    std::size_t at;
    float part;
  };
  // A negative group; if few of its shares are not zero, also their positions.
  struct Column {
    bool is_short = false;
    std::size_t at = 0, size = 0;
  };

  bool stopped() { return is_large_ ? control_.check_now() : control_.should_stop(); }

  // Sets longer steps for heavy groups: the root of the weight over the geometric mean, which is returned (the
  // arithmetic mean would depend on a few very heavy rows).
  static double set_scale(const std::vector<Weight>& weights, std::vector<float>& scale) {
    double log_mean = 0;
    for (auto w : weights) log_mean += std::log(static_cast<double>(w)) / static_cast<double>(weights.size());
    for (auto w : weights) scale.push_back(static_cast<float>(std::sqrt(static_cast<double>(w) / std::exp(log_mean))));
    return std::exp(log_mean);
  }

  Rule layout(const ListRule& rule) {
    Rule out;
    out.in = &rule;
    out.dense =
        rule.pos.size() * options_.ascent_dense_share >= n_pos_ && n_dense_ + n_pos_ <= options_.ascent_dense_limit;
    if (out.dense) n_dense_ += n_pos_;
    out.share.assign(out.dense ? n_pos_ : rule.pos.size(), 0.0f);
    out.weight = out.share;
    for (std::size_t k = 0; k < rule.pos.size(); ++k) {
      const auto g = rule.pos[k];
      const std::size_t at = out.dense ? g : k;
      out.share[at] =
          rule.pos_part.empty() ? 1.0f : static_cast<float>(rule.pos_part[k]) / static_cast<float>(p_.pos_weight[g]);
      out.weight[at] = out.share[at] * pos_scale_[g];
    }
    float blame = 1;
    for (std::size_t m = 0; m < rule.neg.size(); ++m) {
      const auto h = rule.neg[m];
      out.part.push_back(
          rule.neg_part.empty() ? 1.0f : static_cast<float>(rule.neg_part[m]) / static_cast<float>(p_.neg_weight[h]));
      blame += out.part.back() * neg_scale_[h];
    }
    out.step = 1.0f / (dual_steps_ * blame);
    return out;
  }

  void add_degrees(std::size_t r) {
    const Rule& rule = rules_[r];
    const auto add = [&](float* to, float factor) {
      if (rule.dense)
        add_multiple(to, rule.share.data(), factor, n_pos_);
      else
        for (std::size_t k = 0; k < rule.share.size(); ++k) to[rule.in->pos[k]] += factor * rule.share[k];
    };
    add(step_y_.data(), 1.0f);
    for (std::size_t m = 0; m < rule.part.size(); ++m) add(step_mu_.data() + rule.in->neg[m] * n_pos_, rule.part[m]);
  }

  void adopt(const Primal& primal) {
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      Rule& rule = rules_[r];
      if (primal.use[r] <= 0) continue;
      rule.x = primal.use[r];
      rule.a.assign(rule.share.size(), 0.0f);
      for (std::size_t k = 0; k < rule.in->pos.size(); ++k) {
        const auto g = rule.in->pos[k];
        rule.a[rule.dense ? g : k] = std::min(rule.x, primal.claim[r][g]);
      }
    }
  }

  void load_slack(const Rule& rule) {
    slack_.resize(rule.share.size());
    if (rule.dense)
      std::copy(y_.begin(), y_.end(), slack_.begin());
    else
      for (std::size_t k = 0; k < slack_.size(); ++k) slack_[k] = y_[rule.in->pos[k]];
  }
  float counted(const Rule& rule) const {
    const float *share = rule.share.data(), *slack = slack_.data();
    return lane_sum(slack_.size(), [=](std::size_t k) { return share[k] * std::max(0.0f, slack[k]); });
  }
  // Subtracts the blame from the prices.
  void charge(const Rule& rule) {
    const auto& neg = rule.in->neg;
    const float* rows[4];
    float factor[4];
    std::size_t n_rows = 0;
    bool any_short = false;
    float* few = rule.dense ? slack_.data() : few_.data();
    for (std::size_t m = 0; m < neg.size(); ++m) {
      const Column& column = by_column_[neg[m]];
      const float part = -rule.part[m];
      if (column.is_short) {
        any_short = true;
        for (std::size_t e = column.at; e < column.at + column.size; ++e) few[few_group_[e]] += part * few_share_[e];
      } else if (!rule.dense) {
        const float* shares = mu_.data() + neg[m] * n_pos_;
        for (std::size_t k = 0; k < slack_.size(); ++k) slack_[k] += part * shares[rule.in->pos[k]];
      } else {
        rows[n_rows] = mu_.data() + neg[m] * n_pos_, factor[n_rows] = part;
        if (++n_rows < 4) continue;
        add_multiples(slack_.data(), rows, factor, n_pos_);
        n_rows = 0;
      }
    }
    for (std::size_t k = 0; k < n_rows; ++k) add_multiple(slack_.data(), rows[k], factor[k], n_pos_);
    if (rule.dense || !any_short) return;
    for (std::size_t k = 0; k < slack_.size(); ++k) slack_[k] += few_[rule.in->pos[k]];
    std::fill(few_.begin(), few_.end(), 0.0f);
  }

  // Moves the rule's use and claims, and projects them onto 0 <= a <= x; the extrapolated step pulls the duals.
  void move_primal(std::size_t r) {
    Rule& rule = rules_[r];
    const auto price = static_cast<float>(rule.in->price);
    const float step = pace_.factor() * rule.step;
    load_slack(rule);
    if (rule.x == 0 && (rule.over = counted(rule) - price) <= 0) return;  // not overpaid even without blame
    charge(rule);
    feel(rule);
    rule.over = counted(rule) - price;
    if (rule.x == 0 && rule.over <= 0) return;
    const std::size_t n = slack_.size();
    if (rule.a.empty()) rule.a.assign(n, 0.0f);
    pull_.resize(n);
    float* a = rule.a.data();
    const float *share = rule.share.data(), *weight = rule.weight.data();
    for (std::size_t k = 0; k < n; ++k) pull_[k] = a[k];
    if (rule.dense)
      for (std::size_t k = 0; k < n; ++k) a[k] += step * slack_[k] / pos_scale_[k];
    else
      for (std::size_t k = 0; k < n; ++k) a[k] += step * slack_[k] / pos_scale_[rule.in->pos[k]];
    // The x of the projection: x - xi = sum of weight * (a - x)+, by Newton from below.
    const float xi = rule.x - step * price;
    const float most_use = options_.ascent_most_use;
    float x = std::clamp(xi, 0.0f, most_use);
    for (int round = 0; round < 30 && x < most_use; ++round) {
      const float mass = lane_sum(n, [=](std::size_t k) { return a[k] > x ? weight[k] : 0.0f; });
      const float sum = lane_sum(n, [=](std::size_t k) { return a[k] > x ? weight[k] * a[k] : 0.0f; });
      const float next = std::clamp((xi + sum) / (1 + mass), 0.0f, most_use);
      if (std::abs(next - x) <= 1e-6f) break;
      x = next;
    }
    for (std::size_t k = 0; k < n; ++k) a[k] = std::clamp(a[k], 0.0f, x);
    remember_move(rule, x - rule.x, step);
    for (std::size_t k = 0; k < n; ++k) pull_[k] = share[k] * (2 * a[k] - pull_[k]);
    rule.x = x;
    pull(r);
    if (x == 0) rule.a.clear();
  }
  // The claims were pull_.
  void remember_move(Rule& rule, float x_moved, float step) {
    const std::size_t n = pull_.size();
    rule.moved.resize(n);
    float* moved = rule.moved.data();
    const float *weight = rule.weight.data(), *now = rule.a.data(), *before = pull_.data();
    for (std::size_t k = 0; k < n; ++k) moved[k] = now[k] - before[k];
    pace_.primal_moved(
        (x_moved * x_moved + lane_sum(n, [=](std::size_t k) { return weight[k] * moved[k] * moved[k]; })) / step);
    rule.old_slack = slack_;
    rule.moved_at = n_steps_;
  }
  // Measures the reaction of the duals to the rule's last move.
  void feel(const Rule& rule) {
    if (rule.moved.empty() || rule.moved_at + 1 != n_steps_) return;
    const float *share = rule.share.data(), *now = slack_.data(), *before = rule.old_slack.data(),
                *moved = rule.moved.data();
    pace_.felt(lane_sum(slack_.size(), [=](std::size_t k) { return share[k] * (now[k] - before[k]) * moved[k]; }));
  }

  // Adds the rule's pull to the direction of the duals.
  void pull(std::size_t r) {
    const Rule& rule = rules_[r];
    const std::size_t at = pulls_.size();
    pulls_.resize(at + n_pos_, 0.0f);
    float* row = pulls_.data() + at;
    if (rule.dense)
      std::copy(pull_.begin(), pull_.end(), row);
    else
      for (std::size_t k = 0; k < pull_.size(); ++k) row[rule.in->pos[k]] = pull_[k];
    for (std::size_t g = 0; g < n_pos_; ++g) gradient_[g] -= row[g];
    pulling_.push_back(static_cast<std::uint32_t>(r));
  }
  // by_pull_[pull_start_[h] .. pull_start_[h + 1]]: the pulls of column h.
  void sort_pulls_by_column() {
    pull_start_.assign(n_neg_ + 2, 0);
    for (auto r : pulling_)
      for (auto h : rules_[r].in->neg) ++pull_start_[h + 2];
    for (std::size_t h = 2; h < n_neg_ + 2; ++h) pull_start_[h] += pull_start_[h - 1];
    by_pull_.resize(pull_start_.back());
    for (std::size_t k = 0; k < pulling_.size(); ++k) {
      const Rule& rule = rules_[pulling_[k]];
      for (std::size_t m = 0; m < rule.part.size(); ++m)
        by_pull_[pull_start_[rule.in->neg[m] + 1]++] = {k * n_pos_, rule.part[m]};
    }
  }
  void add_pulls(std::size_t h) {
    float* to = direction_.data();
    std::size_t k = pull_start_[h];
    const std::size_t end = pull_start_[h + 1];
    for (; k + 4 <= end; k += 4) {
      const float* rows[4];
      float factor[4];
      for (std::size_t m = 0; m < 4; ++m)
        rows[m] = pulls_.data() + by_pull_[k + m].at, factor[m] = by_pull_[k + m].part;
      add_multiples(to, rows, factor, n_pos_);
    }
    for (; k < end; ++k) add_multiple(to, pulls_.data() + by_pull_[k].at, by_pull_[k].part, n_pos_);
  }
  void add_pulls_to_few(std::size_t h) {
    const Column& column = by_column_[h];
    float* to = direction_.data();
    const std::uint32_t* group = few_group_.data() + column.at;
    for (std::size_t k = pull_start_[h]; k < pull_start_[h + 1]; ++k) {
      const float* row = pulls_.data() + by_pull_[k].at;
      const float part = by_pull_[k].part;
      for (std::size_t e = 0; e < column.size; ++e) to[e] += part * row[group[e]];
    }
  }

  void store_short_columns() {
    for (std::size_t h = 0; h < n_neg_; ++h) {
      const Column& column = by_column_[h];
      if (!column.is_short) continue;
      for (std::size_t e = column.at; e < column.at + column.size; ++e) mu_[h * n_pos_ + few_group_[e]] = few_share_[e];
    }
  }
  void lengthen_columns() {
    store_short_columns();
    for (auto& column : by_column_) column.is_short = false;
  }
  void shorten_columns() {
    few_group_.clear(), few_share_.clear(), few_step_.clear();
    for (std::size_t h = 0; h < n_neg_; ++h) {
      Column& column = by_column_[h];
      const float *shares = mu_.data() + h * n_pos_, *steps = step_mu_.data() + h * n_pos_;
      column.at = few_group_.size();
      const std::size_t most = column.at + n_pos_ / options_.ascent_few_shares;
      for (std::size_t g = 0; g < n_pos_ && few_group_.size() <= most; ++g)
        if (shares[g] > 0)
          few_group_.push_back(static_cast<std::uint32_t>(g)), few_share_.push_back(shares[g]),
              few_step_.push_back(steps[g]);
      column.is_short = few_group_.size() <= most;
      if (!column.is_short) few_group_.resize(column.at), few_share_.resize(column.at), few_step_.resize(column.at);
      column.size = few_group_.size() - column.at;
    }
  }

  void move_prices() {
    for (std::size_t g = 0; g < n_pos_; ++g) {
      const float before = y_[g];
      y_[g] = std::clamp(before + step_y_[g] * gradient_[g], 0.0f, static_cast<float>(p_.pos_weight[g]));
      pace_.dual_moved((y_[g] - before) * (y_[g] - before) / step_y_[g]);
    }
  }

  // Moves a column's shares along their direction, onto {shares >= 0, sum <= weight}, in the metric of their steps:
  // where the sum is too large they fall by a common multiple of their steps.
  void move(float* column, const float* step, std::size_t n, std::size_t h) {
    before_.assign(column, column + n);
    project(column, step, n, h);
    const float* before = before_.data();
    pace_.dual_moved(
        lane_sum(n, [=](std::size_t k) { return (column[k] - before[k]) * (column[k] - before[k]) / step[k]; }));
  }
  void project(float* column, const float* step, std::size_t n, std::size_t h) {
    const float* direction = direction_.data();
    const auto weight = static_cast<float>(p_.neg_weight[h]);
    const float sum =
        lane_sum(n, [=](std::size_t k) { return column[k] = std::max(0.0f, column[k] + step[k] * direction[k]); });
    if (sum <= weight) return;
    // Michelot: compute the shift as if all entries stayed positive, then repeat with those that do, until nothing
    // changes.
    float shift = 0;
    for (int round = 0; round < 20; ++round) {
      const float excess =
          lane_sum(n, [=](std::size_t k) { return std::max(0.0f, column[k] - shift * step[k]); }) - weight;
      const float mass = lane_sum(n, [=](std::size_t k) { return column[k] > shift * step[k] ? step[k] : 0.0f; });
      if (!(excess > 1e-5f * weight) || !(mass > 0)) break;
      shift += excess / mass;
    }
    for (std::size_t k = 0; k < n; ++k) column[k] = std::max(0.0f, column[k] - shift * step[k]);
  }

  const ListProblem& p_;
  const Options& options_;
  Control& control_;
  const std::size_t n_pos_, n_neg_;
  const bool is_large_ = n_pos_ * n_neg_ > options_.ascent_large;  // each rule and each column takes a while
  std::size_t n_dense_ = 0;
  std::vector<float> y_, mu_, gradient_, direction_, slack_, pull_, before_;
  Pace pace_{options_};
  std::size_t n_steps_ = 0;
  std::vector<float> few_;  // per positive group, zero between calls
  float dual_steps_ = 0;
  std::vector<float> pos_scale_, neg_scale_;
  std::vector<Rule> rules_;
  std::vector<std::uint32_t> pulling_;  // rules that pull the duals in this step,
  std::vector<float> pulls_;            // their pulls on each positive group, one row after the other,
  std::vector<std::size_t> pull_start_;
  std::vector<Pull> by_pull_;             // and the same by negative group
  std::vector<Column> by_column_;         // per negative group
  std::vector<std::uint32_t> few_group_;  // of the short columns, one after the other
  std::vector<float> few_share_, few_step_;
  std::vector<float> step_y_, step_mu_;
};

}  // namespace

void ascend(const ListProblem& p, Dual& dual, double target, std::size_t iterations, AscentState& state,
            Control& control) {
  const Options& options = *p.options;
  const std::size_t n_rules = p.rules.size();
  Ascent ascent(p, dual, state.primal, control);
  if (control.stopped()) return;
  const auto look = [&] {
    Dual now = ascent.dual();
    ExactBound bound = exact_bound(p, now, control);
    if (control.stopped()) return;
    const auto scale = static_cast<double>(bound.scale), value = static_cast<double>(bound.bound) / scale;
    if (value <= state.best) return;
    state.best = value;
    for (std::size_t g = 0; g < now.y.size(); ++g) now.y[g] = static_cast<double>(bound.y[g]) / scale;
    state.best_dual = std::move(now);
    state.bound = std::move(bound);
  };
  std::vector<std::uint32_t> active(n_rules);
  std::iota(active.begin(), active.end(), 0u);
  const bool partial = n_rules > options.ascent_always_scan;
  look();
  for (std::size_t it = 0, next_look = options.ascent_first_repair; it < iterations && state.best <= target - 1 + 1e-6;
       ++it) {
    if (control.check_now()) break;
    ++state.iterations;
    const bool full = partial && it % options.ascent_scan_every == 0;
    if (full) {
      active.resize(n_rules);
      std::iota(active.begin(), active.end(), 0u);
    }
    ascent.step(active, it % options.ascent_all_every == 0);
    if (full) {
      // Rules in use and those closest to violation until the next full scan.
      const std::size_t want = std::max<std::size_t>(options.ascent_always_scan, n_rules / 10);
      const auto key = [&](std::uint32_t r) { return std::make_pair(ascent.use(r) > 0, ascent.overpaid(r)); };
      std::nth_element(active.begin(), active.begin() + static_cast<long>(want), active.end(),
                       [&](auto a, auto b) { return key(a) > key(b); });
      active.resize(want);
      std::sort(active.begin(), active.end());
    }
    if (it + 1 != next_look && it + 1 != iterations) continue;
    const double before = state.best;
    look();
    if (next_look >= options.ascent_enough && state.best - before < options.ascent_worthwhile * (target - before))
      break;
    next_look *= 2;
  }
  dual = ascent.dual();
  state.primal = ascent.primal();
}

}  // namespace laconic
