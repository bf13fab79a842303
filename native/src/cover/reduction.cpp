// The reductions of set covering, repeated until none applies.
//
// A row with a single column fixes that column. A row whose columns include all columns of another row is covered
// whenever the other one is. A column is dominated if another one covers its remaining rows at no greater cost. Each
// reduction can enable the others. The rest falls into blocks that share no rows; each block is a separate problem.
#include "cover/reduction.hpp"

#include <algorithm>

#include "cover/dominance.hpp"

namespace laconic {
namespace {

class Reducer {
 public:
  Reducer(std::size_t n_rows, const Columns& columns, Control& control)
      : given_(columns), control_(control), words_(words_for(n_rows)), column_words_(words_for(columns.size())),
        rows_(words_, 0), usable_(columns.size(), 1), cover_(columns.size() * words_), over_(n_rows * column_words_, 0),
        n_over_(n_rows, 0) {
    fill_all(rows_.data(), n_rows, words_);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      std::copy_n(columns[k].cover, words_, cover(k));
      for_each(cover(k), words_, [&](std::size_t i) {
        set_bit(over(i), k);
        ++n_over_[i];
      });
    }
  }

  ReducedCover run() {
    drop_needless_columns();
    do {
      fix_only_choices();
      drop_implied_rows();
    } while (drop_needless_columns());
    split();
    return std::move(out_);
  }

 private:
  Word* cover(std::size_t k) { return cover_.data() + k * words_; }
  Word* over(std::size_t i) { return over_.data() + i * column_words_; }

  void drop_row(std::size_t i) {
    clear_bit(rows_.data(), i);
    for_each(over(i), column_words_, [&](std::size_t k) { clear_bit(cover(k), i); });
  }

  void drop_column(std::size_t k) {
    usable_[k] = 0;
    for_each(cover(k), words_, [&](std::size_t i) {
      clear_bit(over(i), k);
      --n_over_[i];
    });
  }

  std::vector<std::size_t> rows() const {
    std::vector<std::size_t> out;
    for_each(rows_.data(), words_, [&](std::size_t i) { out.push_back(i); });
    return out;
  }

  void fix_only_choices() {
    for (const std::size_t i : rows()) {
      if (!test_bit(rows_.data(), i) || n_over_[i] != 1) continue;
      std::size_t only = 0;
      for_each(over(i), column_words_, [&](std::size_t k) { only = k; });
      out_.fixed.push_back(only);
      std::vector<std::size_t> covered;
      for_each(cover(only), words_, [&](std::size_t r) { covered.push_back(r); });
      for (const std::size_t r : covered) drop_row(r);
      usable_[only] = 0;
    }
  }

  void drop_implied_rows() {
    std::vector<std::size_t> order = rows(), stay;
    // Sorts rows with the same columns next to each other; there are often thousands of a few kinds.
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (n_over_[a] != n_over_[b]) return n_over_[a] < n_over_[b];
      const int sign = compare(over(a), over(b));
      return sign != 0 ? sign < 0 : a < b;
    });
    for (const std::size_t b : order) {
      if (control_.should_stop()) return;
      const auto implies = [&](std::size_t a) { return is_subset(over(a), over(b), column_words_); };
      if ((!stay.empty() && implies(stay.back())) || std::any_of(stay.begin(), stay.end(), implies))
        drop_row(b);
      else
        stay.push_back(b);
    }
  }

  int compare(const Word* a, const Word* b) const {
    for (std::size_t w = 0; w < column_words_; ++w)
      if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
    return 0;
  }

  bool drop_needless_columns() {
    std::vector<std::size_t> columns;
    std::vector<const Word*> covers;
    std::vector<Cost> costs;
    for (std::size_t k = 0; k < given_.size(); ++k) {
      if (!usable_[k]) continue;
      columns.push_back(k);
      covers.push_back(cover(k));
      costs.push_back(given_[k].cost);
    }
    std::vector<char> stays(columns.size(), 0);
    for (const std::size_t c : undominated(n_over_.size(), covers, costs, control_)) stays[c] = 1;
    if (control_.stopped()) return false;
    bool dropped = false;
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (!stays[c]) {
        drop_column(columns[c]);
        dropped = true;
      }
    return dropped;
  }

  void split() {
    std::vector<Word> left = rows_;
    std::vector<std::size_t> place(n_over_.size());
    std::vector<Word> renumbered;
    while (any(left.data(), words_)) {
      // All rows that a chain of columns connects to the first one.
      std::vector<Word> block(words_, 0), columns(column_words_, 0);
      std::vector<std::size_t> open;
      const auto reach = [&](std::size_t i) {
        if (!test_bit(left.data(), i)) return;
        clear_bit(left.data(), i);
        set_bit(block.data(), i);
        open.push_back(i);
      };
      for (std::size_t w = 0; open.empty(); ++w)
        if (left[w]) reach(w * kWordBits + static_cast<std::size_t>(lowest_bit(left[w])));
      while (!open.empty()) {
        const std::size_t i = open.back();
        open.pop_back();
        for_each(over(i), column_words_, [&](std::size_t k) {
          if (test_bit(columns.data(), k)) return;
          set_bit(columns.data(), k);
          for_each(cover(k), words_, reach);
        });
      }
      CoverBlock part;
      for_each(block.data(), words_, [&](std::size_t i) { place[i] = part.n_rows++; });
      part.columns = Columns(words_for(part.n_rows));
      for_each(columns.data(), column_words_, [&](std::size_t k) {
        renumbered.assign(part.columns.words(), 0);
        for_each(cover(k), words_, [&](std::size_t i) { set_bit(renumbered.data(), place[i]); });
        part.columns.add({nullptr, 0, renumbered.data(), given_[k].cost});
        part.of.push_back(k);
      });
      out_.blocks.push_back(std::move(part));
    }
  }

  const Columns& given_;
  Control& control_;
  std::size_t words_, column_words_;
  std::vector<Word> rows_;  // still to be covered
  std::vector<char> usable_;
  std::vector<Word> cover_;  // by column: its remaining rows
  std::vector<Word> over_;   // by row: usable columns
  std::vector<std::size_t> n_over_;
  ReducedCover out_;
};

}  // namespace

ReducedCover reduce_cover(std::size_t n_rows, const Columns& columns, Control& control) {
  return Reducer(n_rows, columns, control).run();
}

}  // namespace laconic
