#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "cover/branch.hpp"
#include "cover/reduction.hpp"

namespace laconic {

// The cheapest choice of listed columns that covers every row: reduced, split into blocks, each block searched.
class ListedCover {
 public:
  ListedCover(std::size_t n_rows, const Columns& columns, const SharedOptions& options, Control& control);

  // Searches until proved (true), stopped, or `max_nodes` nodes of a block are solved (false; can be resumed).
  bool run(Control& control, std::uint64_t max_nodes = ~std::uint64_t{0});

  // Number of rows that the reductions left.
  std::size_t n_rows() const { return n_rows_; }
  std::size_t n_columns() const { return n_columns_; }
  std::uint64_t nodes() const;
  Cost lower_bound() const { return lower_bound_; }
  std::vector<std::size_t> best() const;  // indices into the given columns

 private:
  struct Part {
    std::vector<std::size_t> of, chosen;  // indices into the given columns; the best of the block's own columns
    Cost cost = 0, lower_bound = 0;
    std::unique_ptr<CoverBranch> branch;
  };
  static Part search_of(CoverBlock block, const SharedOptions& options);

  std::vector<std::size_t> fixed_;
  std::vector<Part> parts_;
  std::size_t n_rows_ = 0, n_columns_ = 0;
  Cost fixed_cost_ = 0, lower_bound_ = 0;
};

}  // namespace laconic
