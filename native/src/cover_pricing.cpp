// Exact pricing: the rules that a price per positive overpays, by depth-first search.
//
// A rule must exclude every negative. The search keeps the positives and negatives that satisfy the
// literals chosen so far, picks the negative that the fewest usable literals exclude, and branches on
// those, forbidding each for its later siblings, so no rule is met twice. Five things keep it small:
//  - a literal is unusable below a node once the price it keeps cannot pay for the literals still needed;
//  - that number is at least the size of a packing of negatives with disjoint excluders (found greedily
//    by intersections);
//  - a chosen literal that has no negative of its own left is superfluous, and so is the whole subtree
//    (the critical sets of Murakami and Uno's hitting-set enumeration);
//  - a literal is not needed below a node if one of lower number keeps all its positives and lets no other negative
//    through: swapping them gives a rule that costs the same and covers as much, and since swaps only ever lower the
//    numbers, that rule (or one that does as well) is found, here or elsewhere;
//  - only positives with a price are looked at, and rows are re-packed as the sets shrink, so deep nodes
//    work on one or two words.
// Negatives are counted per excluder with bit-sliced counters: a few word operations per literal instead of one
// per negative. All sums are integers: if nothing is reported, the prices are a proof.
#include "cover_pricing.hpp"

#include <algorithm>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace laconic {
namespace {

inline Word extract_bits(Word value, Word mask) {
#if defined(__BMI2__)
  return _pext_u64(value, mask);
#else
  Word out = 0;
  for (int at = 0; mask; mask &= mask - 1, ++at)
    if (value & mask & (~mask + 1)) out |= Word{1} << at;
  return out;
#endif
}

// Packs the members of `mask` of a source row next to each other.
void pack_row(const Word* source, const Word* mask, std::size_t n_words, Word* out, std::size_t out_words) {
  std::fill(out, out + out_words, 0);
  std::size_t at = 0;
  for (std::size_t k = 0; k < n_words; ++k) {
    if (!mask[k]) continue;
    const Word bits = extract_bits(source[k], mask[k]);
    const std::size_t n = static_cast<std::size_t>(popcount(mask[k]));
    out[at / kWordBits] |= bits << (at % kWordBits);
    if (at % kWordBits + n > kWordBits) out[at / kWordBits + 1] |= bits >> (kWordBits - at % kWordBits);
    at += n;
  }
}

void fill_ones(std::vector<Word>& set, std::size_t n_bits) {
  set.assign(words_for(n_bits), ~Word{0});
  if (n_bits % kWordBits) set.back() = (Word{1} << (n_bits % kWordBits)) - 1;
}

bool heavier(const PricedRule& a, const PricedRule& b) {
  return a.value != b.value ? a.value > b.value : a.literals < b.literals;
}

}  // namespace

RulePricer::RulePricer(const CoverInstance& instance) : instance_(instance) {}

PricingAnswer RulePricer::price(const PricingRequest& request, Control& control) {
  const CoverInstance& in = instance_;
  request_ = &request;
  control_ = &control;
  answer_ = {};
  threshold_ = request.threshold;
  stop_ = false;
  chosen_.clear();
  if (levels_.size() < in.n_lit + 2) levels_.resize(in.n_lit + 2);

  // The root frame holds the priced positives only.
  std::vector<Word> priced(in.pos_words, 0);
  std::int64_t total = 0;
  root_.y.clear();
  for (std::size_t i = 0; i < in.n_pos; ++i)
    if (request.y[i] > 0 || request.unpriced_too) {
      set_bit(priced.data(), i);
      root_.y.push_back(request.y[i]);
      total += request.y[i];
    }
  root_.pos_words = words_for(root_.y.size());
  root_.neg_words = in.neg_words;
  root_.lit_pos.resize(in.n_lit * root_.pos_words);
  for (std::size_t l = 0; l < in.n_lit; ++l)
    pack_row(in.pos(l), priced.data(), in.pos_words, root_.lit_pos.data() + l * root_.pos_words, root_.pos_words);
  root_.lit_neg = in.lit_neg;

  Level& top = levels_[0];
  fill_ones(top.pos, root_.y.size());
  fill_ones(top.neg, in.n_neg);
  top.critical.clear();
  top.available.resize(in.n_lit);
  for (std::size_t l = 0; l < in.n_lit; ++l) top.available[l] = static_cast<std::int32_t>(l);
  if (in.n_neg == 0) {
    const std::int64_t value = total - request.scale * in.price(0);
    if (value > threshold_) report(value);
  } else {
    visit(0, &root_, total);
  }
  answer_.exhausted = !stop_;
  answer_.threshold = threshold_;
  std::sort(answer_.rules.begin(), answer_.rules.end(), heavier);
  return std::move(answer_);
}

// What the kept price must exceed for a rule of so many literals to be reported.
std::int64_t RulePricer::bar(std::size_t n_literals) const {
  return request_->scale * instance_.price(n_literals) + threshold_;
}

void RulePricer::report(std::int64_t value) {
  auto& rules = answer_.rules;
  PricedRule rule{chosen_, value};
  std::sort(rule.literals.begin(), rule.literals.end());
  if (rules.size() < request_->max_columns) {
    rules.push_back(std::move(rule));
    std::push_heap(rules.begin(), rules.end(), heavier);
  } else if (request_->keep_best) {
    std::pop_heap(rules.begin(), rules.end(), heavier);
    rules.back() = std::move(rule);
    std::push_heap(rules.begin(), rules.end(), heavier);
  } else {
    stop_ = true;
    return;
  }
  if (request_->keep_best && rules.size() == request_->max_columns)
    threshold_ = std::max(threshold_, rules.front().value);
}

void RulePricer::pack(const Frame& from, Level& level, Frame& to) {
  const std::size_t n_pos = count(level.pos.data(), from.pos_words);
  const std::size_t n_neg = count(level.neg.data(), from.neg_words);
  to.pos_words = words_for(n_pos);
  to.neg_words = words_for(n_neg);
  to.lit_pos.resize(instance_.n_lit * to.pos_words);
  to.lit_neg.resize(instance_.n_lit * to.neg_words);
  to.y.clear();
  for_each(level.pos.data(), from.pos_words, [&](std::size_t i) { to.y.push_back(from.y[i]); });
  for (const auto literal : level.available) {
    const auto l = static_cast<std::size_t>(literal);
    pack_row(from.pos(l), level.pos.data(), from.pos_words, to.lit_pos.data() + l * to.pos_words, to.pos_words);
    pack_row(from.neg(l), level.neg.data(), from.neg_words, to.lit_neg.data() + l * to.neg_words, to.neg_words);
  }
  fill_ones(level.pos, n_pos);
  fill_ones(level.neg, n_neg);
}

// Drops literals that cannot be in a reported rule below this node and counts, per negative, the excluders
// that remain. Returns the number of slices used.
std::size_t RulePricer::filter(Level& level, const Frame& frame, std::size_t n_chosen, std::size_t more, bool first) {
  const std::size_t pw = frame.pos_words, nw = frame.neg_words;
  const Word* pos = level.pos.data();
  const Word* neg = level.neg.data();
  const std::int64_t last_bar = bar(n_chosen + 1), later_bar = bar(n_chosen + std::max<std::size_t>(2, more));
  const std::int64_t lowest_bar = more >= 2 ? later_bar : last_bar;
  const std::size_t n_neg = first ? count(neg, nw) : 0;
  std::size_t n_slices = 0, write = 0;
  level.slices.clear();
  if (first) {
    level.held.resize(level.available.size());
    level.n_pos.resize(level.available.size());
    level.n_neg.resize(level.available.size());
  }
  for (std::size_t a = 0; a < level.available.size(); ++a) {
    const std::int32_t literal = level.available[a];
    const auto l = static_cast<std::size_t>(literal);
    const Word* literal_neg = frame.neg(l);
    std::int64_t held = 0;
    std::int32_t kept = 0, through = 0;
    if (first) {
      const Word* literal_pos = frame.pos(l);
      for (std::size_t k = 0; k < pw; ++k)
        for (Word w = pos[k] & literal_pos[k]; w; w &= w - 1) {
          held += frame.y[k * kWordBits + static_cast<std::size_t>(lowest_bit(w))];
          ++kept;
        }
      if (kept == 0 || held <= lowest_bar) continue;
      for (std::size_t k = 0; k < nw; ++k) through += popcount(neg[k] & literal_neg[k]);
      if (static_cast<std::size_t>(through) == n_neg) continue;
    } else {
      held = level.held[a];
      kept = level.n_pos[a];
      through = level.n_neg[a];
      if (held <= lowest_bar) continue;
    }
    if (through > 0 && held <= later_bar) continue;
    level.available[write] = literal;
    level.n_pos[write] = kept;
    level.n_neg[write] = through;
    level.held[write++] = held;
  }
  level.available.resize(write);
  level.held.resize(write);
  if (first && write > 1 && (request_->unpriced_too || n_chosen == 0)) drop_dominated(level, frame);
  for (const auto literal : level.available) {
    const Word* literal_neg = frame.neg(static_cast<std::size_t>(literal));
    for (std::size_t k = 0; k < nw; ++k) {
      Word carry = neg[k] & ~literal_neg[k];
      for (std::size_t s = 0; carry; ++s) {
        if (s == n_slices) {
          level.slices.resize((n_slices + 1) * nw, 0);
          ++n_slices;
        }
        Word& slice = level.slices[s * nw + k];
        const Word next = slice & carry;
        slice ^= carry;
        carry = next;
      }
    }
  }
  return n_slices;
}

void RulePricer::drop_dominated(Level& level, const Frame& frame) const {
  const Word* pos = level.pos.data();
  const Word* neg = level.neg.data();
  const std::size_t n = level.available.size();
  std::size_t write = 0;
  for (std::size_t a = 0; a < n; ++a) {
    const std::int32_t literal = level.available[a];
    const Word* a_pos = frame.pos(static_cast<std::size_t>(literal));
    const Word* a_neg = frame.neg(static_cast<std::size_t>(literal));
    bool dominated = false;
    // Those already dropped may dominate too, but then so does what dominates them; entries below `write` moved down.
    for (std::size_t b = 0; b < n && !dominated; ++b) {
      if (b >= write && b <= a) continue;
      if (level.available[b] >= literal || level.n_pos[b] < level.n_pos[a] || level.n_neg[b] > level.n_neg[a]) continue;
      const Word* b_pos = frame.pos(static_cast<std::size_t>(level.available[b]));
      const Word* b_neg = frame.neg(static_cast<std::size_t>(level.available[b]));
      dominated = true;
      for (std::size_t k = 0; k < frame.pos_words && dominated; ++k) dominated = (pos[k] & a_pos[k] & ~b_pos[k]) == 0;
      for (std::size_t k = 0; k < frame.neg_words && dominated; ++k) dominated = (neg[k] & b_neg[k] & ~a_neg[k]) == 0;
    }
    if (dominated) continue;
    level.available[write] = literal;
    level.held[write] = level.held[a];
    level.n_pos[write] = level.n_pos[a];
    level.n_neg[write++] = level.n_neg[a];
  }
  level.available.resize(write);
  level.held.resize(write);
}

// The member of `among` with the fewest excluders, or -1 if it has none at all.
std::int64_t RulePricer::pick_pivot(Level& level, std::size_t nw, std::size_t n_slices, const Word* among) const {
  level.mask.assign(among, among + nw);
  bool no_excluder = true;
  for (std::size_t s = n_slices; s-- > 0;) {
    const Word* slice = level.slices.data() + s * nw;
    bool some_without = false;
    for (std::size_t k = 0; k < nw; ++k) some_without |= (level.mask[k] & ~slice[k]) != 0;
    if (some_without)
      for (std::size_t k = 0; k < nw; ++k) level.mask[k] &= ~slice[k];
    else
      no_excluder = false;
  }
  if (no_excluder) return -1;
  for (std::size_t k = 0; k < nw; ++k)
    if (level.mask[k]) return static_cast<std::int64_t>(k * kWordBits) + lowest_bit(level.mask[k]);
  return -1;
}

void RulePricer::visit(std::size_t depth, const Frame* frame, std::int64_t held_now) {
  if (stop_) return;
  ++answer_.nodes;
  if (answer_.nodes > request_->max_nodes || control_->should_stop()) {
    stop_ = true;
    return;
  }
  const std::size_t n_chosen = chosen_.size();
  if (held_now <= bar(n_chosen + 1)) return;
  Level& level = levels_[depth];
  if (frame->pos_words + frame->neg_words > 3 &&
      2 * (words_for(count(level.pos.data(), frame->pos_words)) + words_for(count(level.neg.data(), frame->neg_words))) <=
          frame->pos_words + frame->neg_words) {
    pack(*frame, level, level.frame);
    frame = &level.frame;
  }
  const std::size_t nw = frame->neg_words;
  std::size_t more = 1;
  std::size_t n_slices = filter(level, *frame, n_chosen, more, true);
  std::int64_t pivot = pick_pivot(level, nw, n_slices, level.neg.data());
  if (pivot < 0) return;
  for (;;) {
    // Greedy packing: negatives no usable literal excludes two of.
    std::vector<Word>& apart = levels_[depth + 1].neg;  // free until a child is made
    apart.assign(level.neg.begin(), level.neg.begin() + static_cast<std::ptrdiff_t>(nw));
    std::size_t packed = 0;
    for (std::int64_t at = pivot; at >= 0;) {
      ++packed;
      for (const auto literal : level.available) {
        const Word* literal_neg = frame->neg(static_cast<std::size_t>(literal));
        if (!test_bit(literal_neg, static_cast<std::size_t>(at)))
          for (std::size_t k = 0; k < nw; ++k) apart[k] &= literal_neg[k];
      }
      if (!any(apart.data(), nw)) break;
      at = pick_pivot(level, nw, n_slices, apart.data());
    }
    if (packed <= more) break;
    more = packed;
    const std::size_t before = level.available.size();
    n_slices = filter(level, *frame, n_chosen, more, false);
    pivot = pick_pivot(level, nw, n_slices, level.neg.data());
    if (pivot < 0) return;
    if (level.available.size() == before) break;
  }

  level.branch.clear();
  level.branch_held.clear();
  std::size_t write = 0;
  for (std::size_t a = 0; a < level.available.size(); ++a) {
    const std::int32_t literal = level.available[a];
    if (test_bit(frame->neg(static_cast<std::size_t>(literal)), static_cast<std::size_t>(pivot))) {
      level.available[write++] = literal;
    } else {
      level.branch.push_back(literal);
      level.branch_held.push_back(level.held[a]);
    }
  }
  level.available.resize(write);
  std::vector<std::size_t> order(level.branch.size());
  for (std::size_t b = 0; b < order.size(); ++b) order[b] = b;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return level.branch_held[a] > level.branch_held[b]; });

  const std::size_t root_nw = root_.neg_words;
  for (std::size_t o = 0; o < order.size() && !stop_; ++o) {
    const std::int32_t literal = level.branch[order[o]];
    const std::int64_t held = level.branch_held[order[o]];
    const auto l = static_cast<std::size_t>(literal);
    Level& child = levels_[depth + 1];
    child.neg.resize(nw);
    assign_and(child.neg.data(), level.neg.data(), frame->neg(l), nw);
    const bool finished = !any(child.neg.data(), nw);
    if (finished ? held <= bar(n_chosen + 1) : held <= bar(n_chosen + 2)) continue;

    // Every chosen literal must keep a negative that it alone excludes.
    const Word* root_literal = instance_.neg(l);
    child.critical.resize((n_chosen + 1) * root_nw);
    bool superfluous = false;
    for (std::size_t c = 0; c < n_chosen && !superfluous; ++c) {
      Word* crit = child.critical.data() + c * root_nw;
      assign_and(crit, level.critical.data() + c * root_nw, root_literal, root_nw);
      superfluous = !any(crit, root_nw);
    }
    if (superfluous) continue;
    if (finished) {
      chosen_.push_back(literal);
      report(held - request_->scale * instance_.price(n_chosen + 1));
      chosen_.pop_back();
      continue;
    }
    Word* own = child.critical.data() + n_chosen * root_nw;
    for (std::size_t k = 0; k < root_nw; ++k) own[k] = ~root_literal[k];
    if (instance_.n_neg % kWordBits) own[root_nw - 1] &= (Word{1} << (instance_.n_neg % kWordBits)) - 1;
    for (const auto other : chosen_) assign_and(own, own, instance_.neg(static_cast<std::size_t>(other)), root_nw);

    child.pos.resize(frame->pos_words);
    assign_and(child.pos.data(), level.pos.data(), frame->pos(l), frame->pos_words);
    child.available = level.available;
    for (std::size_t later = o + 1; later < order.size(); ++later) child.available.push_back(level.branch[order[later]]);
    chosen_.push_back(literal);
    visit(depth + 1, frame, held);
    chosen_.pop_back();
  }
}

}  // namespace laconic
