// Making rules prime.
//
// Without its k-th literal a rule covers the intersection of the literals before and after it. The intersections of the
// literals after each place are computed once from the end, those before it on the way, so one pass shows for every
// literal whether it is needed. A rule of twelve literals takes three dozen intersections; trying each literal
// separately takes twelve dozen.
#include "cover/prune.hpp"

#include <algorithm>

namespace laconic {
namespace {

// Computes for every literal, and for the end, the intersection of all sets from there on.
void intersect_from_end(const Literals& literals, const Word* sets, std::size_t words, const Word* all,
                        std::vector<Word>& out) {
  const std::size_t n = literals.size();
  out.resize((n + 1) * words);
  std::copy(all, all + words, out.begin() + static_cast<std::ptrdiff_t>(n * words));
  for (std::size_t k = n; k-- > 0;)
    assign_and(&out[k * words], &out[(k + 1) * words], sets + static_cast<std::size_t>(literals[k]) * words, words);
}

double weigh(const Word* a, const Word* b, std::size_t words, const double* weight) {
  if (!weight) return static_cast<double>(count_and(a, b, words));
  double sum = 0;
  for (std::size_t k = 0; k < words; ++k)
    for (Word w = a[k] & b[k]; w; w &= w - 1) sum += weight[k * kWordBits + static_cast<std::size_t>(lowest_bit(w))];
  return sum;
}

}  // namespace

void RulePruner::prune(Literals& literals, const double* weight, const Word* wanted) {
  std::vector<Word> all(in_.neg_words, ~Word{0});
  if (in_.n_neg % kWordBits) all.back() = (Word{1} << (in_.n_neg % kWordBits)) - 1;
  std::vector<std::size_t> needless;
  for (;;) {
    needless.clear();
    intersect_from_end(literals, in_.lit_neg.data(), in_.neg_words, all.data(), neg_);
    before_ = all;
    for (std::size_t k = 0; k < literals.size(); ++k) {
      if (!intersects(before_.data(), &neg_[(k + 1) * in_.neg_words], in_.neg_words)) needless.push_back(k);
      assign_and(before_.data(), before_.data(), in_.neg(static_cast<std::size_t>(literals[k])), in_.neg_words);
    }
    if (needless.empty()) return;
    std::size_t best = needless[0];
    if (needless.size() > 1) {
      intersect_from_end(literals, in_.lit_pos.data(), in_.pos_words, wanted, pos_);
      before_.assign(in_.pos_words, ~Word{0});
      double most = -1;
      for (std::size_t k = 0, next = 0; next < needless.size(); ++k) {
        if (k == needless[next]) {
          ++next;
          const double gain = weigh(before_.data(), &pos_[(k + 1) * in_.pos_words], in_.pos_words, weight);
          if (gain > most) most = gain, best = k;
        }
        assign_and(before_.data(), before_.data(), in_.pos(static_cast<std::size_t>(literals[k])), in_.pos_words);
      }
    }
    literals.erase(literals.begin() + static_cast<std::ptrdiff_t>(best));
  }
}

}  // namespace laconic
