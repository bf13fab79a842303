// What the rows of the rule at hand count, miss and are charged, under prices and blame: all that the pricer sums over
// rows.
#pragma once

#include "sparse/pricing/blame_frame.hpp"
#include "sparse/pricing/row_sums.hpp"

namespace laconic {

// Integers held in doubles: the scale keeps every sum under 2^53, so the
// arithmetic is exact, and the loops vectorise (there is no 64-bit integer product in AVX2).
// With shares that are no integers (RowDual), sums of at most 10^5 terms are off by at most 10^-11 of
// themselves; blame is then taken kTinyShare lower where it lowers a value, and higher where it is gained.
using Exact = double;

class RuleSums {
 public:
  RuleSums(const ClassInstance& instance, const RowDual& dual);

  std::vector<Exact> y;  // prices per positive row, and zeros up to whole words
  const double tiny;     // by which shares may be off

  // By how much a rule of this price is overpaid; with `repair`, its prices are lowered until it is not.
  Exact overpaid(const BlameFrame& f, const Word* pos, const Word* neg, Exact price, bool repair);

  // What follows speaks of a rule that was looked at: first its positives, then, in `rows`, its negatives and those
  // that one of its literals alone excludes. Then the blame of the negatives that stay whatever joins is taken off the
  // prices for good.
  void look_at_positives(const BlameFrame& f, const Word* pos, const Word* neg);
  void look_at_negatives(const BlameFrame& f, const Word* pos, const Word* rows);
  void take_unavoidable(const BlameFrame& f, const Word* pos, const Word* neg, const Word* stay);

  // What the positives in both sets can still count, and what they count now, at most.
  Sums counts_of(const Word* a, const Word* b);
  // What the negatives in one set and not in the other charge, at most: that blame's worth, and the blame itself.
  float blame_worth(const Word* neg, const Word* without);
  float blame(const Word* neg, const Word* without);
  // Whether those in both charge more than this.
  bool charge_more(const Word* a, const Word* b, Exact than) const;

  // G_l, but for rounding of what is left of a group. Summed by groups (weigh_groups comes first), which is much
  // quicker than row by row.
  void weigh_groups(const BlameFrame& f, const Word* pos);
  double gain_of(const BlameFrame& f, std::uint16_t l, const Word* pos, const Word* neg);

  struct Recovery {
    Exact recovers;  // M_l
    double gain;     // G_l
    Exact counts;    // what the positives count then
  };
  // What a literal brings to the positives that it keeps, row by row, at most.
  Recovery recover(const BlameFrame& f, std::uint16_t l, const Word* pos, const Word* neg);

 private:
  void charge(const BlameFrame& f, const Word* set);
  Exact blame_of(const BlameFrame& f, std::size_t i) const {
    return charge_[f.pos_at[i]] * pos_weight_[i] * (1 - tiny);
  }
  Exact at_most(Exact blame) const { return blame * (1 + 3 * tiny); }
  float above(float sum_of_rows) const;
  template <class Visit>
  void for_each_word(const Word* set, Visit visit) const;

  const ClassInstance& in_;
  std::vector<Exact> charge_, mass_, group_worth_, kept_worth_;
  std::vector<Exact> pos_weight_, neg_weight_;                                   // per row
  std::vector<float> charge32_, can_count_, counts_, missing_, worth_, weight_;  // per positive: look_at_positives
  std::vector<float> blame_, blame_worth_;                                       // per negative: look_at_negatives
  const float most_rows_;
  std::vector<Word> set_;
};

}  // namespace laconic
