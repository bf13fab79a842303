// One class as a covering problem, without the literals that cannot matter.
//
// A literal is useless if it excludes no negative or keeps no positive. It is dominated if another literal keeps every
// positive that it keeps and excludes every negative that it excludes: replacing it by the other one in any rule leaves
// the rule consistent, no longer, and no smaller in cover. One-hot columns of quantised tables have many of both, and
// every later step is at least linear in literals. Of equal literals the first is kept, so the answer does not depend
// on hashing or threads.
#include "cover/instance.hpp"

#include <algorithm>
#include <cstring>

namespace laconic {
namespace {

void gather(const Word* feature, bool wanted, const std::vector<std::int64_t>& rows, Word* out) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (test_bit(feature, static_cast<std::size_t>(rows[k])) == wanted) set_bit(out, k);
}

}  // namespace

void CoverInstance::index_rows() {
  lit_words = words_for(n_lit);
  pos_lits.assign(n_pos * lit_words, 0);
  neg_lits.assign(n_neg * lit_words, 0);
  for (std::size_t l = 0; l < n_lit; ++l) {
    for_each(pos(l), pos_words, [&](std::size_t i) { set_bit(pos_lits.data() + i * lit_words, l); });
    for_each(neg(l), neg_words, [&](std::size_t j) { set_bit(neg_lits.data() + j * lit_words, l); });
  }
}

CoverInstance make_cover_instance(const Word* bits, std::size_t row_words, const std::vector<std::int32_t>& literals,
                                  const std::vector<std::int64_t>& positives,
                                  const std::vector<std::int64_t>& negatives, Cost rule_cost, Cost literal_cost) {
  CoverInstance out;
  out.n_pos = positives.size();
  out.n_neg = negatives.size();
  out.pos_words = words_for(out.n_pos);
  out.neg_words = words_for(out.n_neg);
  out.rule_cost = rule_cost;
  out.literal_cost = literal_cost;

  std::vector<Word> pos, neg;
  std::vector<std::size_t> n_excluded, n_kept;
  std::vector<std::int32_t> code;
  std::vector<Word> p(out.pos_words), n(out.neg_words);
  for (const std::int32_t literal : literals) {
    std::fill(p.begin(), p.end(), 0);
    std::fill(n.begin(), n.end(), 0);
    const Word* feature = bits + static_cast<std::size_t>(literal / 2) * row_words;
    gather(feature, literal % 2 == 1, positives, p.data());
    gather(feature, literal % 2 == 1, negatives, n.data());
    const std::size_t kept = count(p.data(), out.pos_words);
    const std::size_t excluded = out.n_neg - count(n.data(), out.neg_words);
    if (kept == 0 || excluded == 0) continue;
    pos.insert(pos.end(), p.begin(), p.end());
    neg.insert(neg.end(), n.begin(), n.end());
    n_kept.push_back(kept);
    n_excluded.push_back(excluded);
    code.push_back(literal);
  }

  // Strongest first, so that a dominating literal always comes first.
  std::vector<std::size_t> order(code.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return n_kept[a] + n_excluded[a] > n_kept[b] + n_excluded[b]; });
  for (const std::size_t k : order) {
    const Word* kp = pos.data() + k * out.pos_words;
    const Word* kn = neg.data() + k * out.neg_words;
    bool dominated = false;
    for (std::size_t l = 0; l < out.n_lit && !dominated; ++l)
      dominated = is_subset(kp, out.pos(l), out.pos_words) && is_subset(out.neg(l), kn, out.neg_words);
    if (dominated) continue;
    out.lit_pos.insert(out.lit_pos.end(), kp, kp + out.pos_words);
    out.lit_neg.insert(out.lit_neg.end(), kn, kn + out.neg_words);
    out.code.push_back(code[k]);
    ++out.n_lit;
  }

  out.index_rows();
  return out;
}

}  // namespace laconic
