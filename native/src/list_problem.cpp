#include "list_problem.hpp"

#include <algorithm>
#include <unordered_map>

namespace laconic {
namespace {

// Signature of a row: the sum of two independent 64-bit numbers per covering rule. Rows are
// merged when 128 bits agree; with fewer than 2^32 rows a chance collision is below 2^-60.
struct Signature {
  std::uint64_t a = 0, b = 0;
  bool operator==(const Signature& o) const { return a == o.a && b == o.b; }
};
struct SignatureHash {
  std::size_t operator()(const Signature& s) const { return s.a ^ (s.b * 0x9e3779b97f4a7c15ull); }
};

std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

Signature mark_of(std::size_t rule) { return {mix(2 * rule + 1), mix(mix(2 * rule + 2) ^ 0x5851f42d4c957f2dull)}; }

// Numbers equal signatures 0, 1, …; with drop_uncovered the zero signature (no rule) gets kNoGroup.
std::vector<std::uint32_t> number_groups(const std::vector<Signature>& signatures, bool drop_uncovered,
                                         std::uint32_t& n_groups) {
  std::unordered_map<Signature, std::uint32_t, SignatureHash> seen;
  std::vector<std::uint32_t> group(signatures.size(), kNoGroup);
  n_groups = 0;
  for (std::size_t i = 0; i < signatures.size(); ++i) {
    if (drop_uncovered && signatures[i] == Signature{}) continue;
    auto [at, fresh] = seen.emplace(signatures[i], n_groups);
    if (fresh) ++n_groups;
    group[i] = at->second;
  }
  return group;
}

void to_groups(std::vector<std::uint32_t>& members, const std::vector<std::uint32_t>& group) {
  for (auto& m : members) m = group[m];
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
}

// Pairwise dominance is quadratic: only on short lists.
constexpr std::size_t kDominanceLimit = 3000;

void drop_useless(ListProblem& problem) {
  auto& rules = problem.rules;
  rules.erase(std::remove_if(rules.begin(), rules.end(),
                             [&](const ListRule& r) { return problem.pos_weight_of(r) <= r.price; }),
              rules.end());
  if (rules.size() > kDominanceLimit) return;
  const std::size_t wp = words_for(problem.n_pos()), wn = words_for(problem.n_neg()), w = wp + wn;
  // Positives as they are, negatives turned round: a rule dominates another if it includes it.
  std::vector<Word> bits(rules.size() * w, 0);
  for (std::size_t r = 0; r < rules.size(); ++r) {
    Word* at = bits.data() + r * w;
    for (auto g : rules[r].pos) set_bit(at, g);
    std::fill(at + wp, at + w, ~Word{0});
    for (auto h : rules[r].neg) at[wp + h / kWordBits] &= ~(Word{1} << (h % kWordBits));
  }
  std::vector<char> dead(rules.size(), 0);
  for (std::size_t a = 0; a < rules.size(); ++a) {
    const Word* small = bits.data() + a * w;
    for (std::size_t b = 0; b < rules.size() && !dead[a]; ++b) {
      if (a == b || dead[b] || rules[b].price > rules[a].price) continue;
      const Word* big = bits.data() + b * w;
      if (!is_subset(small, big, w)) continue;
      const bool equal = rules[b].price == rules[a].price && is_subset(big, small, w);
      if (!equal || b < a) dead[a] = 1;
    }
  }
  std::size_t kept = 0;
  for (std::size_t r = 0; r < rules.size(); ++r)
    if (!dead[r]) {
      if (kept != r) rules[kept] = std::move(rules[r]);
      ++kept;
    }
  rules.resize(kept);
}

// Merges rows with equal signatures under problem.rules.
void merge_rows(ListProblem& problem, Dual* dual) {
  std::vector<Signature> pos(problem.n_pos()), neg(problem.n_neg());
  for (std::size_t r = 0; r < problem.rules.size(); ++r) {
    const Signature mark = mark_of(r);
    for (auto g : problem.rules[r].pos) pos[g].a += mark.a, pos[g].b += mark.b;
    for (auto h : problem.rules[r].neg) neg[h].a += mark.a, neg[h].b += mark.b;
  }
  std::uint32_t n_pos = 0, n_neg = 0;
  const auto pos_group = number_groups(pos, true, n_pos), neg_group = number_groups(neg, true, n_neg);
  if (n_pos == problem.n_pos() && n_neg == problem.n_neg()) return;
  std::vector<Weight> wp(n_pos, 0), wn(n_neg, 0);
  for (std::size_t i = 0; i < pos.size(); ++i) {
    if (pos_group[i] == kNoGroup) problem.offset += problem.pos_weight[i];
    else wp[pos_group[i]] += problem.pos_weight[i];
  }
  for (std::size_t j = 0; j < neg.size(); ++j)
    if (neg_group[j] != kNoGroup) wn[neg_group[j]] += problem.neg_weight[j];
  if (dual) {
    Dual merged{std::vector<double>(n_pos, 0.0), std::vector<float>(static_cast<std::size_t>(n_pos) * n_neg, 0.0f)};
    for (std::size_t i = 0; i < pos.size(); ++i)
      if (pos_group[i] != kNoGroup) merged.y[pos_group[i]] += dual->y[i];
    for (std::size_t j = 0; j < neg.size(); ++j) {
      if (neg_group[j] == kNoGroup) continue;
      const float* from = dual->mu.data() + j * pos.size();
      float* to = merged.mu.data() + static_cast<std::size_t>(neg_group[j]) * n_pos;
      for (std::size_t i = 0; i < pos.size(); ++i)
        if (pos_group[i] != kNoGroup) to[pos_group[i]] += from[i];
    }
    *dual = std::move(merged);
  }
  for (auto& rule : problem.rules) to_groups(rule.pos, pos_group), to_groups(rule.neg, neg_group);
  problem.pos_weight = std::move(wp);
  problem.neg_weight = std::move(wn);
}

}  // namespace

namespace {

struct RowSignatures {
  std::vector<Signature> pos, neg;

  void mark(const ClassInstance& in, const RulePool& pool, std::uint32_t r) {
    const Signature mark = mark_of(r);
    for_each(pool.pos(r), in.pos.n_words, [&](std::size_t i) { pos[i].a += mark.a, pos[i].b += mark.b; });
    for_each(pool.neg(r), in.neg.n_words, [&](std::size_t j) { neg[j].a += mark.a, neg[j].b += mark.b; });
  }
};

// The groups that a rule's rows belong to, and, where it covers only a part of one, which part.
void cover_groups(const Word* rows, const RowSide& side, const std::vector<std::uint32_t>& group,
                  const std::vector<Weight>& group_weight, std::vector<std::uint32_t>& covered, std::vector<float>& share) {
  std::unordered_map<std::uint32_t, Weight> weight;
  for_each(rows, side.n_words, [&](std::size_t i) { weight[group[i]] += side.weight[i]; });
  bool parts = false;
  for (const auto& [g, w] : weight) covered.push_back(g), parts |= w != group_weight[g];
  std::sort(covered.begin(), covered.end());
  if (!parts) return;
  for (auto g : covered) share.push_back(static_cast<float>(static_cast<double>(weight[g]) / static_cast<double>(group_weight[g])));
}

Grouping group_by(const ClassInstance& in, const RulePool& pool, const std::vector<std::uint32_t>& rules,
                  const RowSignatures& rows) {
  Grouping out;
  std::uint32_t n_pos = 0, n_neg = 0;
  out.pos_group = number_groups(rows.pos, false, n_pos);
  out.neg_group = number_groups(rows.neg, false, n_neg);
  ListProblem& p = out.problem;
  p.pos_weight.assign(n_pos, 0);
  p.neg_weight.assign(n_neg, 0);
  for (std::size_t i = 0; i < in.pos.n_rows; ++i) p.pos_weight[out.pos_group[i]] += in.pos.weight[i];
  for (std::size_t j = 0; j < in.neg.n_rows; ++j) p.neg_weight[out.neg_group[j]] += in.neg.weight[j];
  for (auto r : rules) {
    ListRule rule;
    rule.id = r;
    rule.price = pool.price(r);
    cover_groups(pool.pos(r), in.pos, out.pos_group, p.pos_weight, rule.pos, rule.pos_share);
    cover_groups(pool.neg(r), in.neg, out.neg_group, p.neg_weight, rule.neg, rule.neg_share);
    out.coarse |= !rule.pos_share.empty() || !rule.neg_share.empty();
    p.rules.push_back(std::move(rule));
  }
  return out;
}

}  // namespace

Grouping group_instance(const ClassInstance& in, const RulePool& pool, const std::vector<std::uint32_t>& rules) {
  RowSignatures rows{std::vector<Signature>(in.pos.n_rows), std::vector<Signature>(in.neg.n_rows)};
  for (auto r : rules) rows.mark(in, pool, r);
  return group_by(in, pool, rules, rows);
}

Grouping group_coarsely(const ClassInstance& in, const RulePool& pool, const std::vector<std::uint32_t>& rules,
                        std::size_t max_pairs) {
  RowSignatures rows{std::vector<Signature>(in.pos.n_rows), std::vector<Signature>(in.neg.n_rows)};
  std::vector<std::uint32_t> separating;
  int refused = 0;
  for (auto r : rules) {
    RowSignatures finer = rows;
    finer.mark(in, pool, r);
    std::uint32_t n_pos = 0, n_neg = 0;
    number_groups(finer.pos, false, n_pos);
    number_groups(finer.neg, false, n_neg);
    if (static_cast<std::size_t>(n_pos) * n_neg <= max_pairs) rows = std::move(finer), separating.push_back(r);
    else if (++refused == 5) break;
  }
  Grouping out = group_by(in, pool, rules, rows);
  out.separating = std::move(separating);
  return out;
}

void shrink(ListProblem& problem, const std::vector<char>& keep, Dual* dual) {
  std::size_t kept = 0;
  for (std::size_t r = 0; r < problem.rules.size(); ++r)
    if (keep[r]) {
      if (kept != r) problem.rules[kept] = std::move(problem.rules[r]);
      ++kept;
    }
  problem.rules.resize(kept);
  merge_rows(problem, dual);
  const std::size_t before = problem.rules.size();
  drop_useless(problem);
  if (problem.rules.size() != before) merge_rows(problem, dual);
}

ListProblem choose_rule(const ListProblem& problem, std::size_t r, const Dual& dual, Dual& dual_out) {
  const ListRule& chosen = problem.rules[r];
  ListProblem out;
  out.offset = problem.offset + chosen.price + problem.neg_weight_of(chosen);
  std::vector<std::uint32_t> pos_new(problem.n_pos(), 0), neg_new(problem.n_neg(), 0);
  for (auto g : chosen.pos) pos_new[g] = kNoGroup;
  for (auto h : chosen.neg) neg_new[h] = kNoGroup;
  for (std::size_t g = 0; g < problem.n_pos(); ++g)
    if (pos_new[g] != kNoGroup) {
      pos_new[g] = static_cast<std::uint32_t>(out.pos_weight.size());
      out.pos_weight.push_back(problem.pos_weight[g]);
      dual_out.y.push_back(dual.y[g]);
    }
  for (std::size_t h = 0; h < problem.n_neg(); ++h)
    if (neg_new[h] != kNoGroup) {
      neg_new[h] = static_cast<std::uint32_t>(out.neg_weight.size());
      out.neg_weight.push_back(problem.neg_weight[h]);
      for (std::size_t g = 0; g < problem.n_pos(); ++g)
        if (pos_new[g] != kNoGroup) dual_out.mu.push_back(dual.mu[h * problem.n_pos() + g]);
    }
  for (std::size_t k = 0; k < problem.rules.size(); ++k) {
    if (k == r) continue;
    ListRule rule;
    rule.id = problem.rules[k].id;
    rule.price = problem.rules[k].price;
    for (auto g : problem.rules[k].pos)
      if (pos_new[g] != kNoGroup) rule.pos.push_back(pos_new[g]);
    for (auto h : problem.rules[k].neg)
      if (neg_new[h] != kNoGroup) rule.neg.push_back(neg_new[h]);
    out.rules.push_back(std::move(rule));
  }
  shrink(out, std::vector<char>(out.rules.size(), 1), &dual_out);
  return out;
}

Weight cost_of(const ListProblem& problem, const std::vector<std::uint32_t>& chosen) {
  std::vector<char> pos(problem.n_pos(), 0), neg(problem.n_neg(), 0);
  Weight cost = problem.offset;
  for (auto r : chosen) {
    cost += problem.rules[r].price;
    for (auto g : problem.rules[r].pos) pos[g] = 1;
    for (auto h : problem.rules[r].neg) neg[h] = 1;
  }
  for (std::size_t g = 0; g < pos.size(); ++g)
    if (!pos[g]) cost += problem.pos_weight[g];
  for (std::size_t h = 0; h < neg.size(); ++h)
    if (neg[h]) cost += problem.neg_weight[h];
  return cost;
}

}  // namespace laconic
