#include "sparse/round_policy.hpp"

#include <algorithm>
#include <cmath>

namespace laconic {

RoundPolicy::RoundPolicy(SharedOptions options, bool is_large)
    : options_(std::move(options)), is_large_(is_large),
      max_pairs_(std::min(options_->sparse_first_pairs, options_->sparse_most_pairs)) {}

std::size_t RoundPolicy::n_steps(bool is_coarse) const {
  return (is_coarse ? options_->sparse_coarse_steps : options_->sparse_steps) << stalled_;
}

void RoundPolicy::note_ascent(const AscentFigures& ascent, std::size_t n_steps) {
  other_work_ += options_->sparse_nodes_per_step * std::sqrt(ascent.n_pairs) * static_cast<double>(n_steps);
}

bool RoundPolicy::is_far_below(const AscentFigures& ascent) const {
  return ascent.target - ascent.best > options_->sparse_far_below * ascent.target;
}

// Where rounds are cheap the list grows first.
bool RoundPolicy::needs_finer_groups(const AscentFigures& ascent) const {
  const bool list_grows = last_found_ >= options_->sparse_few_left &&
                          round_ - finer_since_ < options_->sparse_growing_rounds &&
                          max_pairs_ <= options_->sparse_few_pairs;
  return ascent.is_coarse && round_ >= 2 && !list_grows && is_far_below(ascent);
}

bool RoundPolicy::needs_finer_groups(const AscentFigures& ascent, double proved, double cost) const {
  return ascent.is_coarse && ascent.best - proved < options_->sparse_worth_finer * (cost - ascent.best);
}

void RoundPolicy::make_finer() {
  if (max_pairs_ == options_->sparse_most_pairs) return;
  max_pairs_ = std::min(options_->sparse_most_pairs, options_->sparse_finer * max_pairs_);
  finer_since_ = round_;
}

void RoundPolicy::note_partial_pass(std::size_t n_found, double n_nodes) {
  last_found_ = n_found;
  other_work_ += n_nodes;
}

// On large tables a first bound is not waited for.
bool RoundPolicy::waits_for_finer_groups(const AscentFigures& ascent) const {
  return is_large_ && (finer_since_ == round_ ||
                       (ascent.is_coarse && is_far_below(ascent) && max_pairs_ < options_->sparse_most_pairs));
}

// Partial passes suffice while they find plenty; a bound needs a complete pass. On large tables passes take a share of
// the time, on others one in some rounds is complete.
bool RoundPolicy::needs_pass(const AscentFigures& ascent, bool has_bound, double pass_nodes) const {
  const int every = ascent.n_pairs > static_cast<double>(options_->sparse_very_many_pairs) ? 1
                    : ascent.n_pairs > static_cast<double>(options_->sparse_many_pairs)    ? 3
                                                                                           : 6;
  const bool is_due =
      is_large_ ? round_ == finer_since_ + 1 || options_->sparse_pass_share * other_work_ > pass_work_ + pass_nodes
                : round_ % every == every - 1;
  const bool finds_few = last_found_ < options_->sparse_few_found;
  return (!waits_for_finer_groups(ascent) && (finds_few || is_due)) || (round_ >= 2 && !has_bound);
}

// Passes over coarser groups tell little of these.
double RoundPolicy::share_before_last_pass(const AscentFigures& ascent) const {
  const bool is_early = waits_for_finer_groups(ascent) || passed_since_ <= finer_since_;
  return is_early ? options_->sparse_late : options_->sparse_early;
}

void RoundPolicy::note_pass(double n_nodes) {
  pass_work_ += n_nodes;
  passed_since_ = round_;
}

bool RoundPolicy::has_converged(const AscentFigures& ascent, std::size_t n_found, double proved, double cost) const {
  if (has_stalled() && max_pairs_ == options_->sparse_most_pairs) return true;  // finer groups are no way out either
  return !ascent.is_coarse &&
         (n_found == 0 || has_stalled() || ascent.best - proved < options_->sparse_converged * (cost - proved));
}

void RoundPolicy::put_list_off() {
  if (waits_since_ < 0) waits_since_ = round_;
}

bool RoundPolicy::has_waited() const {
  return waits_since_ >= 0 && round_ - waits_since_ >= options_->sparse_survivors_patience;
}

void RoundPolicy::end_round(bool list_grew, bool pass_complete) {
  if (list_grew)
    stalled_ = 0;
  else if (pass_complete && !has_stalled())
    ++stalled_;
  ++round_;
}

}  // namespace laconic
