// Large neighbourhood search: a part of the cover is removed, and its rows are covered anew.
//
// Each round removes a fifth to four fifths of the rules, first those that cover few positives alone per cost, and
// covers the rest greedily: by the rule that covers the most per cost, among all rules grown so far and one that is
// grown for the uncovered rows. Three in four of these grow around an uncovered positive, the others from nothing. The
// coverage of a rule only falls within a round, so its last known value is an upper bound (Minoux, "Accelerated greedy
// algorithms for maximizing submodular set functions", 1978). Swapping rules one by one (local.cpp) needs a pool of
// good rules; on tables of thousands of rows those of the first cover are not good enough.
#include "cover/rebuild.hpp"

#include <algorithm>
#include <utility>

#include "cover/local.hpp"
#include "cover/pack.hpp"

namespace laconic {
namespace {

constexpr std::size_t kMostWords = std::size_t{1} << 24;  // of covers: 128 MiB

}  // namespace

CoverRebuilder::CoverRebuilder(const CoverInstance& in, std::size_t most_columns)
    : in_(in), conqueror_(in), pruner_(in),
      most_columns_(std::min(most_columns, kMostWords / std::max<std::size_t>(1, in.pos_words))), columns_(in) {}

std::vector<std::size_t> CoverRebuilder::run(ColumnPool& pool, const std::vector<std::size_t>& start, Cost stop_at,
                                             std::uint64_t rounds, Random& random, Control& control) {
  std::vector<std::size_t> best;
  const auto keep_best_only = [&] {
    std::vector<Literals> rules;
    for (const std::size_t k : best) rules.push_back(columns_[k].rule());
    columns_ = ColumnPool(in_);
    best.clear();
    for (Literals& rule : rules) best.push_back(columns_.add(std::move(rule)).first);
  };
  for (; learned_ < pool.size(); ++learned_) columns_.add(pool[learned_].rule());
  for (const std::size_t k : start) best.push_back(columns_.add(pool[k].rule()).first);
  Cost cost = cost_of(columns_, best);
  for (std::uint64_t round = 0; round < rounds && cost > stop_at && !control.check_now(); ++round) {
    if (columns_.size() > most_columns_) keep_best_only();
    std::vector<std::size_t> cover = thinned(best, random);
    if (!fill(cover, random, control))
      for (const std::size_t k : best)  // stopped: keep the rest as before
        if (intersects(left_.data(), columns_[k].cover, left_.size())) cover.push_back(k);
    drop_redundant(in_.n_pos, columns_, cover);
    const Cost found = cost_of(columns_, cover);
    if (found > cost) continue;
    cost = found;
    best = std::move(cover);
  }
  std::vector<std::size_t> out;
  for (const std::size_t k : best) out.push_back(pool.add(columns_[k].rule()).first);
  learned_ = pool.size();
  return out;
}

std::vector<std::size_t> CoverRebuilder::thinned(const std::vector<std::size_t>& cover, Random& random) const {
  std::vector<std::int32_t> times(in_.n_pos, 0);
  for (const std::size_t k : cover) for_each(columns_[k].cover, in_.pos_words, [&](std::size_t i) { ++times[i]; });
  std::vector<std::pair<double, std::size_t>> order;
  for (const std::size_t k : cover) {
    std::size_t alone = 0;
    for_each(columns_[k].cover, in_.pos_words, [&](std::size_t i) { alone += times[i] == 1; });
    order.emplace_back((0.2 + random.uniform()) * static_cast<double>(alone) / static_cast<double>(columns_[k].cost),
                       k);
  }
  std::sort(order.begin(), order.end());
  const auto out = static_cast<std::size_t>((0.2 + 0.6 * random.uniform()) * static_cast<double>(order.size())) + 1;
  std::vector<std::size_t> kept;
  for (std::size_t a = out; a < order.size(); ++a) kept.push_back(order[a].second);
  return kept;
}

double CoverRebuilder::worth(std::size_t k) const {
  return static_cast<double>(count_and(columns_[k].cover, left_.data(), left_.size())) /
         static_cast<double>(columns_[k].cost);
}

void CoverRebuilder::grow(Random& random) {
  const Word* among = nullptr;
  if (random.below(4) > 0) {
    std::size_t skip = random.below(count(left_.data(), left_.size())), w = 0;
    for (std::size_t n; skip >= (n = static_cast<std::size_t>(popcount(left_[w]))); ++w) skip -= n;
    Word word = left_[w];
    for (; skip > 0; --skip) word &= word - 1;
    among = in_.lits(w * kWordBits + static_cast<std::size_t>(lowest_bit(word)));
  }
  Literals rule = conqueror_.next_rule(left_, among);
  pruner_.prune(rule, nullptr, left_.data());
  const auto [k, is_new] = columns_.add(std::move(rule));
  if (is_new) candidates_.push({worth(k), k});
}

bool CoverRebuilder::fill(std::vector<std::size_t>& cover, Random& random, Control& control) {
  fill_ones(left_, in_.n_pos);
  for (const std::size_t k : cover) remove_all(left_.data(), columns_[k].cover, left_.size());
  std::vector<Candidate> known;
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (const double now = worth(k); now > 0) known.push_back({now, k});
  candidates_ = std::priority_queue<Candidate>(std::less<Candidate>(), std::move(known));
  while (any(left_.data(), left_.size())) {
    if (control.check_now()) return false;
    grow(random);
    for (;;) {
      Candidate best = candidates_.top();
      candidates_.pop();
      best.worth = worth(best.column);
      if (best.worth > 0 && !candidates_.empty() && best < candidates_.top())
        candidates_.push(best);
      else if (best.worth > 0) {
        cover.push_back(best.column);
        remove_all(left_.data(), columns_[best.column].cover, left_.size());
        break;
      }
    }
  }
  return true;
}

}  // namespace laconic
