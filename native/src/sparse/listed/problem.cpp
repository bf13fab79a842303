#include "sparse/listed/problem.hpp"

#include <algorithm>
#include <numeric>
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

// Pairwise dominance is quadratic, so it is used on short lists only, and again only after the list has shrunk by a
// fifth.

void drop_unpaid(ListProblem& problem) {
  auto& rules = problem.rules;
  rules.erase(std::remove_if(rules.begin(), rules.end(),
                             [&](const ListRule& r) { return problem.pos_weight_of(r) <= r.price; }),
              rules.end());
}

void drop_dominated(ListProblem& problem) {
  auto& rules = problem.rules;
  if (rules.size() > problem.options->list_dominance || 5 * rules.size() > 4 * problem.undominated) return;
  const std::size_t wp = words_for(problem.n_pos()), wn = words_for(problem.n_neg()), w = wp + wn;
  // Positives as they are, negatives complemented: a rule dominates another if it includes it.
  std::vector<Word> bits(rules.size() * w, 0);
  for (std::size_t r = 0; r < rules.size(); ++r) {
    Word* at = bits.data() + r * w;
    for (auto g : rules[r].pos) set_bit(at, g);
    std::fill(at + wp, at + w, ~Word{0});
    for (auto h : rules[r].neg) at[wp + h / kWordBits] &= ~(Word{1} << (h % kWordBits));
  }
  // Sorted by positives, most first: only earlier rules can dominate later ones.
  std::vector<std::uint32_t> order(rules.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return rules[a].pos.size() > rules[b].pos.size(); });
  std::vector<char> dead(rules.size(), 0);
  for (auto a : order) {
    const Word* small = bits.data() + a * w;
    for (auto b : order) {
      if (rules[b].pos.size() < rules[a].pos.size()) break;
      if (a == b || rules[b].price > rules[a].price || rules[b].neg.size() > rules[a].neg.size() || dead[b]) continue;
      const Word* big = bits.data() + b * w;
      if (!is_subset(small, big, w)) continue;
      const bool equal = rules[b].price == rules[a].price && is_subset(big, small, w);
      if (!equal || b < a) {
        dead[a] = 1;
        break;
      }
    }
  }
  std::size_t kept = 0;
  for (std::size_t r = 0; r < rules.size(); ++r)
    if (!dead[r]) {
      if (kept != r) rules[kept] = std::move(rules[r]);
      ++kept;
    }
  rules.resize(kept);
  problem.undominated = kept;
}

// Merges rows with equal signatures under problem.rules.
void merge_rows(ListProblem& problem, Lineage& lineage) {
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
    if (pos_group[i] == kNoGroup)
      problem.offset += problem.pos_weight[i];
    else
      wp[pos_group[i]] += problem.pos_weight[i];
  }
  for (std::size_t j = 0; j < neg.size(); ++j)
    if (neg_group[j] != kNoGroup) wn[neg_group[j]] += problem.neg_weight[j];
  if (!problem.must_cover.empty()) {
    std::vector<char> must(n_pos, 0);
    for (std::size_t i = 0; i < pos.size(); ++i)
      if (pos_group[i] != kNoGroup) must[pos_group[i]] |= problem.must_cover[i];
    problem.must_cover = std::move(must);
  }
  merge_origins(lineage.pos, pos_group, n_pos);
  merge_origins(lineage.neg, neg_group, n_neg);
  for (auto& rule : problem.rules) to_groups(rule.pos, pos_group), to_groups(rule.neg, neg_group);
  problem.pos_weight = std::move(wp);
  problem.neg_weight = std::move(wn);
}

}  // namespace

Lineage own_lineage(const ListProblem& problem) {
  Lineage out;
  for (std::uint32_t g = 0; g < problem.n_pos(); ++g) out.pos.push_back({{g, problem.pos_weight[g]}});
  for (std::uint32_t h = 0; h < problem.n_neg(); ++h) out.neg.push_back({{h, problem.neg_weight[h]}});
  return out;
}

void merge_origins(Origins& origins, const std::vector<std::uint32_t>& group, std::size_t n_groups) {
  Origins merged(n_groups);
  for (std::size_t i = 0; i < origins.size(); ++i)
    if (group[i] != kNoGroup) merged[group[i]].insert(merged[group[i]].end(), origins[i].begin(), origins[i].end());
  for (auto& list : merged) {
    std::sort(list.begin(), list.end());
    std::size_t kept = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (kept > 0 && list[kept - 1].first == list[k].first)
        list[kept - 1].second += list[k].second;
      else
        list[kept++] = list[k];
    }
    list.resize(kept);
  }
  origins = std::move(merged);
}

void shrink(ListProblem& problem, const std::vector<char>& keep, Lineage& lineage) {
  std::size_t kept = 0;
  for (std::size_t r = 0; r < problem.rules.size(); ++r)
    if (keep[r]) {
      if (kept != r) problem.rules[kept] = std::move(problem.rules[r]);
      ++kept;
    }
  problem.rules.resize(kept);
  merge_rows(problem, lineage);
  const std::size_t before = problem.rules.size();
  drop_unpaid(problem);
  drop_dominated(problem);
  if (problem.rules.size() != before) merge_rows(problem, lineage);
}

ListProblem choose_rule(const ListProblem& problem, std::size_t r, const Lineage& lineage, Lineage& lineage_out) {
  const ListRule& chosen = problem.rules[r];
  ListProblem out;
  out.options = problem.options;
  out.offset = problem.offset + chosen.price + problem.neg_weight_of(chosen);
  std::vector<std::uint32_t> pos_new(problem.n_pos(), 0), neg_new(problem.n_neg(), 0);
  for (auto g : chosen.pos) pos_new[g] = kNoGroup;
  for (auto h : chosen.neg) neg_new[h] = kNoGroup;
  for (std::size_t g = 0; g < problem.n_pos(); ++g)
    if (pos_new[g] != kNoGroup) {
      pos_new[g] = static_cast<std::uint32_t>(out.pos_weight.size());
      out.pos_weight.push_back(problem.pos_weight[g]);
      if (!problem.must_cover.empty()) out.must_cover.push_back(problem.must_cover[g]);
      lineage_out.pos.push_back(lineage.pos[g]);
    }
  for (std::size_t h = 0; h < problem.n_neg(); ++h)
    if (neg_new[h] != kNoGroup) {
      neg_new[h] = static_cast<std::uint32_t>(out.neg_weight.size());
      out.neg_weight.push_back(problem.neg_weight[h]);
      lineage_out.neg.push_back(lineage.neg[h]);
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
  shrink(out, std::vector<char>(out.rules.size(), 1), lineage_out);
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
