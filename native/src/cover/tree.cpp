// A cover from the leaves of a decision tree, for when there is no time for anything better.
//
// Growing rules one by one takes at least one pass over the negatives per rule, which is seconds where ten thousand
// rules are needed. A tree halves the rows at every node, so all of its rules together take one pass per level. A
// literal whose negation is forbidden sends only the rows on which it holds into a branch; the other positives stay at
// the node, with all negatives. The split has the smallest Gini impurity (Breiman et al., "Classification and
// Regression Trees", 1984). The path of a leaf has far more literals than are needed to exclude all negatives; literals
// that keep the fewest positives are dropped first, and leaves that other rules cover are left out.
#include "cover/tree.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cover/opposites.hpp"

namespace laconic {
namespace {

using Rows = std::vector<std::uint32_t>;

struct Node {
  Literals body;
  Rows pos, neg;
};

class Tree {
 public:
  explicit Tree(const CoverInstance& instance)
      : in_(instance), opposite_(opposites(instance)), kept_(instance.n_lit), n_pos_(instance.n_lit),
        n_neg_(instance.n_lit) {
    for (std::size_t l = 0; l < in_.n_lit; ++l) kept_[l] = laconic::count(in_.pos(l), in_.pos_words);
  }

  std::vector<Literals> rules(Node root) {
    std::vector<Literals> out;
    std::vector<Word> covered(in_.pos_words, 0);
    std::vector<Node> open;
    open.push_back(std::move(root));
    while (!open.empty()) {
      Node node = std::move(open.back());
      open.pop_back();
      if (node.pos.empty()) continue;
      const std::size_t l = node.neg.empty() ? in_.n_lit : best_split(node);
      if (l == in_.n_lit) {  // consistent; or contradicting rows, which the checker will refuse
        bool is_new = false;
        for (const auto row : node.pos) is_new = is_new || !test_bit(covered.data(), row);
        if (!is_new) continue;
        drop_needless(node.body);
        const std::vector<Word> cover = cover_of(in_, node.body);
        for (std::size_t w = 0; w < covered.size(); ++w) covered[w] |= cover[w];
        out.push_back(std::move(node.body));
        continue;
      }
      Node inside, outside;
      inside.body = node.body;
      inside.body.push_back(static_cast<std::int32_t>(l));
      part(node.pos, in_.pos_lits, l, inside.pos, outside.pos);
      part(node.neg, in_.neg_lits, l, inside.neg, outside.neg);
      outside.body = std::move(node.body);
      if (opposite_[l] == l)
        outside.neg = std::move(node.neg);
      else
        outside.body.push_back(static_cast<std::int32_t>(opposite_[l]));
      open.push_back(std::move(outside));
      open.push_back(std::move(inside));
    }
    return out;
  }

 private:
  void count(const Rows& rows, const std::vector<Word>& lits, std::vector<std::uint32_t>& into) const {
    into.assign(in_.n_lit, 0);
    for (const auto row : rows)
      for_each(lits.data() + row * in_.lit_words, in_.lit_words, [&](std::size_t l) { ++into[l]; });
  }

  // Returns the literal that best separates positives from negatives; n_lit if none excludes a negative and keeps a
  // positive.
  std::size_t best_split(const Node& node) {
    count(node.pos, in_.pos_lits, n_pos_);
    count(node.neg, in_.neg_lits, n_neg_);
    const double all_pos = static_cast<double>(node.pos.size()), all_neg = static_cast<double>(node.neg.size());
    double least = 0;
    std::size_t best = in_.n_lit;
    for (std::size_t l = 0; l < in_.n_lit; ++l) {
      const double p = n_pos_[l], n = n_neg_[l];
      if (p == 0 || n == all_neg) continue;
      const double others = all_pos - p + all_neg - n;
      const double impurity = p * n / (p + n) + (others > 0 ? (all_pos - p) * (all_neg - n) / others : 0);
      if (best == in_.n_lit || impurity < least) least = impurity, best = l;
    }
    return best;
  }

  // Drops literals that are not needed to exclude all negatives, in one pass with the intersections of later literals.
  void drop_needless(Literals& body) {
    std::stable_sort(body.begin(), body.end(), [&](std::int32_t a, std::int32_t b) {
      return kept_[static_cast<std::size_t>(a)] < kept_[static_cast<std::size_t>(b)];
    });
    const std::size_t words = in_.neg_words;
    after_.assign((body.size() + 1) * words, ~Word{0});
    if (in_.n_neg % kWordBits) after_[body.size() * words + words - 1] = (Word{1} << (in_.n_neg % kWordBits)) - 1;
    for (std::size_t k = body.size(); k-- > 0;)
      assign_and(&after_[k * words], &after_[(k + 1) * words], in_.neg(static_cast<std::size_t>(body[k])), words);
    std::vector<Word> before(words, ~Word{0});
    Literals needed;
    for (std::size_t k = 0; k < body.size(); ++k) {
      if (!intersects(before.data(), &after_[(k + 1) * words], words)) continue;
      needed.push_back(body[k]);
      assign_and(before.data(), before.data(), in_.neg(static_cast<std::size_t>(body[k])), words);
    }
    body = std::move(needed);
  }

  void part(const Rows& rows, const std::vector<Word>& lits, std::size_t l, Rows& inside, Rows& outside) const {
    for (const auto row : rows) (test_bit(lits.data() + row * in_.lit_words, l) ? inside : outside).push_back(row);
  }

  const CoverInstance& in_;
  std::vector<std::size_t> opposite_, kept_;
  std::vector<std::uint32_t> n_pos_, n_neg_;
  std::vector<Word> after_;
};

}  // namespace

std::vector<Literals> tree_cover(const CoverInstance& instance, const std::vector<Word>& wanted) {
  Node root;
  for_each(wanted.data(), wanted.size(), [&](std::size_t i) { root.pos.push_back(static_cast<std::uint32_t>(i)); });
  for (std::size_t j = 0; j < instance.n_neg; ++j) root.neg.push_back(static_cast<std::uint32_t>(j));
  return Tree(instance).rules(std::move(root));
}

}  // namespace laconic
