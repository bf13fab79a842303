// Set covering over a list of columns: reductions first, then branching on the remaining blocks.
#include "cover/listed_cover.hpp"

#include <algorithm>

namespace laconic {
namespace {

// Takes the column with the most new rows per cost until all are covered, then drops redundant columns.
std::vector<std::size_t> greedy(const CoverBlock& block) {
  const std::size_t words = words_for(block.n_rows);
  std::vector<Word> open(words);
  fill_all(open.data(), block.n_rows, words);
  std::vector<std::size_t> chosen;
  while (any(open.data(), words)) {
    std::size_t best = 0;
    double most = 0;
    for (std::size_t k = 0; k < block.columns.size(); ++k) {
      const double gain = static_cast<double>(count_and(block.columns[k].cover, open.data(), words)) /
                          static_cast<double>(block.columns[k].cost);
      if (gain > most) most = gain, best = k;
    }
    chosen.push_back(best);
    remove_all(open.data(), block.columns[best].cover, words);
  }
  drop_redundant(block.n_rows, block.columns, chosen);
  return chosen;
}

}  // namespace

ListedCover::ListedCover(std::size_t n_rows, const Columns& columns, const SharedOptions& options, Control& control) {
  ReducedCover reduced = reduce_cover(n_rows, columns, control);
  fixed_ = std::move(reduced.fixed);
  for (const std::size_t k : fixed_) fixed_cost_ += columns[k].cost;
  for (auto& block : reduced.blocks) {
    n_rows_ += block.n_rows;
    n_columns_ += block.columns.size();
    parts_.push_back(search_of(std::move(block), options));
  }
}

ListedCover::Part ListedCover::search_of(CoverBlock block, const SharedOptions& options) {
  Part part;
  part.chosen = greedy(block);
  for (const std::size_t k : part.chosen) part.cost += block.columns[k].cost;
  part.of = std::move(block.of);
  part.branch = std::make_unique<CoverBranch>(block.n_rows, std::move(block.columns), 0, part.cost, options);
  return part;
}

bool ListedCover::run(Control& control, std::uint64_t max_nodes) {
  bool done = true;
  lower_bound_ = fixed_cost_;
  for (auto& part : parts_) {
    if (done && part.lower_bound < part.cost) {
      done = part.branch->run(control, max_nodes);
      if (part.branch->improved()) {
        part.chosen = part.branch->best();
        part.cost = 0;
        for (const std::size_t k : part.chosen) part.cost += part.branch->columns()[k].cost;
      }
      part.lower_bound = part.branch->lower_bound();
    }
    lower_bound_ += part.lower_bound;
  }
  return done;
}

std::uint64_t ListedCover::nodes() const {
  std::uint64_t nodes = 0;
  for (const auto& part : parts_) nodes += part.branch->nodes();
  return nodes;
}

std::vector<std::size_t> ListedCover::best() const {
  std::vector<std::size_t> out = fixed_;
  for (const auto& part : parts_)
    for (const std::size_t k : part.chosen) out.push_back(part.of[k]);
  return out;
}

}  // namespace laconic
