// The best set where only a few rules can pay: all sets, rule by rule.
//
// If the price of a rule is a tenth of the errors or more, a set better than the incumbent has a handful of rules.
// The blame relaxation can be weak there, and its groups many, while trying all sets of a few thousand candidates
// takes a second: a pair of them is one look at the rows of one.
//
// A set is built in the order of what its rules cost in negatives, the most first, which makes (b) strong. Let S be the
// rules so far, p(R) the weight of the positives that R adds to those of S, and n(R) that of the negatives. In some
// optimal set every rule covers positives alone that are worth more than its price (otherwise it is dropped), so
//   (a) a rule with p(R) <= price(R) is left out, and stays out as S grows;
//   (b) if R is the next rule and Q those after it, S + R + Q costs at least
//           cost(S) + price(R) + n(R) - p(R) - sum over Q of (p - price),
//       since the negatives of Q may all be negatives of R; the sum is at most that of the k largest differences, and
//       at most the positives that R leaves uncovered minus k prices, for the number k of rules in Q.
#include "sparse/few_rules.hpp"

#include <algorithm>
#include <limits>

namespace laconic {
namespace {

// What the bookkeeping of one rule takes, in words of rows: on small tables it takes longer than the rows.
constexpr std::uint64_t kWordsOfRule = 48;

struct Option {
  std::uint32_t rule;
  Weight gain, harm;  // weight of the positives and of the negatives that it adds
};

class Search {
 public:
  Search(const ClassInstance& in, const RulePool& pool, Weight incumbent, std::uint64_t words, Control& control)
      : in_(in), pool_(pool), left_(words), control_(control) {
    out_.cost = incumbent;
  }

  FewRules run(const std::vector<std::uint32_t>& list) {
    for (const auto r : list) cheapest_ = std::min(cheapest_, pool_.price(r));
    std::vector<Word> pos(in_.pos.n_words), neg(in_.neg.n_words);
    fill_all(pos.data(), in_.pos.n_rows, pos.size());
    fill_all(neg.data(), in_.neg.n_rows, neg.size());
    out_.complete = extend(pos, neg, in_.pos.total, in_.pos.total, list);
    return out_;
  }

 private:
  // The set so far leaves the positives `pos`, of weight `open`, and the negatives `neg` uncovered.
  bool extend(const std::vector<Word>& pos, const std::vector<Word>& neg, Weight open, Weight cost,
              const std::vector<std::uint32_t>& rules) {
    const std::uint64_t words = rules.size() * (kWordsOfRule + pos.size() + neg.size());
    if (words > left_) return false;
    left_ -= words;
    std::vector<Option> options;
    for (const auto r : rules) {
      if (control_.should_stop()) return false;
      const Weight gain = in_.pos.weigh_and(pool_.pos(r), pos.data());
      if (gain > pool_.price(r)) options.push_back({r, gain, in_.neg.weigh_and(pool_.neg(r), neg.data())});
    }
    std::sort(options.begin(), options.end(),
              [](const Option& a, const Option& b) { return a.harm != b.harm ? a.harm > b.harm : a.rule < b.rule; });
    std::vector<Weight> most(options.size());  // that the rules after each of them can save
    std::vector<Weight> largest;               // differences, in falling order
    const auto n_most = static_cast<std::size_t>(open / std::max<Weight>(1, cheapest_)) + 1;
    for (std::size_t k = options.size(); k-- > 0;) {
      most[k] = best_sum(largest, open - options[k].gain);
      const Weight difference = options[k].gain - pool_.price(options[k].rule);
      largest.insert(std::upper_bound(largest.begin(), largest.end(), difference, std::greater<>()), difference);
      if (largest.size() > n_most) largest.pop_back();
    }
    for (std::size_t k = 0; k < options.size(); ++k) {
      const Option& next = options[k];
      const Weight with = cost + pool_.price(next.rule) + next.harm - next.gain;
      if (with - most[k] >= out_.cost) continue;
      chosen_.push_back(next.rule);
      if (with < out_.cost) out_.cost = with, out_.rules = chosen_;
      bool going = true;
      if (most[k] > 0) {
        std::vector<Word> left_pos = pos, left_neg = neg;
        remove_all(left_pos.data(), pool_.pos(next.rule), pos.size());
        remove_all(left_neg.data(), pool_.neg(next.rule), neg.size());
        std::vector<std::uint32_t> later;
        for (std::size_t m = k + 1; m < options.size(); ++m) later.push_back(options[m].rule);
        going = extend(left_pos, left_neg, open - next.gain, with, later);
      }
      chosen_.pop_back();
      if (!going) return false;
    }
    return true;
  }

  // The most that rules with these differences save if they cover positives of this weight together.
  Weight best_sum(const std::vector<Weight>& differences, Weight positives) const {
    Weight sum = 0, best = 0;
    for (const Weight difference : differences) {
      sum += difference;
      positives -= cheapest_;
      if (positives <= 0) break;
      best = std::max(best, std::min(sum, positives));
    }
    return best;
  }

  const ClassInstance& in_;
  const RulePool& pool_;
  std::uint64_t left_;
  Control& control_;
  Weight cheapest_ = std::numeric_limits<Weight>::max();
  std::vector<std::uint32_t> chosen_;
  FewRules out_;
};

}  // namespace

FewRules search_few_rules(const ClassInstance& in, const RulePool& pool, const std::vector<std::uint32_t>& list,
                          Weight incumbent, std::uint64_t words, Control& control) {
  return Search(in, pool, incumbent, words, control).run(list);
}

}  // namespace laconic
