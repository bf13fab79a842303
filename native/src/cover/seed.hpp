#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "cover/columns.hpp"

namespace laconic {

struct PricedRules {
  explicit PricedRules(std::size_t words) : rules(words) {}  // words per cover
  Columns rules;
  std::vector<std::int64_t> values;
};

// A request for the rules over one positive, the seed.
struct SeedRequest {
  std::size_t seed = 0;
  const Word* rows = nullptr;       // positives whose price counts, the seed among them
  const Word* told = nullptr;       // positives whose rules have all been reported before and are left out
  const std::int64_t* y = nullptr;  // one per positive, non-negative, in units of 1/scale
  std::int64_t scale = 1, threshold = 0;
  std::size_t keep = 0;        // maximum number of rules, the best ones; 0: all
  std::size_t most = 0;        // stop after this number of rules
  bool swap_anywhere = false;  // drop dominated literals at every node, not only at the first
  std::uint64_t max_nodes = ~std::uint64_t{0};
};

struct SeedAnswer {
  // largest value of any rule over the seed, reported or left out; the threshold if none exceeds it
  std::int64_t best = 0;
  bool complete = false;
  std::uint64_t nodes = 0;
};

// Finds the rules over one positive whose value, y(rows covered) - scale * price, exceeds a threshold, unless they were
// reported before, and adds them to `found`.
class SeedSearch {
 public:
  explicit SeedSearch(const CoverInstance& instance);
  SeedAnswer search(const SeedRequest& request, PricedRules& found, Control& control);

 private:
  // The literals restricted to the undecided rows, packed.
  struct Frame {
    std::size_t pos_words = 0, neg_words = 0;
    std::vector<Word> lit_pos, lit_neg;
    std::vector<std::int64_t> y;
    const Word* pos(std::size_t l) const { return lit_pos.data() + l * pos_words; }
    const Word* neg(std::size_t l) const { return lit_neg.data() + l * neg_words; }
  };
  struct Level {
    std::vector<Word> pos, neg;  // in the level's frame
    std::vector<Word> critical;  // one set of the seed's negatives per chosen literal
    std::vector<std::int32_t> available;
    std::vector<std::int64_t> held;          // y kept, by position in `available`
    std::vector<std::int32_t> n_pos, n_neg;  // positives and negatives kept, likewise
    std::vector<std::int32_t> branch;        // excluders of the pivot
    std::vector<std::int64_t> branch_held;
    std::vector<std::size_t> order;
    std::vector<Word> slices, mask, reach;
    Frame frame;
  };

  struct Kept {
    Literals literals;
    std::int64_t value;
    bool operator<(const Kept& other) const {
      return value != other.value ? value > other.value : literals < other.literals;
    }
  };

  bool set_up();
  void add(const Literals& literals, std::int64_t value);
  void keep_minimal_negatives();
  void visit(std::size_t depth, const Frame* frame, std::int64_t held_now);
  void branch(std::size_t depth, const Frame& frame, std::size_t pivot);
  void pack(const Frame& from, Level& level, Frame& to);
  void report(std::int64_t value);
  std::int64_t bar(std::size_t n_literals) const;
  void weigh_literals(Level& level, const Frame& frame) const;
  void drop_unusable(Level& level, const Frame& frame, std::size_t n_chosen, std::size_t more) const;
  void drop_dominated(Level& level, const Frame& frame) const;
  std::size_t count_excluders(Level& level, const Frame& frame) const;
  std::int64_t pick_pivot(Level& level, std::size_t neg_words, std::size_t n_slices, const Word* among) const;

  const CoverInstance& in_;
  const SeedRequest* request_ = nullptr;
  Control* control_ = nullptr;
  Frame root_;
  std::vector<std::int32_t> literal_;      // the instance's number of each of the seed's literals
  std::vector<Word> excluders_, minimal_;  // per negative, sets of the instance's literals
  std::vector<std::vector<std::int32_t>> by_size_;
  std::vector<Word> rows_, reach_, cover_;
  std::vector<Level> levels_;
  std::vector<std::int32_t> chosen_;
  Literals rule_;
  std::vector<Kept> kept_;  // a heap, the worst first
  PricedRules* found_ = nullptr;
  std::size_t n_found_ = 0;
  SeedAnswer answer_;
  std::int64_t threshold_ = 0;
  bool stop_ = false;
};

}  // namespace laconic
