// One class, sparse objective: a search that can be stopped and resumed.
#pragma once

#include <atomic>
#include <map>
#include <vector>

#include "base/control.hpp"
#include "sparse/class_instance.hpp"
#include "sparse/listed/master_ascent.hpp"
#include "sparse/pass_trust.hpp"
#include "sparse/pricing/rule_pricer.hpp"
#include "sparse/round_policy.hpp"

namespace laconic {

struct SparseCounts {
  std::uint64_t rules = 0, nodes = 0, iterations = 0, pricing_nodes = 0;
};

// The best dual so far that is feasible for every rule.
struct Centre {
  RowDual rows;
  Weight sum = 0;  // of its prices, scaled
  Grouping grouping;
  Dual dual;  // the same on the groups

  bool known() const { return !rows.y.empty(); }
  double value() const { return static_cast<double>(sum) / static_cast<double>(rows.scale); }
};

class SparseSolver {
 public:
  // With must_choose at least one rule is kept, even if none pays.
  SparseSolver(ClassInstance instance, bool must_choose);

  // Works until proved or told to stop; true if proved.
  bool advance(Control& control);

  // On how many threads large tables are priced, and when the search will be stopped for good; may be called while it
  // works. The answer depends on neither; a bound that is left open does.
  void use(std::size_t threads, Control::Clock::time_point end) { threads_ = threads, end_ = end; }

  // Whether it can use more than one thread: on large tables.
  bool shares_work() const { return is_large(); }

  bool proved() const { return bound_ == best_.cost; }
  Weight cost() const { return best_.cost + in_.constant; }
  Weight bound() const { return bound_ + in_.constant; }
  std::vector<std::vector<std::int32_t>> best() const;  // literals as the table numbers them
  SparseCounts counts() const;

 private:
  const Options& options() const { return *in_.options; }
  std::uint32_t add(std::vector<std::uint16_t> body);
  void consider(const std::vector<std::uint32_t>& rules);
  void raise_bound(Weight bound);

  void find_incumbent(Control& control);
  bool list_everything(Control& control);
  bool try_few_rules(const std::vector<std::uint32_t>& list, Control& control);
  bool can_be_grouped(std::size_t n_rules) const;
  void search_list(Grouping grouping, Control& control);
  void resume_search(Control& control);
  void generate_columns(Control& control);
  bool list_survivors(RowDual& rows, Weight price_sum, bool converged, Control& control);
  void regroup(Control& control);
  void seed_master();
  void retire_idle(const AscentState& state);
  bool join_master(std::vector<ViolatedRule> found);
  void improve_incumbent(const AscentState& state, Control& control);

  // sparse/solver_passes.cpp
  Pricing price_partially(RowDual& rows, Control& control);
  Pricing price_thoroughly(RowDual& rows, bool persist, Control& control);
  void use_up_time(double share, Control& control);
  Pricing price(RowDual& rows, const PricingLimits& limits, Control& control) const;
  RowDual between_centre_and(const Dual& far);
  void note_speed(std::uint64_t n_nodes, double seconds);
  bool is_large() const;
  double n_threads_now() const;
  const std::atomic<std::size_t>* apart() const;
  std::uint64_t least_pass() const;

  const ClassInstance in_;
  const bool must_choose_;
  RulePool pool_;
  std::map<std::vector<std::uint16_t>, std::uint32_t> number_;  // of each rule in the pool
  Incumbent best_;
  Weight bound_ = 0;
  bool single_is_exact_;  // must_choose: the best single rule is known
  bool greedy_done_ = false, too_many_to_list_ = false;
  // Column generation.
  RoundPolicy policy_;
  std::vector<std::uint32_t> master_;      // the list
  std::map<std::uint32_t, float> use_;     // of each of its rules in the relaxations so far, recent ones first
  std::map<std::uint32_t, int> idle_;      // rounds without a violation, per rule
  std::vector<std::uint32_t> tried_list_;  // rules of the last local search
  MasterAscent ascent_;
  Dual dual_;  // the ascent's best, or one nearer to the centre
  Centre centre_;
  Weight tried_slack_ = -1;
  std::size_t longest_list_ = options().sparse_survivors;  // reduced-cost survivors searched as a list
  ListSearch search_;
  // Passes over all rules.
  std::atomic<std::size_t> threads_{1};
  const Control::Clock::time_point begin_ = Control::Clock::now();
  std::atomic<Control::Clock::time_point> end_{Control::Clock::time_point::max()};
  PassTrust trust_;
  PassFigures late_;  // the last pass near the end of the time, if there was one
  // Nodes a second on one thread in the last partial pass, and of a complete pass, times that.
  double partial_speed_ = 0, relative_speed_ = 1;
  std::uint64_t iterations_ = 0, pricing_nodes_ = 0, nodes_at_end_ = 0;
};

}  // namespace laconic
