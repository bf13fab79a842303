// The relaxation at a node of the branching, strengthened by zero-half cuts, and the proof it gives.
//
// Take three rows: the columns that cover an odd number of them must sum to at least one (halve the sum of the three
// rows, round up). Written for a column as "half of the rows it covers, rounded up, counts", the cut asks for two.
// A child starts from its parent's solution. Forbidden columns stay, at a price that drives them out. Merged rows stay
// too, with one more row that asks for a column over all of them; a child's cover is unfolded to what its columns
// cover in the programme, so that rows and cuts written before the merge keep their meaning.
#include "cover_relaxation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace laconic {
namespace {

constexpr double kShrink = 1.0 - 1e-8;
constexpr std::size_t kColumnsPerRound = 100;
constexpr std::size_t kCutsPerRound = 30;
constexpr double kLeastViolation = 0.03;

std::int64_t scaled(double price) {
  return price > 0 ? static_cast<std::int64_t>(std::floor(price * kShrink * static_cast<double>(kBranchScale))) : 0;
}

std::size_t half_up(const Word* cover, const std::vector<Word>& rows) {
  return (count_and(cover, rows.data(), rows.size()) + 1) / 2;
}

}  // namespace

NodeRelaxation::NodeRelaxation(std::size_t n_rows, const std::vector<Column>& columns, Cost upper_bound)
    : columns_(&columns), n_rows_(n_rows), words_(words_for(n_rows)),
      prohibitive_(100.0 * static_cast<double>(upper_bound)), master_(n_rows) {}

// A cover as the programme's rows see it: merged rows are covered together or not at all.
void NodeRelaxation::unfold(const Word* cover, std::vector<Word>& out) const {
  out.assign(cover, cover + words_);
  for (auto merged = merged_.rbegin(); merged != merged_.rend(); ++merged)
    if (test_bit(out.data(), merged->rows[0]))
      for (const std::size_t r : merged->rows) set_bit(out.data(), r);
}

bool NodeRelaxation::set_up(CoverNode& node, Control& control) {
  merge_equal_columns(node, *columns_);
  drop_implied_rows(node);
  merge_equal_columns(node, *columns_);
  const std::size_t n = n_columns_at_first_ = node.n_columns();
  std::vector<Word> coverable(words_, 0);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t w = 0; w < words_; ++w) coverable[w] |= node.cover(k)[w];
  if (!is_subset(node.alive.data(), coverable.data(), words_)) return false;
  for_each(node.alive.data(), words_, [&](std::size_t r) {
    row_at_.push_back({r, master_.n_rows()});
    master_.add_row(r, prohibitive_);
  });
  for (const auto& cut : node.cuts) {
    if (!is_subset(cut.data(), node.alive.data(), words_)) continue;  // a merged row changed what it says
    cut_at_.push_back(master_.n_rows());
    cuts_.push_back(cut);
    master_.add_cut(cut, prohibitive_);
  }
  y_.assign(n_rows_, 0.0);
  is_in_.assign(n, 0);
  for (std::size_t k = 0; k < n; ++k)
    if (std::binary_search(node.hot.begin(), node.hot.end(), node.ids[k])) {
      is_in_[k] = 1;
      in_master_.push_back(k);
      master_.add_column({{}, {node.cover(k), node.cover(k) + words_}, cost(node, k)});
    }
  return solve(node, control);
}

void NodeRelaxation::merge(const Rows& rows) {
  std::vector<Word> mask(words_, 0), unfolded;
  for (const std::size_t r : rows) set_bit(mask.data(), r);
  unfold(mask.data(), unfolded);  // rows merged into these before must be covered too
  merged_.push_back({rows, master_.n_rows()});
  master_.add_joint_row(unfolded, prohibitive_);
}

void NodeRelaxation::renumber(const std::vector<std::int32_t>& number, std::size_t n_columns) {
  is_in_.assign(n_columns, 0);
  for (std::size_t c = 0; c < in_master_.size(); ++c) {
    if (in_master_[c] == kGone) continue;
    const std::int32_t now = number[in_master_[c]];
    in_master_[c] = now < 0 ? kGone : static_cast<std::size_t>(now);
    if (now < 0)
      master_.set_cost(c, prohibitive_);
    else
      is_in_[static_cast<std::size_t>(now)] = 1;
  }
  std::size_t write = 0;
  for (const auto& [x, k] : shares_)
    if (number[k] >= 0) shares_[write++] = {x, static_cast<std::size_t>(number[k])};
  shares_.resize(write);
}

void NodeRelaxation::read_prices() {
  const auto& prices = master_.prices();
  for (const auto& [row, at] : row_at_) y_[row] = std::max(0.0, prices[at]);
  for (const auto& merged : merged_) {
    // One price for the merged rows: their own, which are implied now, and that of the common row.
    double sum = std::max(0.0, prices[merged.at]);
    for (const std::size_t r : merged.rows) {
      sum += y_[r];
      y_[r] = 0;
    }
    y_[merged.rows[0]] = sum;
  }
  sigma_.resize(cuts_.size());
  for (std::size_t c = 0; c < cuts_.size(); ++c) sigma_[c] = prices[cut_at_[c]];
}

bool NodeRelaxation::solve(const CoverNode& node, Control& control) {
  std::vector<std::pair<double, std::size_t>> attractive;
  std::vector<std::size_t> priced;
  std::vector<Word> unfolded;
  for (;;) {
    if (!master_.solve(control)) return false;
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
    if (attractive.empty()) break;
    const std::size_t taken = std::min(kColumnsPerRound, attractive.size());
    std::partial_sort(attractive.begin(), attractive.begin() + static_cast<std::ptrdiff_t>(taken), attractive.end());
    for (std::size_t a = 0; a < taken; ++a) {
      const std::size_t k = attractive[a].second;
      is_in_[k] = 1;
      in_master_.push_back(k);
      unfold(node.cover(k), unfolded);
      master_.add_column({{}, unfolded, cost(node, k)});
    }
    if (control.check_now()) return false;
  }
  shares_.clear();
  const std::vector<double> x = master_.primal();
  for (std::size_t c = 0; c < x.size(); ++c)
    if (x[c] > 1e-6 && in_master_[c] != kGone) shares_.push_back({x[c], in_master_[c]});
  return true;
}

bool NodeRelaxation::add_cuts(const CoverNode& node) {
  std::vector<std::size_t> tight, rows;
  std::vector<std::int32_t> place(n_rows_, -1);
  for (const auto& [row, at] : row_at_)
    if (y_[row] > 1e-6 && test_bit(node.alive.data(), row)) {
      place[row] = static_cast<std::int32_t>(tight.size());
      tight.push_back(row);
    }
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
        if (sum <= 1 + 2 * kLeastViolation) continue;
        double all = 0;
        for (const auto& [x, k] : shares_) {
          const Word* own = node.cover(k);
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
  for (const auto& [unused, three] : violated) {
    if (added == kCutsPerRound) break;
    if (used[three[0]] + used[three[1]] + used[three[2]] > 3) continue;
    std::vector<Word> mask(words_, 0);
    for (const std::size_t r : three) {
      set_bit(mask.data(), r);
      ++used[r];
    }
    cut_at_.push_back(master_.n_rows());
    master_.add_cut(mask, prohibitive_);
    cuts_.push_back(std::move(mask));
    ++added;
  }
  return true;
}

NodeRelaxation::Proof NodeRelaxation::prove(const CoverNode& node) const {
  Proof proof;
  std::vector<std::int64_t> price(n_rows_, 0), cut_price(cuts_.size());
  for (const auto& [row, at] : row_at_) proof.total += price[row] = scaled(y_[row]);
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
