#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "control.hpp"
#include "cover_column.hpp"

namespace laconic {

class CoverMaster;

// Finds the cheapest choice of the given columns that covers every row, if it is cheaper than `upper_bound`.
class CoverBranch {
 public:
  CoverBranch(std::size_t n_rows, std::vector<Column> columns, Cost upper_bound);

  // Searches until proved (true) or stopped (false; call again to go on).
  bool run(Control& control);

  bool improved() const { return !best_.empty(); }
  const std::vector<std::size_t>& best() const { return best_; }  // indices of the columns given
  const Column& column(std::size_t k) const { return columns_[k]; }
  std::uint64_t nodes() const { return nodes_; }

 private:
  using Rows = std::vector<std::size_t>;
  // The columns that may still be used, over the node's rows: a row that was merged into another is gone from every cover.
  struct Node {
    std::vector<std::int32_t> ids;
    std::vector<Word> covers;
    std::vector<Word> alive;                // rows
    std::vector<std::int32_t> hot;          // were attractive in the relaxation; sorted
    std::vector<std::vector<Word>> cuts;    // odd sets of rows whose cuts were tight
    std::vector<Rows> questions;            // rows that may share a column, best first
    std::int64_t bound = 0;                 // scaled
    std::uint64_t number = 0;
  };
  using NodePtr = std::shared_ptr<Node>;
  struct Relaxation;

  bool solve_afresh(Node& node, Relaxation& lp, Control& control) const;
  bool solve_from(const std::vector<std::int32_t>& kept, Node& child, Relaxation& lp, Control& control) const;
  bool finish(Node& node, Relaxation& lp, std::size_t cut_rounds, Control& control);
  void merge_equal(Node& node) const;
  void drop_implied_rows(Node& node) const;
  bool price_all(Node& node, Relaxation& lp, Control& control) const;
  bool add_cuts(const Node& node, Relaxation& lp) const;
  void prove(Node& node, Relaxation& lp);
  void ask(Node& node, const Relaxation& lp);
  void settle(Node& node);
  void round(const Node& node, const Relaxation& lp);
  NodePtr together(const Node& parent, const Rows& rows) const;
  // `kept` gets the child's number of each of the parent's columns, or -1.
  NodePtr apart(const Node& parent, const Rows& rows, std::vector<std::int32_t>& kept) const;
  void expand(const NodePtr& node, Control& control);
  void push(NodePtr node);
  bool open(std::int64_t bound) const;
  const Word* cover(const Node& node, std::size_t k) const { return node.covers.data() + k * words_; }

  std::size_t n_rows_, words_;
  std::vector<Column> columns_;
  Cost upper_bound_;
  std::vector<std::size_t> best_;
  std::vector<NodePtr> heap_;
  NodePtr root_;
  std::uint64_t nodes_ = 0, numbers_ = 0;
  bool started_ = false;
};

}  // namespace laconic
