// Branching on a covering problem, and the reductions that follow.
//
// Both answers to "do these rows share a chosen column?" leave a plain covering problem. With yes, the rows become one
// row, covered only by the columns that cover all of them; with no, those columns are dropped. Then some columns become
// equal and some rows imply others, which makes deep nodes small.
#include "cover/node.hpp"

#include <algorithm>

namespace laconic {
namespace {

bool covers_all(const Word* cover, const Rows& rows) {
  return std::all_of(rows.begin(), rows.end(), [&](std::size_t r) { return test_bit(cover, r); });
}

}  // namespace

CoverNode::CoverNode(std::size_t n_rows, const Columns& columns) : words(words_for(n_rows)), alive(words, 0) {
  fill_all(alive.data(), n_rows, words);
  ids.reserve(columns.size());
  covers.reserve(columns.size() * words);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    ids.push_back(static_cast<std::int32_t>(k));
    covers.insert(covers.end(), columns[k].cover, columns[k].cover + words);
  }
}

std::vector<std::int32_t> CoverNode::keep(const std::vector<char>& wanted) {
  std::vector<std::int32_t> number(ids.size(), -1);
  std::size_t write = 0;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (!wanted[k]) continue;
    number[k] = static_cast<std::int32_t>(write);
    ids[write] = ids[k];
    if (write != k) std::copy(cover(k), cover(k) + words, covers.begin() + static_cast<std::ptrdiff_t>(write * words));
    ++write;
  }
  ids.resize(write);
  covers.resize(write * words);
  return number;
}

void merge_equal_columns(CoverNode& node, const Columns& columns, Control& control) {
  const std::size_t words = node.words;
  std::size_t capacity = 64;
  while (capacity < 2 * node.n_columns()) capacity *= 2;
  std::vector<std::int32_t> slots(capacity, -1);
  std::vector<char> wanted(node.n_columns(), 0);
  for (std::size_t k = 0; k < node.n_columns(); ++k) {
    if (control.should_stop()) return;
    const Word* own = node.cover(k);
    if (!any(own, words)) continue;
    std::size_t at = hash_of(own, words) & (capacity - 1);
    while (slots[at] >= 0 && !std::equal(own, own + words, node.cover(static_cast<std::size_t>(slots[at]))))
      at = (at + 1) & (capacity - 1);
    if (slots[at] < 0) {
      slots[at] = static_cast<std::int32_t>(k);
      wanted[k] = 1;
      continue;
    }
    auto& first = node.ids[static_cast<std::size_t>(slots[at])];
    if (columns[static_cast<std::size_t>(node.ids[k])].cost < columns[static_cast<std::size_t>(first)].cost)
      first = node.ids[k];
  }
  node.keep(wanted);
}

void drop_implied_rows(CoverNode& node, Control& control) {
  const std::size_t n = node.n_columns(), words = node.words, n_rows = words * kWordBits, column_words = words_for(n);
  std::vector<std::size_t> rows, n_columns(n_rows, 0);
  for_each(node.alive.data(), words, [&](std::size_t r) { rows.push_back(r); });
  std::vector<Word> columns_of(n_rows * column_words, 0);
  for (std::size_t k = 0; k < n; ++k) {
    if (control.should_stop()) return;
    for_each(node.cover(k), words, [&](std::size_t r) {
      set_bit(columns_of.data() + r * column_words, k);
      ++n_columns[r];
    });
  }
  std::vector<Word> kept(words, 0), implied(words, 0);
  for (const auto& cut : node.cuts)
    for (std::size_t w = 0; w < words; ++w) kept[w] |= cut[w];
  for (const auto& question : node.questions)
    for (const std::size_t r : question) set_bit(kept.data(), r);
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return n_columns[a] < n_columns[b]; });
  for (std::size_t a = 1; a < rows.size(); ++a) {
    if (control.check_now()) return;
    if (test_bit(kept.data(), rows[a])) continue;
    const Word* own = columns_of.data() + rows[a] * column_words;
    for (std::size_t b = 0; b < a; ++b)
      if (!test_bit(implied.data(), rows[b]) &&
          is_subset(columns_of.data() + rows[b] * column_words, own, column_words)) {
        set_bit(implied.data(), rows[a]);
        break;
      }
  }
  remove_all(node.alive.data(), implied.data(), words);
  for (std::size_t k = 0; k < n; ++k) remove_all(node.covers.data() + k * words, implied.data(), words);
}

std::shared_ptr<CoverNode> together(const CoverNode& parent, const Rows& rows) {
  auto child = std::make_shared<CoverNode>(parent);
  for (std::size_t k = 0; k < child->n_columns(); ++k) {
    Word* own = child->covers.data() + k * child->words;
    const bool all = covers_all(own, rows);
    for (const std::size_t r : rows) clear_bit(own, r);
    if (all) set_bit(own, rows[0]);
  }
  for (std::size_t r = 1; r < rows.size(); ++r) clear_bit(child->alive.data(), rows[r]);
  return child;
}

std::shared_ptr<CoverNode> apart(const CoverNode& parent, const Rows& rows, std::vector<std::int32_t>& kept) {
  auto child = std::make_shared<CoverNode>(parent);
  std::vector<char> wanted(parent.n_columns());
  for (std::size_t k = 0; k < parent.n_columns(); ++k) wanted[k] = !covers_all(parent.cover(k), rows);
  kept = child->keep(wanted);
  return child;
}

}  // namespace laconic
