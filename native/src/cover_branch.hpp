#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "control.hpp"
#include "cover_column.hpp"

namespace laconic {

// Finds the cheapest choice of the given columns that covers every row, if it is cheaper than `upper_bound`.
class CoverBranch {
 public:
  CoverBranch(std::size_t n_rows, std::vector<Column> columns, Cost upper_bound);

  // Searches until proved, stopped, or `max_nodes` more nodes were opened. True when proved.
  bool run(Control& control, std::uint64_t max_nodes);

  Cost upper_bound() const { return upper_bound_; }
  Cost lower_bound() const;
  bool improved() const { return !best_.empty(); }
  const std::vector<std::size_t>& best() const { return best_; }  // indices of the columns given
  std::uint64_t nodes() const { return nodes_; }
  // A cheaper cover was found elsewhere.
  void lower_upper_bound(Cost cost) { upper_bound_ = std::min(upper_bound_, cost); }

 private:
  using Row = std::vector<std::int32_t>;  // original rows that one column must cover together
  struct Node {
    std::vector<Row> rows;
    std::shared_ptr<const std::vector<std::int32_t>> columns;  // may still be used
    std::vector<std::int32_t> hot;                             // were attractive in the relaxation
    std::int64_t bound = 0;                                    // scaled
    std::vector<std::vector<Row>> questions;                   // rows that may share a column, best first
    std::uint64_t number = 0;
  };

  bool relax(Node& node, Control& control);
  void expand(std::shared_ptr<Node> node, Control& control);
  std::shared_ptr<Node> together(const Node& parent, const std::vector<Row>& rows) const;
  std::shared_ptr<Node> apart(const Node& parent, const std::vector<Row>& rows) const;
  void round(const std::vector<std::pair<double, std::int32_t>>& shares);
  bool open(std::int64_t bound) const;

  std::size_t n_rows_, words_;
  std::vector<Column> columns_;
  Cost upper_bound_;
  std::vector<std::size_t> best_;
  std::vector<std::shared_ptr<Node>> heap_;
  std::shared_ptr<Node> root_;
  std::uint64_t nodes_ = 0, numbers_ = 0;
  bool started_ = false;
};

}  // namespace laconic
