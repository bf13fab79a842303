// What column generation (sparse/solver.cpp) does next.
//
// A round ascends the dual of the list, takes a partial pass for violated rules, makes a complete pass over all rules
// if one is due, and lets the violated rules join the list. Three things can hold the bound back: rules that are
// missing from the list, groups that are too coarse, and prices that no complete pass has proved yet. The policy tells
// from the figures of the rounds which of them it is. It knows no rules and no rows, so that each decision can be
// tested alone.
#pragma once

#include <cstddef>

#include "base/options.hpp"

namespace laconic {

// The outcome of an ascent.
struct AscentFigures {
  bool is_coarse = false;  // the groups still merge rows that some rule tells apart
  double best = 0;         // bound of the list alone
  double target = 0;       // the incumbent's cost at the time
  double n_pairs = 0;      // of a positive and a negative group
};

class RoundPolicy {
 public:
  // Large tables are priced in parts, on several threads; their passes are what takes the time.
  RoundPolicy(SharedOptions options, bool is_large);

  // Steps of the next ascent: twice as many after each round without a new rule.
  std::size_t n_steps(bool is_coarse) const;
  // At most this many pairs of groups, from now on.
  std::size_t max_pairs() const { return max_pairs_; }
  bool is_first() const { return round_ == 0; }

  void note_ascent(const AscentFigures& ascent, std::size_t n_steps);
  // The list alone stays far below the incumbent, and growing it is not the cheaper way to raise it.
  bool needs_finer_groups(const AscentFigures& ascent) const;
  // The list promises hardly more than is proved: finer groups can promise more.
  bool needs_finer_groups(const AscentFigures& ascent, double proved, double cost) const;
  void make_finer();

  void note_partial_pass(std::size_t n_found, double n_nodes);
  // After an incomplete partial pass: whether only a complete pass will tell more. `pass_nodes`: those of
  // the last one.
  bool needs_pass(const AscentFigures& ascent, bool has_bound, double pass_nodes) const;
  // Share of the time before which the rest is not used up for one last pass.
  double share_before_last_pass(const AscentFigures& ascent) const;
  void note_pass(double n_nodes);

  // After a complete pass that found so many violated rules: whether more rounds would gain next to nothing.
  bool has_converged(const AscentFigures& ascent, std::size_t n_found, double proved, double cost) const;

  // A long list of survivors was put off, or has waited long enough for a better bound to shorten it.
  void put_list_off();
  bool has_waited() const;

  void end_round(bool list_grew, bool pass_complete);

 private:
  // No pass while the groups are about to get finer.
  bool waits_for_finer_groups(const AscentFigures& ascent) const;
  bool is_far_below(const AscentFigures& ascent) const;
  bool has_stalled() const { return stalled_ == options_->sparse_stalled; }

  const SharedOptions options_;
  const bool is_large_;
  int round_ = 0;
  int stalled_ = 0;                          // rounds without a new rule
  int finer_since_ = 0, passed_since_ = -1;  // rounds in which the groups last got finer, and of the last pass
  int waits_since_ = -1;                     // the round in which a list was first put off
  std::size_t max_pairs_;
  std::size_t last_found_ = 0;             // violated rules that the last partial pass found
  double pass_work_ = 0, other_work_ = 0;  // in nodes
};

}  // namespace laconic
