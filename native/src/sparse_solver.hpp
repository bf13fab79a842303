// One class, sparse objective: a search that can be stopped and resumed.
#pragma once

#include <map>
#include <vector>

#include "class_instance.hpp"
#include "control.hpp"
#include "list_search.hpp"
#include "rule_pricer.hpp"

namespace laconic {

struct SparseCounts {
  std::uint64_t rules = 0, nodes = 0, iterations = 0, pricing_nodes = 0;
};

class SparseSolver {
 public:
  // With must_choose at least one rule is kept, even if none pays.
  SparseSolver(ClassInstance instance, bool must_choose);

  // Works until proved or told to stop; true if proved.
  bool advance(Control& control);

  bool proved() const { return bound_ == best_.cost; }
  Weight cost() const { return best_.cost + in_.constant; }
  Weight bound() const { return bound_ + in_.constant; }
  std::vector<std::vector<std::int32_t>> best() const;  // literals as the table numbers them
  SparseCounts counts() const;

 private:
  std::uint32_t add(std::vector<std::uint16_t> body);
  void consider(const std::vector<std::uint32_t>& rules);
  void raise_bound(Weight bound);

  void find_incumbent(Control& control);
  bool list_everything(Control& control);
  void search_list(ListProblem problem, Control& control);
  void generate_columns(Control& control);
  bool list_survivors(RowDual& rows, Weight price_sum, bool converged, Control& control);
  Pricing price_thoroughly(RowDual& rows, Control& control);
  void seed_master();
  void retire_idle(const AscentState& state);
  bool join_master(std::vector<PricedRule> found, std::size_t limit);
  void improve_incumbent(const ListProblem& problem, const AscentState& state, Control& control);
  Dual carry(const Grouping& fresh) const;

  const ClassInstance in_;
  const bool must_choose_;
  RulePool pool_;
  std::map<std::vector<std::uint16_t>, std::uint32_t> number_;  // of each rule in the pool
  Incumbent best_;
  Weight bound_ = 0;
  bool single_is_exact_;        // must_choose: the best single rule is known
  bool greedy_done_ = false, too_many_to_list_ = false;
  std::vector<std::uint32_t> master_;
  std::map<std::uint32_t, int> idle_;  // rounds without a violation, per master rule
  Grouping grouping_;
  Dual dual_;
  Weight tried_slack_ = -1;
  int rounds_ = 0;
  double trust_ = 1.0;  // share of the prices offered to a complete pass
  std::uint64_t thorough_nodes_ = 20'000;
  ListSearch search_;
  std::uint64_t iterations_ = 0, pricing_nodes_ = 0;
};

}  // namespace laconic
