// The blame of a dual, restricted to the current rows: a rule with a few literals covers a small part of the groups,
// and all sums over shares run over that part alone.
#include "sparse/pricing/blame_frame.hpp"

#include <algorithm>

namespace laconic {

BlameFrame whole_frame(const ClassInstance& instance, const RowDual& dual, std::size_t n_pos) {
  BlameFrame f;
  std::vector<std::uint32_t> neg_place(dual.blame.size(), kNoGroup);
  for (std::uint32_t g = 0; g < dual.n_pos_groups; ++g) f.pos_ids.push_back(g);
  for (std::uint32_t h = 0; h < dual.blame.size(); ++h)
    if (!dual.blame[h].empty()) neg_place[h] = static_cast<std::uint32_t>(f.neg_ids.size()), f.neg_ids.push_back(h);
  const auto no_pos = static_cast<std::uint32_t>(f.pos_ids.size()),
             no_neg = static_cast<std::uint32_t>(f.neg_ids.size());
  f.pos_at.assign(n_pos, no_pos);
  for (std::size_t i = 0; i < instance.pos.n_rows; ++i) f.pos_at[i] = std::min(no_pos, dual.pos_group[i]);
  f.neg_at.assign(instance.neg.n_rows, no_neg);
  for (std::size_t j = 0; j < instance.neg.n_rows; ++j)
    if (dual.neg_group[j] != kNoGroup) f.neg_at[j] = std::min(no_neg, neg_place[dual.neg_group[j]]);
  f.n_pairs_of_rows = instance.pos.n_rows * instance.neg.n_rows;
  f.start.push_back(0);
  for (auto h : f.neg_ids) {
    for (const auto& [g, share] : dual.blame[h]) f.shares.push_back({g, share});
    f.start.push_back(f.shares.size());
  }
  return f;
}

std::optional<BlameFrame> narrowed(const ClassInstance& instance, const BlameFrame& from, const Word* pos,
                                   const Word* neg) {
  const std::size_t n_neg_rows = count(neg, instance.neg.n_words);
  const std::size_t n_pairs_of_rows = count(pos, instance.pos.n_words) * n_neg_rows;
  if (2 * n_pairs_of_rows > from.n_pairs_of_rows || from.shares.size() + from.pos_ids.size() < n_neg_rows)
    return std::nullopt;
  BlameFrame f;
  f.n_pairs_of_rows = n_pairs_of_rows;
  std::vector<std::uint32_t> pos_place(from.pos_ids.size() + 1, kNoGroup), neg_place(from.neg_ids.size() + 1, kNoGroup);
  const auto n_pos_before = from.pos_ids.size(), n_neg_before = from.neg_ids.size();
  for_each(pos, instance.pos.n_words, [&](std::size_t i) {
    const auto at = from.pos_at[i];
    if (at == n_pos_before || pos_place[at] != kNoGroup) return;
    pos_place[at] = static_cast<std::uint32_t>(f.pos_ids.size());
    f.pos_ids.push_back(from.pos_ids[at]);
  });
  std::vector<std::uint32_t> from_neg;
  for_each(neg, instance.neg.n_words, [&](std::size_t j) {
    const auto at = from.neg_at[j];
    if (at == n_neg_before || neg_place[at] != kNoGroup) return;
    neg_place[at] = static_cast<std::uint32_t>(f.neg_ids.size());
    f.neg_ids.push_back(from.neg_ids[at]);
    from_neg.push_back(at);
  });
  const auto n_pos = static_cast<std::uint32_t>(f.pos_ids.size()), n_neg = static_cast<std::uint32_t>(f.neg_ids.size());
  f.pos_at.assign(from.pos_at.size(), n_pos);
  for_each(pos, instance.pos.n_words, [&](std::size_t i) { f.pos_at[i] = std::min(n_pos, pos_place[from.pos_at[i]]); });
  f.neg_at.assign(from.neg_at.size(), n_neg);
  for_each(neg, instance.neg.n_words, [&](std::size_t j) { f.neg_at[j] = std::min(n_neg, neg_place[from.neg_at[j]]); });
  std::size_t most = 0, n = 0;
  for (auto k : from_neg) most += from.start[k + 1] - from.start[k];
  f.shares.resize(most);
  f.start.push_back(0);
  for (auto k : from_neg) {
    for (std::size_t e = from.start[k]; e < from.start[k + 1]; ++e) {
      f.shares[n] = {pos_place[from.shares[e].at], from.shares[e].blame};
      n += f.shares[n].at != kNoGroup;
    }
    f.start.push_back(n);
  }
  f.shares.resize(n);
  return f;
}

}  // namespace laconic
