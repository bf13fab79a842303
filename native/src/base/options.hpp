// Every tuning constant of the searches, in one table: type, name, default, lowest and highest value, help.
//
// As in CaDiCaL's options.hpp, the table is the only place that declares an option. `Options` holds their values;
// searches receive them with their instance, so that two searches in one process can differ. Python lists the table
// (`laconic engines --options`) and sets values by name (`engine_options`), so that an ablation needs no compiler.
//
// An option says how the search is made and never what holds: bounds are proved in integers and sets are priced
// exactly whatever the values are, within their ranges. Constants on which that rests, and constants that the compiler
// has to know, are not options and stay where they are used:
// - scales of integer prices (kScale, kBranchScale), margins of rounding (kShrink, kMargin, kTinyShare, kUlp,
//   kBeyondRounding, kAbove) and tolerances of the simplex;
// - widths and blocks (kWordBits, kLanes, kBlock, kInBlock) and marks for "none" (kNoGroup, kGone, kFree, kNever);
// - the memory of rebuilt covers (kMostWords).
// The kernels that decide rows (predict/) and the prices of certificates (proof/) search for no model: not tuned here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace laconic {

// clang-format off
#define LACONIC_OPTIONS(OPTION) \
  /* Perfect sets: the stages of a class (cover/solver.cpp) */ \
  OPTION(std::size_t, cover_small_table, 20000, 0, 1000000000, \
         "Rows times literals up to which a class is first tried without a thread.") \
  OPTION(std::size_t, cover_large_table, 1000000, 0, 1000000000, \
         "Rows times literals above which covers are rebuilt between rounds of pricing.") \
  OPTION(std::uint64_t, cover_words_listed, 1000000, 0, 1000000000000, \
         "Words of row sets that the listing of all rules may read; 0 disables the listing.") \
  OPTION(std::size_t, cover_listed_columns, 3000, 0, 1000000, \
         "Maximum number of columns, after the reductions, of a list that is searched.") \
  OPTION(std::size_t, cover_columns_at_once, 500, 0, 1000000, \
         "Maximum number of columns of a list that is searched without a thread.") \
  OPTION(std::uint64_t, cover_nodes_at_once, 8, 0, 1000000, \
         "Nodes of the search without a thread.") \
  OPTION(std::uint64_t, cover_local_steps, 10000, 0, 1000000000, \
         "Swaps of a local search; 0 disables it.") \
  OPTION(std::uint64_t, cover_steps_per_round, 1000, 1, 1000000000, \
         "Swaps of a local search that count as one round of rebuilding.") \
  OPTION(double, cover_near_cost, 0.95, 0, 1, \
         "Share of the incumbent's cost from which on, as a bound, covers are rebuilt no more.") \
  OPTION(std::size_t, cover_rebuilt_columns, 20000, 1, 10000000, \
         "Maximum number of columns that rebuilding keeps.") \
  OPTION(std::size_t, cover_approach_rounds, 200, 1, 1000000, \
         "Maximum number of rounds of pricing with the subgradient's prices.") \
  OPTION(std::uint64_t, cover_first_steps, 300, 1, 1000000, \
         "Subgradient steps of the first round.") \
  OPTION(std::uint64_t, cover_more_steps, 60, 1, 1000000, \
         "Subgradient steps of each later round.") \
  OPTION(std::size_t, cover_simplex_rows, 1500, 1, 20000, \
         "Maximum number of rows of the restricted master; larger classes are polished instead.") \
  OPTION(std::size_t, cover_polish_patience, 20, 1, 1000000, \
         "Rounds of polishing without progress before it ends.") \
  OPTION(std::size_t, cover_rows_at_once, 64, 1, 1000000, \
         "Minimum number of violated rows that join the restricted master in a round.") \
  OPTION(std::size_t, cover_kept_per_seed, 3, 0, 1000000, \
         "Rules kept of those that exact pricing meets first at the same positive; 0: all.") \
  OPTION(std::uint64_t, cover_seed_nodes, 2000, 1, 1000000000000, \
         "Nodes of exact pricing per positive at first; multiplied when too few.") \
  OPTION(double, cover_margin, 0.3, 0, 10, \
         "Share by which a rule must be overpaid to be priced exactly at first; shrinks to 0.") \
  OPTION(std::int64_t, cover_look_ahead, 2, 0, 1000000, \
         "Steps of the bound that an enumeration of rules looks ahead.") \
  OPTION(std::size_t, cover_ahead_rules, 30000, 0, 100000000, \
         "Maximum number of rules of an enumeration that looks ahead.") \
  OPTION(std::uint64_t, cover_ahead_nodes, 200000, 0, 1000000000000, \
         "Maximum number of nodes of an enumeration that looks ahead.") \
  OPTION(std::size_t, cover_enumerated, 5000000, 1000, 100000000, \
         "Maximum number of rules of an enumeration; 5 million take a gigabyte.") \
  /* Perfect sets: listing, pricing and growing rules (cover/rule_list.cpp, seed.cpp, narrowing.cpp) */ \
  OPTION(std::size_t, cover_list_negatives, 8, 1, 1000000, \
         "Negatives compared to choose the one that the next literal excludes.") \
  OPTION(std::size_t, cover_list_positives, 4, 0, 1000000, \
         "Positives up to which a rule is compared with the cheapest rules over each of them.") \
  OPTION(std::uint64_t, cover_list_first_forecast, 32, 1, 1000000, \
         "Fraction of the words after which the listing is first forecast.") \
  OPTION(std::size_t, cover_seed_compared, 128, 1, 1000000, \
         "Minimal negatives that the others are compared with.") \
  OPTION(int, cover_seed_tightenings, 3, 0, 1000, \
         "Rounds of packing and filtering at a node of exact pricing.") \
  OPTION(std::size_t, cover_grow_packing, 4, 1, 1000000, \
         "Rows are packed again when fewer than one in this many is left.") \
  /* Perfect sets: branch and bound over columns (cover/branch.cpp, relaxation.cpp, simplex.cpp) */ \
  OPTION(std::size_t, branch_pairs_tried, 4, 1, 1000, \
         "Pairs of rows tried by strong branching; 1 disables it.") \
  OPTION(std::size_t, branch_cut_rounds, 1, 0, 1000, \
         "Rounds of zero-half cuts at a node.") \
  OPTION(std::size_t, branch_root_cut_rounds, 12, 0, 1000, \
         "Rounds of zero-half cuts at the root.") \
  OPTION(std::size_t, branch_shrinkage, 8, 1, 1000000, \
         "A linear program is set up anew once its node has less than one in this many of its columns.") \
  OPTION(double, branch_least_gain, 1e-3, 1e-9, 1e6, \
         "Smallest rise of the bound that strong branching counts.") \
  OPTION(std::size_t, branch_hot_columns, 100, 1, 1000000, \
         "Columns of smallest reduced cost that a node starts from.") \
  OPTION(std::size_t, branch_hot_per_row, 2, 0, 1000, \
         "Further columns that a node starts from, per row.") \
  OPTION(double, branch_rounding_margin, 1e-3, 0, 0.5, \
         "How far the relaxation must pass the bound that closes a node, since prices are rounded.") \
  OPTION(std::size_t, branch_rows_kept, 700, 0, 20000, \
         "Maximum number of rows of a linear program that waits with its node.") \
  OPTION(std::size_t, branch_columns_per_round, 100, 1, 1000000, \
         "Columns that join a node's linear program in a round.") \
  OPTION(std::size_t, branch_rows_per_round, 32, 1, 1000000, \
         "Minimum number of violated rows that join a node's linear program in a round.") \
  OPTION(std::size_t, branch_few_columns, 300, 0, 1000000, \
         "Nodes with at most this many columns start from all of them.") \
  OPTION(std::size_t, branch_cuts_per_round, 30, 0, 1000000, \
         "Maximum number of cuts of a round.") \
  OPTION(double, branch_least_violation, 0.03, 1e-3, 0.5, \
         "Smallest violation of a cut that is added.") \
  OPTION(std::uint64_t, branch_trial_steps, 15, 1, 1000000, \
         "Pivots with each answer that strong branching tries.") \
  OPTION(std::uint64_t, simplex_invert_every, 1000, 1, 1000000, \
         "Pivots between inversions of the basis.") \
  OPTION(int, simplex_phases, 8, 4, 1000, \
         "Changes between the primal and the dual simplex before a solution is taken as it is.") \
  OPTION(double, simplex_least_weight, 1e-4, 1e-12, 1, \
         "Smallest weight of dual steepest edge.") \
  /* Sparse sets: incumbents and lists of rules (sparse/solver.cpp, best_rule.cpp) */ \
  OPTION(std::uint64_t, sparse_greedy_nodes, 3000, 1, 1000000000000, \
         "Nodes of the search for each rule of the greedy covering.") \
  OPTION(std::size_t, sparse_grow_starts, 5, 0, 100000, \
         "First literals from which each rule of the second covering grows.") \
  OPTION(std::size_t, sparse_list_rules, 1500, 0, 10000000, \
         "Maximum number of candidate rules that are listed at once, without column generation.") \
  OPTION(std::size_t, sparse_list_pairs, 60000, 0, 16000000, \
         "Maximum number of pairs of a positive and a negative group of a list that is searched at once.") \
  OPTION(std::size_t, sparse_list_cells, 15000000, 0, 1000000000000, \
         "Maximum number of rules times rows of a list that is searched.") \
  OPTION(std::size_t, sparse_survivors, 20000, 1, 100000000, \
         "Maximum number of rules enumerated by reduced cost at first; doubled when nothing else helps.") \
  OPTION(std::size_t, sparse_survivors_at_once, 1000, 0, 100000000, \
         "Survivors up to which their list is searched at once; longer lists wait for a better bound.") \
  OPTION(int, sparse_survivors_patience, 15, 0, 1000000, \
         "Rounds that a longer list of survivors waits.") \
  OPTION(std::size_t, sparse_survivors_any_groups, 2000, 0, 100000000, \
         "Survivors up to which their list is searched whatever the number of groups.") \
  OPTION(std::uint64_t, sparse_sets_tried, 50000, 0, 1000000000000, \
         "Sets of survivors that are enumerated before their list is searched.") \
  OPTION(std::int64_t, sparse_few_rules, 12, 0, 1000000, \
         "Prices of a rule that the incumbent costs, up to which all sets of candidates are tried on large groups.") \
  OPTION(std::size_t, sparse_few_candidates, 20000, 0, 10000000, \
         "Maximum number of candidate rules whose sets are all tried.") \
  OPTION(std::uint64_t, sparse_few_words, 100000000, 0, 1000000000000, \
         "Words of row sets that this may read; a rule counts 48 more.") \
  /* Sparse sets: rounds of column generation (sparse/round_policy.hpp, solver.cpp) */ \
  OPTION(std::size_t, sparse_steps, 800, 1, 1000000, \
         "Steps of an ascent.") \
  OPTION(std::size_t, sparse_coarse_steps, 200, 1, 1000000, \
         "Steps of an ascent on groups that will be split.") \
  OPTION(int, sparse_stalled, 4, 0, 10, \
         "Rounds without a new rule, each with twice the steps of the last, before the groups are blamed.") \
  OPTION(double, sparse_converged, 0.02, 0, 1, \
         "Share of the gap that the list still promises when column generation has converged.") \
  OPTION(std::size_t, sparse_joining, 40, 1, 1000000, \
         "Maximum number of violated rules that join the list in a round.") \
  OPTION(std::size_t, sparse_few_found, 4, 1, 1000000, \
         "Fewer violated rules than this in a partial pass lead to a complete pass.") \
  OPTION(std::size_t, sparse_few_left, 8, 0, 1000000, \
         "Fewer violated rules than this in a partial pass mean that the list has stopped growing.") \
  OPTION(std::size_t, sparse_long_list, 150, 1, 1000000, \
         "Length from which on idle rules leave the list.") \
  OPTION(int, sparse_idle_rounds, 10, 1, 1000000, \
         "Rounds without use after which a rule is idle.") \
  OPTION(std::size_t, sparse_first_pairs, 10000, 1, 16000000, \
         "Pairs of groups at the start.") \
  OPTION(std::size_t, sparse_finer, 4, 2, 1000, \
         "Factor by which the pairs of groups grow when the groups get finer.") \
  OPTION(std::size_t, sparse_few_pairs, 160000, 0, 16000000, \
         "Pairs of groups up to which the list grows before the groups get finer.") \
  OPTION(int, sparse_growing_rounds, 6, 0, 1000000, \
         "Maximum number of rounds for which the list grows before the groups get finer.") \
  OPTION(double, sparse_far_below, 0.05, 0, 1, \
         "Share of the incumbent's cost by which the list's bound lags when the groups get finer at once.") \
  OPTION(double, sparse_hopeless, 0.6, 0, 1, \
         "Share of the incumbent's cost below which the list's bound makes the groups finer at once.") \
  OPTION(double, sparse_worth_finer, 0.25, 0, 1, \
         "Share of the gap that the list still promises below which the groups get finer.") \
  OPTION(std::size_t, sparse_many_pairs, 100000, 0, 16000000, \
         "Pairs of groups above which every third round ends with a complete pass, not every sixth.") \
  OPTION(std::size_t, sparse_very_many_pairs, 1000000, 0, 16000000, \
         "Pairs of groups above which every round ends with a complete pass.") \
  OPTION(std::size_t, sparse_most_pairs, 16000000, 1, 64000000, \
         "Maximum number of pairs of groups; memory is proportional to it.") \
  OPTION(std::size_t, sparse_most_pairs_if_large, 2500000, 1, 64000000, \
         "Maximum number of pairs of groups of a list on large tables.") \
  OPTION(double, sparse_nodes_per_step, 0.011, 0, 1000, \
         "Nodes of a pass that take as long as a step of the ascent, per root of its pairs.") \
  OPTION(double, sparse_pass_share, 0.75, 0, 1000, \
         "Complete passes on large tables against all other work.") \
  OPTION(double, sparse_early, 0.25, 0, 1, \
         "Share of the time before which no pass uses up the rest.") \
  OPTION(double, sparse_late, 0.5, 0, 1, \
         "The same while finer groups are about to come.") \
  OPTION(std::size_t, sparse_improve_rules, 100, 0, 1000000, \
         "Rules in use that the local search between rounds tries.") \
  /* Sparse sets: passes over all rules (sparse/solver_passes.cpp, sparse/pricing) */ \
  OPTION(std::size_t, pass_large_table, 1000000, 0, 1000000000000, \
         "Literals times rows from which on passes are made in parts, on several threads.") \
  OPTION(std::uint64_t, pass_partial_nodes, 4000, 1, 1000000000000, \
         "Maximum number of nodes of a partial pass.") \
  OPTION(std::size_t, pass_partial_width, 32, 1, 1000000, \
         "Literals that a partial pass tries first; half as many at each further one.") \
  OPTION(std::size_t, pass_found, 20000, 1, 100000000, \
         "Maximum number of violated rules of a complete pass.") \
  OPTION(std::uint64_t, pass_least_nodes, 20000, 1000, 1000000000000, \
         "Nodes that a complete pass may always take; more if all searches before took more.") \
  OPTION(std::uint64_t, pass_least_rows, 20000000, 1, 1000000000000, \
         "Rows that these nodes may look at in all.") \
  OPTION(double, pass_trust, 0.5, 0, 1, \
         "How far from the centre the first complete pass is made: 0 at it, 1 at the ascended dual.") \
  OPTION(double, pass_growth, 12, 1, 1000, \
         "Growth of the logarithm of a pass's nodes with the trust, until two passes tell.") \
  OPTION(double, pass_least_growth, 10, 1, 1000, \
         "Smallest such growth that is believed.") \
  OPTION(double, pass_most_growth, 60, 1, 1000, \
         "Largest such growth that is believed; not below pass_least_growth.") \
  OPTION(double, pass_poor_centre, 0.85, 0, 1, \
         "Share of the ascended prices below which the centre is too poor to start from.") \
  OPTION(double, pass_least_rise, 1.02, 1, 10, \
         "Factor by which a pass from a poor centre must at least raise its prices.") \
  OPTION(double, pass_spare_prices, 0.03, 0, 1, \
         "Share of the gap in prices that a pass may leave out.") \
  OPTION(double, pass_spare_blame, 0.2, 0, 1, \
         "Share of the blame that a pass may leave out, times the relative gap.") \
  OPTION(std::size_t, pass_few_rows, 16, 1, 1000000, \
         "Rows without a price leave a pass if they are at least one in this many.") \
  OPTION(std::size_t, pass_gains_at_once, 8, 1, 1000000, \
         "Literals whose gain is bounded row by row between tests of whether they suffice.") \
  OPTION(double, pass_few_left, 6, 0, 1000000, \
         "The last pass begins when the time left is at most this many times all passes so far.") \
  OPTION(double, pass_time_to_spare, 2, 0, 1000000, \
         "The last pass waits while a pass at the ascended dual fits this often into the time left.") \
  OPTION(double, pass_nearest, 0.985, 0, 1, \
         "Largest trust of the last pass.") \
  OPTION(double, pass_worth, 1.005, 1, 10, \
         "Factor by which the last pass must promise to raise the bound.") \
  OPTION(double, pass_last_growth, 14.8, 1, 1000, \
         "Growth of the last pass with the trust, until two passes tell.") \
  OPTION(double, pass_aim, 0.9, 0.01, 1, \
         "Share of the time left that the last pass aims at.") \
  OPTION(double, pass_aim_lower, 0.85, 0.01, 1, \
         "Factor of that share after each pass given up.") \
  OPTION(int, pass_given_up, 3, 0, 1000, \
         "Passes given up as too short before one may be short.") \
  OPTION(double, pass_told, 0.08, 1e-6, 1, \
         "Share of a pass after which its time is forecast.") \
  OPTION(double, pass_soon, 0.35, 0, 1, \
         "Share of a pass up to which it may be given up as too short.") \
  OPTION(double, pass_later_grow, 0.2, 0, 10, \
         "By how much later parts of a pass grow more than earlier ones.") \
  /* Sparse sets: the ascent of the dual (sparse/listed/ascent.cpp, pace.hpp, grouping.cpp) */ \
  OPTION(float, ascent_dual_steps, 2.4, 0.01, 1000, \
         "Steps of the dual against those of the primal, per mean weight of a group.") \
  OPTION(float, ascent_most_use, 2, 1, 1000, \
         "Upper limit of how much a rule is used; a limit of 1 would leave violations unpunished.") \
  OPTION(std::size_t, ascent_always_scan, 256, 1, 1000000, \
         "Lists up to this length are scanned whole in each step.") \
  OPTION(std::size_t, ascent_scan_every, 20, 1, 1000000, \
         "Steps between scans of a longer list.") \
  OPTION(std::size_t, ascent_all_every, 20, 1, 1000000, \
         "Steps between those that move all shares of blame.") \
  OPTION(std::size_t, ascent_few_shares, 8, 1, 1000000, \
         "A column is stored short if at most one in this many of its shares is not zero.") \
  OPTION(std::size_t, ascent_dense_share, 6, 1, 1000000, \
         "A rule is stored as a full row if it covers at least one in this many groups.") \
  OPTION(std::size_t, ascent_dense_limit, 16000000, 0, 1000000000, \
         "Maximum number of floats in full rows.") \
  OPTION(std::size_t, ascent_first_repair, 25, 1, 1000000, \
         "Steps before the first repair of the dual; then after each doubling.") \
  OPTION(std::size_t, ascent_enough, 200, 1, 1000000, \
         "Steps after which an ascent ends unless the last doubling was worthwhile.") \
  OPTION(double, ascent_worthwhile, 0.02, 0, 1, \
         "Share of the gap that a worthwhile doubling closes.") \
  OPTION(std::size_t, ascent_large, 1000000, 0, 64000000, \
         "Pairs of groups above which the clock is read at every rule.") \
  OPTION(double, ascent_care, 0.5, 0.01, 1, \
         "Share of the longest safe step that a step takes.") \
  OPTION(double, ascent_slower, 0.6, 0.01, 10, \
         "Exponent by which steps grow ever more slowly.") \
  OPTION(float, group_unused, 0.02, 0, 1, \
         "Weight of a rule not in use when groups are split.") \
  OPTION(std::size_t, group_long_list, 1000, 0, 10000000, \
         "Length of a list above which only rules in use split groups.") \
  OPTION(std::size_t, group_at_once, 4, 1, 1000000, \
         "One in this many of the possible splits is made before they are judged anew.") \
  /* Sparse sets: branch and bound over a list (sparse/listed/search.cpp, branching.cpp, problem.cpp) */ \
  OPTION(std::size_t, list_steps, 100, 1, 1000000, \
         "Steps of the ascent at a node.") \
  OPTION(int, list_root_patience, 4, 0, 1000000, \
         "Rounds at the root that rule out hardly any rule before it branches.") \
  OPTION(int, list_rounds, 40, 0, 1000000, \
         "Maximum number of rounds at a node.") \
  OPTION(std::size_t, list_improve_rules, 400, 0, 1000000, \
         "Rules of smallest reduced cost that the local search at a node tries.") \
  OPTION(int, list_branching_tries, 4, 0, 1000000, \
         "Questions of each kind that are asked before the kinds are compared.") \
  OPTION(double, list_branching_prior, 0.3, 0.01, 1, \
         "Gain of an answer before any is known.") \
  OPTION(double, list_branching_decided, 0.02, 0, 0.49, \
         "Groups covered by at most this share, or all but this share, are not branched on.") \
  OPTION(std::int64_t, list_branching_missing, 3, 1, 10, \
         "Weight of a group that must be covered, times the cheapest way to cover it.") \
  OPTION(std::size_t, list_dominance, 3000, 0, 1000000, \
         "Maximum length of a list whose rules are compared pairwise for dominance.")

// clang-format on

struct Options {
#define OPTION(type, name, value, low, high, help) type name = value;
  LACONIC_OPTIONS(OPTION)
#undef OPTION
};

// Shared by a search and its parts; never null.
using SharedOptions = std::shared_ptr<const Options>;

inline const SharedOptions& default_options() {
  static const SharedOptions options = std::make_shared<const Options>();
  return options;
}

// A row of the table as Python sees it.
struct OptionInfo {
  const char* name;
  double value, low, high;
  bool is_whole;
  const char* help;
};
const std::vector<OptionInfo>& option_table();

using OptionValues = std::map<std::string, double>;

// The defaults but for these values. Throws std::invalid_argument if a name is unknown or a value out of its range.
SharedOptions options_with(const OptionValues& values);

}  // namespace laconic
