// The relaxation at a node of the branching, strengthened by zero-half cuts, and the proof from its prices.
//
// For any three rows, the columns that cover an odd number of them must sum to at least one (halve the sum of the three
// rows, and round up). If a column counts with half of the rows it covers, rounded up, the right-hand side of the cut
// is two. A child starts from its parent's solution. Forbidden columns are closed. Merged rows stay, with one more row
// that requires a column over all of them. The covers of a child are unfolded to rows of the programme, so rows and
// cuts from before the merge keep their meaning. Only rows that a solution left uncovered are in the programme.
#include "cover/relaxation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace laconic {
namespace {

constexpr double kShrink = 1.0 - 1e-8;

std::int64_t scaled(double price) {
  return price > 0 ? static_cast<std::int64_t>(std::floor(price * kShrink * static_cast<double>(kBranchScale))) : 0;
}

std::size_t half_up(const Word* cover, const std::vector<Word>& rows) {
  return (count_and(cover, rows.data(), rows.size()) + 1) / 2;
}

}  // namespace

NodeRelaxation::NodeRelaxation(std::size_t n_rows, const Columns& columns, Cost upper_bound, SharedOptions options)
    : options_(std::move(options)), columns_(&columns), n_rows_(n_rows), words_(words_for(n_rows)),
      prohibitive_(100.0 * static_cast<double>(upper_bound)), lp_(options_), row_at_(n_rows, -1), y_(n_rows, 0.0) {}

// Unfolds a cover to the rows of the programme: merged rows are covered together or not at all.
void NodeRelaxation::unfold(const Word* cover, std::vector<Word>& out) const {
  out.assign(cover, cover + words_);
  for (auto merged = merged_.rbegin(); merged != merged_.rend(); ++merged)
    if (test_bit(out.data(), merged->rows[0]))
      for (const std::size_t r : merged->rows) set_bit(out.data(), r);
}

template <class Count>
std::vector<std::int32_t> NodeRelaxation::coefficients(Count count_in) const {
  std::vector<std::int32_t> out(in_lp_.size());
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = static_cast<std::int32_t>(count_in(lp_cover(c)));
  return out;
}

void NodeRelaxation::add_row(std::size_t row) {
  row_at_[row] = static_cast<std::int32_t>(lp_.n_rows());
  lp_.add_row(coefficients([&](const Word* cover) { return test_bit(cover, row); }), 1.0, prohibitive_);
}

void NodeRelaxation::add_cut(std::vector<Word> rows) {
  cut_at_.push_back(lp_.n_rows());
  lp_.add_row(coefficients([&](const Word* cover) { return half_up(cover, rows); }),
              static_cast<double>(half_up(rows.data(), rows)), prohibitive_);
  cuts_.push_back(std::move(rows));
}

void NodeRelaxation::add_column(const CoverNode& node, std::size_t k) {
  std::vector<Word> cover;
  std::vector<std::int32_t> rows;
  unfold(node.cover(k), cover);
  for_each(cover.data(), words_, [&](std::size_t r) {
    if (row_at_[r] >= 0) rows.push_back(row_at_[r]);
  });
  for (std::size_t c = 0; c < cuts_.size(); ++c)
    rows.insert(rows.end(), half_up(cover.data(), cuts_[c]), static_cast<std::int32_t>(cut_at_[c]));
  for (std::size_t m = 0; m < merged_.size(); ++m)
    if (is_subset(merged_masks_[m].data(), cover.data(), words_))
      rows.push_back(static_cast<std::int32_t>(merged_[m].at));
  is_in_[k] = 1;
  in_lp_.push_back(k);
  lp_covers_.insert(lp_covers_.end(), cover.begin(), cover.end());
  lp_.add_column(static_cast<double>(cost(node, k)), rows);
}

bool NodeRelaxation::set_up(CoverNode& node, double limit, Control& control) {
  merge_equal_columns(node, *columns_, control);
  drop_implied_rows(node, control);
  merge_equal_columns(node, *columns_, control);
  if (control.check_now()) return false;
  const std::size_t n = n_columns_at_first_ = node.n_columns();
  std::vector<Word> coverable(words_, 0);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t w = 0; w < words_; ++w) coverable[w] |= node.cover(k)[w];
  if (!is_subset(node.alive.data(), coverable.data(), words_)) return false;
  is_in_.assign(n, 0);
  for (const auto& cut : node.cuts)
    // otherwise a merged row has changed its meaning
    if (is_subset(cut.data(), node.alive.data(), words_)) add_cut(cut);
  for (std::size_t k = 0; k < n; ++k)
    if (n <= options_->branch_few_columns || std::binary_search(node.hot.begin(), node.hot.end(), node.ids[k]))
      add_column(node, k);
  return solve(node, limit, control);
}

void NodeRelaxation::merge(const Rows& rows) {
  std::vector<Word> mask(words_, 0), unfolded;
  for (const std::size_t r : rows) set_bit(mask.data(), r);
  unfold(mask.data(), unfolded);  // rows merged into these before must be covered as well
  merged_.push_back({rows, lp_.n_rows()});
  lp_.add_row(coefficients([&](const Word* cover) { return is_subset(unfolded.data(), cover, words_); }), 1.0,
              prohibitive_);
  merged_masks_.push_back(std::move(unfolded));
}

double NodeRelaxation::estimate(const CoverNode& node, const Rows& rows, bool merge, double limit,
                                Control& control) const {
  CoverSimplex trial = lp_;
  std::vector<std::int32_t> over(in_lp_.size(), 0);
  for (std::size_t c = 0; c < in_lp_.size(); ++c) {
    if (in_lp_[c] == kGone) continue;
    const Word* cover = node.cover(in_lp_[c]);
    over[c] = std::all_of(rows.begin(), rows.end(), [&](std::size_t r) { return test_bit(cover, r); });
    if (over[c] && !merge) trial.close(c);
  }
  if (merge) trial.add_row(over, 1.0, prohibitive_);
  return trial.estimate(limit, options_->branch_trial_steps, control);
}

void NodeRelaxation::renumber(const std::vector<std::int32_t>& number, std::size_t n_columns) {
  is_in_.assign(n_columns, 0);
  for (std::size_t c = 0; c < in_lp_.size(); ++c) {
    if (in_lp_[c] == kGone) continue;
    const std::int32_t now = number[in_lp_[c]];
    in_lp_[c] = now < 0 ? kGone : static_cast<std::size_t>(now);
    if (now < 0) {
      lp_.close(c);
      ++n_gone_;
    } else {
      is_in_[static_cast<std::size_t>(now)] = 1;
    }
  }
  std::size_t write = 0;
  for (const auto& [x, k] : shares_)
    if (number[k] >= 0) shares_[write++] = {x, static_cast<std::size_t>(number[k])};
  shares_.resize(write);
}

void NodeRelaxation::read_prices() {
  const auto& prices = lp_.prices();
  for (std::size_t r = 0; r < n_rows_; ++r)
    y_[r] = row_at_[r] < 0 ? 0.0 : std::max(0.0, prices[static_cast<std::size_t>(row_at_[r])]);
  for (const auto& merged : merged_) {
    // The price of a merged row is the sum of the prices of its rows, which are implied now, and of the common row.
    double sum = std::max(0.0, prices[merged.at]);
    for (const std::size_t r : merged.rows) {
      sum += y_[r];
      y_[r] = 0;
    }
    y_[merged.rows[0]] = sum;
  }
  sigma_.resize(cuts_.size());
  for (std::size_t c = 0; c < cuts_.size(); ++c) sigma_[c] = std::max(0.0, prices[cut_at_[c]]);
}

// Adds rows that the solution leaves uncovered, the least covered first; returns false if there are none.
bool NodeRelaxation::add_violated_rows(const CoverNode& node) {
  std::vector<double> covered(n_rows_, 0.0);
  for (const auto& [x, k] : shares_) for_each(node.cover(k), words_, [&, x = x](std::size_t r) { covered[r] += x; });
  std::vector<std::size_t> violated;
  for_each(node.alive.data(), words_, [&](std::size_t r) {
    if (row_at_[r] < 0 && covered[r] < 1.0 - 1e-6) violated.push_back(r);
  });
  std::stable_sort(violated.begin(), violated.end(),
                   [&](std::size_t a, std::size_t b) { return covered[a] < covered[b]; });
  const std::size_t n = std::min(violated.size(), std::max(options_->branch_rows_per_round, lp_.n_rows() / 4));
  // spread out, because neighbours are similar
  for (std::size_t k = 0; k < n; ++k) add_row(violated[k * violated.size() / n]);
  return n > 0;
}

bool NodeRelaxation::solve(const CoverNode& node, double limit, Control& control) {
  std::vector<std::pair<double, std::size_t>> attractive;
  std::vector<std::size_t> priced;
  std::vector<Word> unfolded;
  for (double stop_at = limit;;) {
    const auto outcome = lp_.solve(stop_at, control);
    if (outcome == CoverSimplex::Outcome::kStopped) return false;
    read_prices();
    priced.clear();
    for (std::size_t c = 0; c < cuts_.size(); ++c)
      if (sigma_[c] > 1e-9) priced.push_back(c);
    attractive.clear();
    for (std::size_t k = 0; k < node.n_columns(); ++k) {
      if (is_in_[k]) continue;
      const Word* own = node.cover(k);
      auto d = static_cast<double>(cost(node, k));
      for_each(own, words_, [&](std::size_t r) { d -= y_[r]; });
      if (d >= -1e-7 && !priced.empty()) unfold(own, unfolded);
      for (std::size_t c = 0; d >= -1e-7 && c < priced.size(); ++c)
        d -= sigma_[priced[c]] * static_cast<double>(half_up(unfolded.data(), cuts_[priced[c]]));
      if (d < -1e-7) attractive.push_back({d, k});
    }
    if (control.check_now()) return false;
    if (outcome == CoverSimplex::Outcome::kBeyond) {
      if (attractive.empty()) break;
      stop_at = 1e300;  // columns can be added only where all rows are satisfied
      continue;
    }
    stop_at = limit;
    if (attractive.empty()) {
      read_shares();
      if (add_violated_rows(node)) continue;
      break;
    }
    const std::size_t taken = std::min(options_->branch_columns_per_round, attractive.size());
    std::partial_sort(attractive.begin(), attractive.begin() + static_cast<std::ptrdiff_t>(taken), attractive.end());
    for (std::size_t a = 0; a < taken; ++a) add_column(node, attractive[a].second);
  }
  read_shares();
  return true;
}

void NodeRelaxation::read_shares() {
  shares_.clear();
  const std::vector<double> x = lp_.values();
  for (std::size_t c = 0; c < x.size(); ++c)
    if (x[c] > 1e-6 && in_lp_[c] != kGone) shares_.push_back({x[c], in_lp_[c]});
}

bool NodeRelaxation::add_cuts(const CoverNode& node) {
  std::vector<std::size_t> tight, rows;
  std::vector<std::int32_t> place(n_rows_, -1);
  for_each(node.alive.data(), words_, [&](std::size_t row) {
    if (y_[row] <= 1e-6) return;
    place[row] = static_cast<std::int32_t>(tight.size());
    tight.push_back(row);
  });
  const std::size_t m = tight.size();
  std::vector<float> common(m * m, 0.0f);
  for (const auto& [x, k] : shares_) {
    rows.clear();
    for_each(node.cover(k), words_, [&](std::size_t r) {
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
        if (sum <= 1 + 2 * options_->branch_least_violation) continue;
        double all = 0;
        for (const auto& [x, k] : shares_) {
          const Word* own = node.cover(k);
          if (test_bit(own, tight[a]) && test_bit(own, tight[b]) && test_bit(own, tight[c])) all += x;
        }
        const double violation = (sum - 2 * all - 1) / 2;
        if (violation > options_->branch_least_violation)
          violated.push_back({-violation, {tight[a], tight[b], tight[c]}});
      }
    }
  std::sort(violated.begin(), violated.end());
  std::vector<int> used(n_rows_, 0);
  std::size_t added = 0;
  for (const auto& [unused, three] : violated) {
    if (added == options_->branch_cuts_per_round) break;
    if (used[three[0]] + used[three[1]] + used[three[2]] > 3) continue;
    std::vector<Word> mask(words_, 0);
    for (const std::size_t r : three) {
      set_bit(mask.data(), r);
      ++used[r];
    }
    add_cut(std::move(mask));
    ++added;
  }
  return added > 0;
}

void NodeRelaxation::shrink() {
  std::vector<char> offered(lp_.n_rows(), 1);
  for (const auto& merged : merged_) offered[merged.at] = 0;  // the node's rows do not imply it
  const CoverSimplex::Stayed stayed = lp_.shrink(offered);
  std::vector<std::int32_t> now(stayed.rows.size(), -1);
  std::int32_t n = 0;
  for (std::size_t r = 0; r < now.size(); ++r)
    if (stayed.rows[r]) now[r] = n++;
  for (auto& at : row_at_)
    if (at >= 0) at = now[static_cast<std::size_t>(at)];
  for (auto& merged : merged_) merged.at = static_cast<std::size_t>(now[merged.at]);
  std::size_t write = 0;
  for (std::size_t c = 0; c < cuts_.size(); ++c) {
    if (now[cut_at_[c]] < 0) continue;
    cut_at_[write] = static_cast<std::size_t>(now[cut_at_[c]]);
    if (write != c) cuts_[write] = std::move(cuts_[c]);
    ++write;
  }
  cuts_.resize(write);
  cut_at_.resize(write);
  write = 0;
  n_gone_ = 0;
  for (std::size_t c = 0; c < in_lp_.size(); ++c) {
    if (!stayed.columns[c]) continue;
    in_lp_[write] = in_lp_[c];
    n_gone_ += in_lp_[c] == kGone;
    std::copy(lp_cover(c), lp_cover(c) + words_, lp_covers_.begin() + static_cast<std::ptrdiff_t>(write * words_));
    ++write;
  }
  in_lp_.resize(write);
  lp_covers_.resize(write * words_);
  read_prices();
}

NodeRelaxation::Proof NodeRelaxation::prove(const CoverNode& node) const {
  Proof proof;
  std::vector<std::int64_t> price(n_rows_, 0), cut_price(cuts_.size());
  for (std::size_t r = 0; r < n_rows_; ++r) proof.total += price[r] = scaled(y_[r]);
  for (std::size_t c = 0; c < cuts_.size(); ++c) {
    cut_price[c] = scaled(sigma_[c]);
    proof.total += cut_price[c] * static_cast<std::int64_t>(half_up(cuts_[c].data(), cuts_[c]));
    if (cut_price[c] > 0) proof.priced.push_back(c);
  }
  std::vector<Word> unfolded;
  for (std::size_t k = 0; k < node.n_columns(); ++k) {
    const Word* own = node.cover(k);
    std::int64_t slack = kBranchScale * cost(node, k);
    for_each(own, words_, [&](std::size_t r) { slack -= price[r]; });
    if (!proof.priced.empty()) unfold(own, unfolded);
    for (const std::size_t c : proof.priced)
      slack -= cut_price[c] * static_cast<std::int64_t>(half_up(unfolded.data(), cuts_[c]));
    proof.slack.push_back(slack);
  }
  return proof;
}

}  // namespace laconic
