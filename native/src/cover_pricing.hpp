#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "cover_column.hpp"

namespace laconic {

// Rules whose value, y(positives covered) - scale * price, exceeds a threshold.
struct PricingRequest {
  const std::int64_t* y = nullptr;  // one per positive, non-negative, in units of 1/scale
  std::int64_t scale = 1;
  std::int64_t threshold = 0;
  std::size_t max_columns = 64;
  bool unpriced_too = false;  // follow positives without a price: needed once the threshold is negative
  bool keep_best = true;  // raise the threshold once full; otherwise stop when full
  std::uint64_t max_nodes = ~std::uint64_t{0};
};

struct PricedRule {
  Literals literals;
  std::int64_t value = 0;
};

struct PricingAnswer {
  std::vector<PricedRule> rules;
  bool exhausted = false;      // every rule above the final threshold is listed
  std::int64_t threshold = 0;  // the final threshold
  std::uint64_t nodes = 0;
};

class RulePricer {
 public:
  explicit RulePricer(const CoverInstance& instance);
  PricingAnswer price(const PricingRequest& request, Control& control);

 private:
  // The literals restricted to the rows that are still undecided, packed.
  struct Frame {
    std::size_t pos_words = 0, neg_words = 0;
    std::vector<Word> lit_pos, lit_neg;
    std::vector<std::int64_t> y;
    const Word* pos(std::size_t l) const { return lit_pos.data() + l * pos_words; }
    const Word* neg(std::size_t l) const { return lit_neg.data() + l * neg_words; }
  };
  struct Level {
    std::vector<Word> pos, neg;    // in the level's frame
    std::vector<Word> critical;    // one root-indexed set of negatives per chosen literal
    std::vector<std::int32_t> available;
    std::vector<std::int64_t> held;        // y kept, by position in `available`
    std::vector<std::int32_t> n_pos, n_neg;  // positives and negatives kept, likewise
    std::vector<std::int32_t> branch;      // excluders of the pivot
    std::vector<std::int64_t> branch_held;
    std::vector<Word> slices, mask;
    Frame frame;
  };

  void visit(std::size_t depth, const Frame* frame, std::int64_t held_now);
  void pack(const Frame& from, Level& level, Frame& to);
  void report(std::int64_t value);
  std::int64_t bar(std::size_t n_literals) const;
  std::size_t filter(Level& level, const Frame& frame, std::size_t n_chosen, std::size_t more, bool first);
  void drop_dominated(Level& level, const Frame& frame) const;
  std::int64_t pick_pivot(Level& level, std::size_t neg_words, std::size_t n_slices, const Word* among) const;

  const CoverInstance& instance_;
  Frame root_;
  std::vector<Level> levels_;
  Literals chosen_;
  const PricingRequest* request_ = nullptr;
  Control* control_ = nullptr;
  PricingAnswer answer_;
  std::int64_t threshold_ = 0;
  bool stop_ = false;
};

}  // namespace laconic
