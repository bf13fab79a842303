#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "cover/columns.hpp"
#include "cover/node.hpp"
#include "cover/relaxation.hpp"

namespace laconic {

// Distance of the goal from the proved bound: one unit, or more if every column is expensive (as where the number of
// rules counts before their literals).
inline Cost step(Cost cheapest_column) { return std::max<Cost>(1, cheapest_column / 4); }

// Whether a node with this bound can contain a cover cheaper than `goal`.
bool may_hold(std::int64_t bound, Cost goal);

// The conclusions from integer prices about covers cheaper than `goal`: a bound on all covers of at most goal - 1
// columns, and the columns that such a cover may use. Prices that overpay columns are corrected for.
struct PriceVerdict {
  std::int64_t bound;
  std::vector<char> wanted;
};
PriceVerdict judge(const NodeRelaxation::Proof& proof, Cost goal);

// Finds the cheapest choice of the given columns that covers every row, if it is cheaper than `upper_bound`. The caller
// has proved that none is cheaper than `lower_bound`.
class CoverBranch {
 public:
  // `afresh`: every node sets up its programme from scratch instead of continuing from its parent's (for tests).
  CoverBranch(std::size_t n_rows, Columns columns, Cost lower_bound, Cost upper_bound, SharedOptions options,
              bool afresh = false);

  // Searches until proved (true), stopped, or `max_nodes` nodes are solved in total (false; can be resumed).
  bool run(Control& control, std::uint64_t max_nodes = ~std::uint64_t{0});

  bool improved() const { return !best_.empty(); }
  // Proved lower bound; at most the cost of the best cover.
  Cost lower_bound() const { return lower_bound_; }
  const std::vector<std::size_t>& best() const { return best_; }  // indices of the columns given
  const Columns& columns() const { return columns_; }
  std::uint64_t nodes() const { return nodes_; }

 private:
  using NodePtr = std::shared_ptr<CoverNode>;
  // A waiting node, with the solved programme from which it continues (none if that is too large to keep).
  struct Waiting {
    NodePtr node;
    std::shared_ptr<NodeRelaxation> lp;
  };

  bool solve_root(Control& control);
  void aim();
  void offer(Cost cost, std::vector<std::size_t> columns);
  bool finish(CoverNode& node, NodeRelaxation& lp, std::size_t cut_rounds, Control& control);
  void prove(CoverNode& node, NodeRelaxation& lp);
  void ask(CoverNode& node, const NodeRelaxation& lp);
  void settle(CoverNode& node);
  void round(const CoverNode& node, const NodeRelaxation& lp);
  void expand(const Waiting& waiting, Control& control);
  bool open(std::int64_t bound) const;
  double limit() const;
  Cost cost(const CoverNode& node, std::size_t k) const { return columns_[static_cast<std::size_t>(node.ids[k])].cost; }

  const SharedOptions options_;
  std::size_t n_rows_, words_;
  Columns columns_;
  Cost lower_bound_, upper_bound_;
  Cost goal_;  // the search is for covers cheaper than this
  Cost step_ = 1;
  std::vector<std::size_t> best_;
  Waiting root_;  // solved; every search for a goal starts from it
  std::vector<Waiting> stack_;
  std::uint64_t nodes_ = 0;
  bool started_ = false, afresh_;
};

}  // namespace laconic
