#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "cover/ascent.hpp"
#include "cover/branch.hpp"
#include "cover/column_pool.hpp"
#include "cover/listed_cover.hpp"
#include "cover/local.hpp"
#include "cover/pricing.hpp"
#include "cover/rebuild.hpp"
#include "cover/rule_grower.hpp"
#include "cover/simplex.hpp"

namespace laconic {

struct CoverCounts {
  std::uint64_t lp_rounds = 0, pivots = 0, pricing_nodes = 0, columns = 0, rows = 0, enumerated = 0, nodes = 0;
};

// The cheapest set of consistent rules that covers every positive of one class. Work is done in stages, each of
// which may be stopped and later resumed; the best cover and the proved bound are always at hand.
class CoverSolver {
  enum class Stage {
    kFirstCover,
    kListed,
    kRebuild,
    kApproach,
    kRelaxation,
    kPolish,
    kLocalSearch,
    kDeepening,
    kWidening,
    kStuck
  };

 public:
  CoverSolver(CoverInstance instance, std::uint64_t seed);

  // Works until proved or stopped; call again to go on. True when proved.
  bool advance(Control& control);

  // Does the first steps of a small table, which last a few milliseconds at most, so that no thread need be started for
  // them; true when proved. Does not look at the clock.
  bool try_at_once();

  // Bytes that the process may hold (0: no limit); may be called while it works.
  void use_memory(std::uint64_t limit) { memory_limit_ = limit; }

  bool proved() const { return stage_ != Stage::kFirstCover && lower_bound_ >= upper_bound_; }
  bool finished() const { return in_.n_pos == 0 || (upper_bound_ > 0 && proved()) || stage_ == Stage::kStuck; }
  Cost lower_bound() const { return lower_bound_; }
  Cost upper_bound() const { return upper_bound_; }
  double relaxation() const { return relaxation_; }
  const std::vector<Literals>& best() const { return best_; }
  const CoverInstance& instance() const { return in_; }
  CoverCounts counts() const;
  // For certificates: the linear relaxation alone (true when finished), the integer prices that exact pricing accepted,
  // in units of 1 / price_scale(), and the columns of the relaxation's solution with their shares.
  bool relax(Control& control);
  const std::vector<std::int64_t>& prices() const { return proved_y_; }
  static std::int64_t price_scale();
  std::vector<std::pair<Literals, double>> shares() const;

 private:
  const Options& options() const { return *in_.options; }
  std::size_t cells() const { return (in_.n_pos + in_.n_neg) * in_.n_lit; }
  bool large() const;
  // A first cover, whatever the clock says; false if it had to be finished in a hurry.
  bool first_cover(Control& control);
  // Lists every rule that matters, where these are few; false if they are not, and nothing has changed.
  bool list_all(Control& control);
  // Searches the listed rules; false if stopped.
  bool search_list(Control& control, std::uint64_t max_nodes = ~std::uint64_t{0});
  // Column generation with cheap prices, until they find little more; false if stopped.
  bool approach_relaxation(Control& control);
  double ascend(std::uint64_t steps, std::size_t wanted, std::vector<std::size_t>& found, Control& control);
  // Instead of all that follows, for large tables; true when nothing improves any more.
  bool polish(Control& control);
  // Column generation to the end of the linear relaxation; true when finished. Too many rows: on to polishing.
  bool solve_relaxation(Control& control);
  // Better covers: swaps of the columns at hand, then rounds of growing others.
  void improve(std::uint64_t steps, Control& control);
  void rebuild(std::uint64_t rounds, Control& control);
  // So many rounds at a time, until these improve the cover by less than a share.
  void rebuild_while(double least, std::uint64_t rounds, Control& control);
  // Is there a cover of little more than the proved bound? Raises the bound if not. False if stopped or stuck.
  bool try_target(Control& control);
  // Lists every rule that a cover of cost `target` or less may use, looking a little further ahead if that is
  // cheap; false if stopped or there are too many.
  bool enumerate(Cost target, Control& control);
  bool enumerate_up_to(Cost target, std::size_t limit, std::uint64_t max_nodes, Control& control);
  // Lists the rules whose reduced cost is at most `slack`, in units of the prices, and at most `limit` of them; false
  // if not all of them.
  bool list_within(std::int64_t slack, std::size_t limit, std::uint64_t max_nodes, Columns& columns, Control& control);
  std::int64_t price_sum() const;
  // When the rules of a target are too many: better covers from lists of the rules of least reduced cost, better
  // prices, and longer lists in turn, until one is complete or memory runs out. True when a target can be tried again.
  bool widen(Control& control);
  void search_near(std::int64_t slack, Control& control);
  // Rules that a list may hold with the memory that is left.
  std::size_t most_columns() const;
  // Offers a cover by columns with these numbers.
  void take(const Columns& columns, const std::vector<std::size_t>& numbers);
  void offer(const std::vector<std::size_t>& chosen);
  // The columns of the relaxation's solution, largest share first, as long as they cover something new.
  void round_relaxation();
  std::size_t price_heuristically(const std::vector<double>& y, std::size_t seeds, std::vector<std::size_t>& found,
                                  Control& control);
  // Exact pricing; proves a bound if nothing is found. Returns whether it ran to the end.
  bool price_exactly(const std::vector<double>& y, std::vector<std::size_t>& found, Control& control);
  void learn_bound(std::vector<std::int64_t> y);
  bool add_violated_rows();
  void add_to_master(std::size_t column);
  void add_row_to_master(std::size_t positive);

  CoverInstance in_;
  Random random_;
  ColumnPool pool_;
  RuleGrower grower_;
  std::unique_ptr<CoverRebuilder> rebuilder_;
  RulePricer pricer_;
  DualAscent ascent_;
  std::size_t in_ascent_ = 0;  // the pool's columns before this one are in
  CoverSimplex master_;
  std::vector<std::size_t> master_columns_;  // pool index of each of its columns
  std::vector<std::size_t> master_rows_;     // the positive of each of its rows
  std::vector<std::int32_t> row_at_;         // by positive: its row there, or -1
  std::vector<char> in_master_;
  std::vector<double> row_price_;       // cheapest known rule over each positive
  std::vector<std::int64_t> proved_y_;  // integer prices that exact pricing accepted, scaled
  std::vector<Literals> best_;
  std::vector<std::size_t> best_columns_;
  Columns enumerated_;
  std::vector<std::int64_t> enumerated_slack_;  // reduced cost of each, scaled
  Cost enumerated_to_ = -1;                     // the largest target that the enumerated columns serve
  std::unique_ptr<CoverBranch> branch_;
  std::unique_ptr<ListedCover> listed_;
  Stage stage_ = Stage::kFirstCover;
  Cost upper_bound_, lower_bound_;
  double relaxation_ = 0;
  std::uint64_t node_limit_ = options().cover_seed_nodes;
  double margin_ =
      options().cover_margin;  // exact pricing looks for rules overpaid by this share; it shrinks to nothing
  std::size_t next_seed_ = 0;
  std::atomic<std::uint64_t> memory_limit_{0};
  std::size_t longest_list_ = options().cover_enumerated;  // of a target; doubled when it is too short
  std::size_t near_list_ = options().cover_ahead_rules;    // of the rules of least reduced cost, likewise
  std::size_t widened_ = 0;                                // rounds of widening
  CoverCounts counts_;
};

}  // namespace laconic
