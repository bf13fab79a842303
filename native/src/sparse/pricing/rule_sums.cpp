// Sums over the rows of a rule. Sums that only serve as bounds use single precision, eight rows at a time, and are
// increased by more than their rounding error; values of rules are exact.
#include "sparse/pricing/rule_sums.hpp"

#include <algorithm>
#include <cmath>

#include "base/lanes.hpp"

namespace laconic {
namespace {

struct Pair {
  double first, second;
};
constexpr float kUlp32 = 0x1p-23f;
constexpr float kAbove = 1 + 2 * kUlp32;

}  // namespace

RuleSums::RuleSums(const ClassInstance& in, const RowDual& dual)
    : y(dual.y.begin(), dual.y.end()), tiny(dual.whole_units ? 0 : kTinyShare), in_(in),
      pos_weight_(in.pos.weight.begin(), in.pos.weight.end()), neg_weight_(in.neg.weight.begin(), in.neg.weight.end()),
      most_rows_(static_cast<float>(std::max(in.pos.n_rows, in.neg.n_rows))) {
  set_.resize(std::max(in.pos.n_words, in.neg.n_words));
  const std::size_t n_pos = in.pos.n_words * kWordBits, n_neg = in.neg.n_words * kWordBits;
  y.resize(n_pos, 0), pos_weight_.resize(n_pos, 0);
  for (auto* floats : {&can_count_, &counts_, &missing_, &worth_, &weight_}) floats->assign(n_pos, 0.0f);
  for (std::size_t i = 0; i < n_pos; ++i) weight_[i] = static_cast<float>(pos_weight_[i]) * kAbove;
  for (auto* floats : {&blame_, &blame_worth_}) floats->assign(n_neg, 0.0f);
}

// Visits all rows of every word with a row of the set; rows that are not in it do no harm.
template <class Visit>
void RuleSums::for_each_word(const Word* set, Visit visit) const {
  for (std::size_t k = 0; k < in_.pos.n_words; ++k)
    if (set[k])
      for (std::size_t m = 0; m < kWordBits; ++m) visit(k * kWordBits + m);
}

// charge_[m] = blame per unit of weight that the negatives in `set` put on the frame's m-th positive group; the last
// entry is for rows without a group.
void RuleSums::charge(const BlameFrame& f, const Word* set) {
  charge_.assign(f.pos_ids.size() + 1, 0);
  mass_.assign(f.neg_ids.size() + 1, 0);
  for_each(set, in_.neg.n_words, [&](std::size_t j) { mass_[f.neg_at[j]] += neg_weight_[j]; });
  for (std::size_t k = 0; k < f.neg_ids.size(); ++k) {
    const Exact mass = mass_[k];
    if (mass == 0) continue;
    for (std::size_t e = f.start[k]; e < f.start[k + 1]; ++e) charge_[f.shares[e].at] += mass * f.shares[e].blame;
  }
}

Sums RuleSums::counts_of(const Word* a, const Word* b) {
  assign_and(set_.data(), a, b, in_.pos.n_words);
  const Sums sums = sum_rows(can_count_.data(), counts_.data(), set_.data(), in_.pos.n_words);
  return {above(sums.first), above(sums.second)};
}
float RuleSums::above(float sum_of_rows) const { return sum_of_rows * (1 + kUlp32 * (8 + most_rows_ / 8)); }

Exact RuleSums::overpaid(const BlameFrame& f, const Word* pos, const Word* neg, Exact price, bool repair) {
  charge(f, neg);
  Exact sum = 0;
  for_each(pos, in_.pos.n_words, [&](std::size_t i) { sum += std::max(0.0, y[i] - blame_of(f, i)); });
  const Exact over = sum * (1 + tiny) - price;
  if (over > 0 && repair) {
    const double share = over / sum;
    Exact left = over;
    const auto cut = [&](std::size_t i, bool all) {
      const Exact part = std::max(0.0, y[i] - blame_of(f, i));
      const Exact amount = std::min({part, left, all ? part : std::ceil(part * share) + 1});
      y[i] = std::floor(y[i] - amount);
      left -= amount;
    };
    for_each(pos, in_.pos.n_words, [&](std::size_t i) { cut(i, false); });
    if (left > 0) for_each(pos, in_.pos.n_words, [&](std::size_t i) { cut(i, true); });
  }
  return over;
}

// For the positives of the current rule (other rows: anything), rounded so that they never count too little:
//   can_count_  the price;
//   counts_     what it counts now;
//   missing_    blame to be recovered before it counts; below zero: what it counts now;
//   worth_      of a unit of recovered blame: min(1, price / blame).
void RuleSums::look_at_positives(const BlameFrame& f, const Word* pos, const Word* neg) {
  charge(f, neg);
  for_each_word(pos, [&](std::size_t i) {
    const Exact price = y[i], blame = blame_of(f, i), over = blame - price;
    can_count_[i] = static_cast<float>(price) * kAbove;
    counts_[i] = static_cast<float>(std::max(0.0, -over)) * kAbove;
    missing_[i] = static_cast<float>(over) - std::abs(static_cast<float>(over)) * (2 * kUlp32);
    worth_[i] = over > 0 ? static_cast<float>(price / blame) * kAbove : 1.0f;
  });
}
// Negatives that no open literal excludes stay covered: their blame is subtracted from the prices for good.
void RuleSums::take_unavoidable(const BlameFrame& f, const Word* pos, const Word* neg, const Word* stay) {
  if (!any(stay, in_.neg.n_words)) return;
  std::vector<Word> rest(neg, neg + in_.neg.n_words);
  remove_all(rest.data(), stay, rest.size());
  charge(f, stay);
  for_each_word(pos, [&](std::size_t i) {
    can_count_[i] = static_cast<float>(std::max(0.0, y[i] - blame_of(f, i))) * kAbove;
  });
  charge(f, rest.data());
  for_each_word(pos, [&](std::size_t i) {
    const Exact blame = blame_of(f, i), can = can_count_[i];
    worth_[i] = blame > can ? static_cast<float>(can / blame) * kAbove : 1.0f;
  });
}
// Upper bounds on the total blame of each negative on the positives of the current rule, and on the worth of that
// blame. Valid for the rows that the rule covers or that one of its literals alone excludes; arbitrary elsewhere.
void RuleSums::look_at_negatives(const BlameFrame& f, const Word* pos, const Word* rows) {
  std::vector<Pair> covered(f.pos_ids.size() + 1, {0, 0}),
      unit(f.neg_ids.size() + 1, {0, 0});  // weight, and what it is worth
  for_each(pos, in_.pos.n_words, [&](std::size_t i) {
    Pair& group = covered[f.pos_at[i]];
    group.first += pos_weight_[i];
    group.second += pos_weight_[i] * static_cast<Exact>(worth_[i]);
  });
  for (std::size_t k = 0; k < f.neg_ids.size(); ++k)
    for (std::size_t e = f.start[k]; e < f.start[k + 1]; ++e) {
      unit[k].first += f.shares[e].blame * covered[f.shares[e].at].first;
      unit[k].second += f.shares[e].blame * covered[f.shares[e].at].second;
    }
  for_each(rows, in_.neg.n_words, [&](std::size_t j) {
    const Pair& of_unit = unit[f.neg_at[j]];
    blame_[j] = static_cast<float>(at_most(of_unit.first * neg_weight_[j])) * kAbove;
    blame_worth_[j] = static_cast<float>(at_most(of_unit.second * neg_weight_[j])) * kAbove;
  });
}

float RuleSums::blame_worth(const Word* neg, const Word* without) {
  for (std::size_t k = 0; k < in_.neg.n_words; ++k) set_[k] = neg[k] & ~without[k];
  return above(sum_rows(blame_worth_.data(), set_.data(), in_.neg.n_words));
}
float RuleSums::blame(const Word* neg, const Word* without) {
  for (std::size_t k = 0; k < in_.neg.n_words; ++k) set_[k] = neg[k] & ~without[k];
  return above(sum_rows(blame_.data(), set_.data(), in_.neg.n_words));
}

bool RuleSums::charge_more(const Word* a, const Word* b, Exact than) const {
  float charged = 0;  // a part of the rows is enough, as a rule
  for (std::size_t k = 0; k < in_.neg.n_words && charged <= than; ++k)
    for (Word w = a[k] & b[k]; w; w &= w - 1)
      charged += blame_[k * kWordBits + static_cast<std::size_t>(lowest_bit(w))];
  return charged * (1 + kUlp32 * most_rows_) > than;
}

// What a unit of recovered blame is worth to the positives of the current rule, by group.
void RuleSums::weigh_groups(const BlameFrame& f, const Word* pos) {
  group_worth_.assign(f.pos_ids.size() + 1, 0);
  for_each(pos, in_.pos.n_words,
           [&](std::size_t i) { group_worth_[f.pos_at[i]] += pos_weight_[i] * static_cast<Exact>(worth_[i]); });
}
double RuleSums::gain_of(const BlameFrame& f, std::uint16_t l, const Word* pos, const Word* neg) {
  const std::size_t wp = in_.pos.n_words, wn = in_.neg.n_words;
  const Word *lp = in_.pos_of(l), *ln = in_.neg_of(l);
  mass_.assign(f.neg_ids.size() + 1, 0);
  for (std::size_t k = 0; k < wn; ++k)
    for (Word w = neg[k] & ~ln[k]; w; w &= w - 1) {
      const std::size_t j = k * kWordBits + static_cast<std::size_t>(lowest_bit(w));
      mass_[f.neg_at[j]] += neg_weight_[j];
    }
  kept_worth_ = group_worth_;
  for (std::size_t k = 0; k < wp; ++k)
    for (Word w = pos[k] & ~lp[k]; w; w &= w - 1) {
      const std::size_t i = k * kWordBits + static_cast<std::size_t>(lowest_bit(w));
      kept_worth_[f.pos_at[i]] -= pos_weight_[i] * static_cast<Exact>(worth_[i]);
    }
  double gain = 0;
  for (std::size_t k = 0; k < f.neg_ids.size(); ++k) {
    if (mass_[k] == 0) continue;
    double part[4] = {};  // side by side: each waits for its own last sum only
    const BlameFrame::Share *share = f.shares.data() + f.start[k], *end = f.shares.data() + f.start[k + 1];
    for (; share + 4 <= end; share += 4)
      for (std::size_t m = 0; m < 4; ++m) part[m] += share[m].blame * kept_worth_[share[m].at];
    for (; share < end; ++share) part[0] += share->blame * kept_worth_[share->at];
    gain += mass_[k] * ((part[0] + part[1]) + (part[2] + part[3]));
  }
  return at_most(gain);
}

RuleSums::Recovery RuleSums::recover(const BlameFrame& f, std::uint16_t l, const Word* pos, const Word* neg) {
  const Word *lp = in_.pos_of(l), *ln = in_.neg_of(l);
  for (std::size_t k = 0; k < in_.neg.n_words; ++k) set_[k] = neg[k] & ~ln[k];
  charge(f, set_.data());
  const auto word = [pos, lp](std::size_t k) { return pos[k] & lp[k]; };
  charge32_.resize(charge_.size());
  for (std::size_t g = 0; g < charge_.size(); ++g) charge32_[g] = static_cast<float>(at_most(charge_[g])) * kAbove;
  Eight recovers{}, gain{}, counts{};
  for_each_eight(in_.pos.n_words, word, [&](std::size_t row, const Eight& in) {
    const std::uint32_t* at = f.pos_at.data() + row;
    const float* c = charge32_.data();
    const Eight unit = {c[at[0]], c[at[1]], c[at[2]], c[at[3]], c[at[4]], c[at[5]], c[at[6]], c[at[7]]};
    Eight weight, worth, can, missing;
    load(weight, weight_.data() + row), load(worth, worth_.data() + row);
    load(can, can_count_.data() + row), load(missing, missing_.data() + row);
    const Eight blame = in * unit * weight;
    Eight most = in * can;
    lower(most, blame);
    recovers += most;
    gain += blame * worth;
    Eight more = in * missing - blame;  // below zero: counts
    lower(more, Eight{});
    counts += more;
  });
  return {above(sum(recovers)), above(sum(gain)), above(-sum(counts))};
}

}  // namespace laconic
