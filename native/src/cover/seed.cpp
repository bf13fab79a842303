// The rules over one positive, the seed, that given prices overpay, by depth-first search.
//
// A rule over the seed uses only literals that hold on it, and must contain, for every negative, a literal that
// excludes it. Some negatives differ from the seed in a few features only, so the search, which picks the negative that
// the fewest usable literals exclude and branches on those, is narrow; without a seed every negative has as many
// excluders as there are features. Each literal is forbidden to its later siblings, so no rule is visited twice. The
// search is pruned as follows:
//
// - only negatives with a minimal set of excluders count: a literal that excludes them excludes the others;
//
// - a positive counts only as long as, for every negative of a packing, some usable excluder holds on it;
//
// - a literal is unusable below a node once the price it keeps cannot pay for the literals still needed; these are at
//   least as many as the negatives of a packing with disjoint excluders (found greedily);
//
// - a chosen literal that has no negative of its own left is superfluous, and so is the whole subtree (the critical
//   sets of Murakami and Uno's hitting-set enumeration);
//
// - a literal is not needed below a node if one of lower number keeps all its positives and excludes at least the same
//   negatives: replacing it gives a rule with the same price that covers as much, and since replacements only lower the
//   numbers, that rule (or an equally good one) is found elsewhere;
//
// - rows are packed again as the sets shrink, so deep nodes work on one or two words.
//
// Negatives are counted per excluder with bit-sliced counters: a few word operations per literal instead of one per
// negative. All sums are integers.
#include "cover/seed.hpp"

#include <algorithm>

#include "cover/pack.hpp"

namespace laconic {
SeedSearch::SeedSearch(const CoverInstance& instance) : in_(instance) {}

SeedAnswer SeedSearch::search(const SeedRequest& request, PricedRules& found, Control& control) {
  request_ = &request;
  found_ = &found;
  n_found_ = 0;
  kept_.clear();
  control_ = &control;
  answer_ = {};
  answer_.best = threshold_ = request.threshold;
  stop_ = false;
  chosen_.clear();
  if (in_.n_neg == 0) {
    const std::int64_t value = weight_of(request.rows, in_.pos_words, request.y) - request.scale * in_.price(0);
    if (value > threshold_) report(value);
  } else if (set_up()) {
    std::int64_t total = 0;
    for (const auto v : root_.y) total += v;
    visit(0, &root_, total);
  }
  for (const Kept& rule : kept_) {
    find_cover(in_, rule.literals, cover_);
    add(rule.literals, rule.value);
  }
  answer_.complete = !stop_;
  return answer_;
}

// Represents the negatives by the sets of the seed's literals that exclude them, and keeps only minimal sets.
void SeedSearch::keep_minimal_negatives() {
  const std::size_t lw = in_.lit_words;
  const Word* own = in_.lits(request_->seed);
  excluders_.resize(in_.n_neg * lw);
  for (auto& bucket : by_size_) bucket.clear();
  for (std::size_t j = 0; j < in_.n_neg; ++j) {
    const Word* other = in_.neg_lits.data() + j * lw;
    Word* set = excluders_.data() + j * lw;
    std::size_t n = 0;
    for (std::size_t k = 0; k < lw; ++k) {
      set[k] = own[k] & ~other[k];
      n += static_cast<std::size_t>(popcount(set[k]));
    }
    if (n >= by_size_.size()) by_size_.resize(n + 1);
    by_size_[n].push_back(static_cast<std::int32_t>(j));
  }
  minimal_.clear();
  for (const auto& bucket : by_size_)
    for (const auto j : bucket) {
      const Word* set = excluders_.data() + static_cast<std::size_t>(j) * lw;
      const std::size_t compared = std::min(minimal_.size(), in_.options->cover_seed_compared * lw);
      bool implied = false;
      for (std::size_t at = 0; at < compared && !implied; at += lw) implied = is_subset(minimal_.data() + at, set, lw);
      if (!implied) minimal_.insert(minimal_.end(), set, set + lw);
    }
}

// Builds the small problem of the seed; returns false if no rule over the seed can have enough value.
bool SeedSearch::set_up() {
  const std::size_t lw = in_.lit_words, pw = in_.pos_words;
  keep_minimal_negatives();
  const std::size_t n_neg = minimal_.size() / lw;
  rows_.assign(request_->rows, request_->rows + pw);
  // Positives that share no consistent rule with the seed do not count.
  for (std::size_t j = 0; j < std::min(n_neg, in_.options->cover_seed_compared); ++j) {
    reach_.assign(pw, 0);
    for_each(minimal_.data() + j * lw, lw, [&](std::size_t l) {
      const Word* pos = in_.pos(l);
      for (std::size_t k = 0; k < pw; ++k) reach_[k] |= pos[k];
    });
    assign_and(rows_.data(), rows_.data(), reach_.data(), pw);
  }
  root_.y.clear();
  std::int64_t total = 0;
  for_each(rows_.data(), pw, [&](std::size_t i) {
    root_.y.push_back(request_->y[i]);
    total += request_->y[i];
  });
  if (!test_bit(rows_.data(), request_->seed) || total <= bar(1)) return false;

  literal_.clear();
  for_each(in_.lits(request_->seed), lw, [&](std::size_t l) { literal_.push_back(static_cast<std::int32_t>(l)); });
  root_.pos_words = words_for(root_.y.size());
  root_.neg_words = words_for(n_neg);
  root_.lit_pos.resize(literal_.size() * root_.pos_words);
  root_.lit_neg.assign(literal_.size() * root_.neg_words, 0);
  for (std::size_t a = 0; a < literal_.size(); ++a) {
    const auto l = static_cast<std::size_t>(literal_[a]);
    pack_row(in_.pos(l), rows_.data(), pw, root_.lit_pos.data() + a * root_.pos_words, root_.pos_words);
    for (std::size_t j = 0; j < n_neg; ++j)
      if (!test_bit(minimal_.data() + j * lw, l)) set_bit(root_.lit_neg.data() + a * root_.neg_words, j);
  }
  if (levels_.size() < literal_.size() + 2) levels_.resize(literal_.size() + 2);
  Level& top = levels_[0];
  fill_ones(top.pos, root_.y.size());
  fill_ones(top.neg, n_neg);
  top.critical.clear();
  top.available.resize(literal_.size());
  for (std::size_t a = 0; a < literal_.size(); ++a) top.available[a] = static_cast<std::int32_t>(a);
  return true;
}

// A rule with this number of literals is reported if the price that it keeps exceeds this.
std::int64_t SeedSearch::bar(std::size_t n_literals) const {
  return request_->scale * in_.price(n_literals) + threshold_;
}

void SeedSearch::report(std::int64_t value) {
  answer_.best = std::max(answer_.best, value);
  rule_.clear();
  for (const auto a : chosen_) rule_.push_back(literal_[static_cast<std::size_t>(a)]);
  find_cover(in_, rule_, cover_);
  if (intersects(cover_.data(), request_->told, in_.pos_words)) return;
  std::sort(rule_.begin(), rule_.end());
  if (request_->keep && kept_.size() == request_->keep) {
    std::pop_heap(kept_.begin(), kept_.end());
    kept_.pop_back();
  } else if (n_found_++ == request_->most) {
    stop_ = true;
    return;
  }
  if (!request_->keep) return add(rule_, value);
  kept_.push_back({rule_, value});
  std::push_heap(kept_.begin(), kept_.end());
  if (kept_.size() == request_->keep) threshold_ = std::max(threshold_, kept_.front().value);
}

// Adds a rule with its cover, which is known.
void SeedSearch::add(const Literals& literals, std::int64_t value) {
  found_->rules.add({literals.data(), literals.size(), cover_.data(), in_.price(literals.size())});
  found_->values.push_back(value);
}

void SeedSearch::pack(const Frame& from, Level& level, Frame& to) {
  const std::size_t n_pos = count(level.pos.data(), from.pos_words);
  const std::size_t n_neg = count(level.neg.data(), from.neg_words);
  to.pos_words = words_for(n_pos);
  to.neg_words = words_for(n_neg);
  to.lit_pos.resize(literal_.size() * to.pos_words);
  to.lit_neg.resize(literal_.size() * to.neg_words);
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

// Computes the price and the rows that each usable literal keeps.
void SeedSearch::weigh_literals(Level& level, const Frame& frame) const {
  const std::size_t pw = frame.pos_words, nw = frame.neg_words, n = level.available.size();
  const Word* pos = level.pos.data();
  level.held.resize(n);
  level.n_pos.resize(n);
  level.n_neg.resize(n);
  for (std::size_t a = 0; a < n; ++a) {
    const auto l = static_cast<std::size_t>(level.available[a]);
    const Word* literal_pos = frame.pos(l);
    std::int64_t held = 0;
    std::int32_t kept = 0;
    for (std::size_t k = 0; k < pw; ++k)
      for (Word w = pos[k] & literal_pos[k]; w; w &= w - 1) {
        held += frame.y[k * kWordBits + static_cast<std::size_t>(lowest_bit(w))];
        ++kept;
      }
    level.held[a] = held;
    level.n_pos[a] = kept;
    level.n_neg[a] = static_cast<std::int32_t>(count_and(level.neg.data(), frame.neg(l), nw));
  }
}

// Drops literals that cannot be in a reported rule below this node, if the rule needs at least `more` literals.
void SeedSearch::drop_unusable(Level& level, const Frame& frame, std::size_t n_chosen, std::size_t more) const {
  const auto all = static_cast<std::int32_t>(count(level.neg.data(), frame.neg_words));
  const std::int64_t last_bar = bar(n_chosen + 1), later_bar = bar(n_chosen + std::max<std::size_t>(2, more));
  const std::int64_t finish_bar = more >= 2 ? later_bar : last_bar;
  std::size_t write = 0;
  for (std::size_t a = 0; a < level.available.size(); ++a) {
    if (level.n_pos[a] == 0 || level.n_neg[a] == all || level.held[a] <= (level.n_neg[a] == 0 ? finish_bar : later_bar))
      continue;
    level.available[write] = level.available[a];
    level.held[write] = level.held[a];
    level.n_pos[write] = level.n_pos[a];
    level.n_neg[write++] = level.n_neg[a];
  }
  level.available.resize(write);
}

void SeedSearch::drop_dominated(Level& level, const Frame& frame) const {
  const Word* pos = level.pos.data();
  const Word* neg = level.neg.data();
  const std::size_t n = level.available.size();
  std::size_t write = 0;
  for (std::size_t a = 0; a < n; ++a) {
    const std::int32_t literal = level.available[a];
    const Word* a_pos = frame.pos(static_cast<std::size_t>(literal));
    const Word* a_neg = frame.neg(static_cast<std::size_t>(literal));
    bool dominated = false;
    // A dropped literal may dominate as well, but then its own dominator does; entries below `write` have been moved.
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
}

// Counts, per negative, the usable literals that exclude it. Returns the number of slices used.
std::size_t SeedSearch::count_excluders(Level& level, const Frame& frame) const {
  const std::size_t nw = frame.neg_words;
  const Word* neg = level.neg.data();
  std::size_t n_slices = 0;
  level.slices.clear();
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

// Returns the member of `among` with the fewest excluders, or -1 if `among` is empty.
std::int64_t SeedSearch::pick_pivot(Level& level, std::size_t nw, std::size_t n_slices, const Word* among) const {
  level.mask.assign(among, among + nw);
  bool no_excluder = true;
  for (std::size_t s = n_slices; s-- > 0;) {
    const Word* slice = level.slices.data() + s * nw;
    bool some_without = false;
    for (std::size_t k = 0; k < nw; ++k) some_without |= (level.mask[k] & ~slice[k]) != 0;
    if (some_without)
      remove_all(level.mask.data(), slice, nw);
    else
      no_excluder = false;
  }
  if (no_excluder) return -1;
  for (std::size_t k = 0; k < nw; ++k)
    if (level.mask[k]) return static_cast<std::int64_t>(k * kWordBits) + lowest_bit(level.mask[k]);
  return -1;
}

void SeedSearch::visit(std::size_t depth, const Frame* frame, std::int64_t held_now) {
  if (stop_) return;
  if (++answer_.nodes > request_->max_nodes || control_->should_stop()) {
    stop_ = true;
    return;
  }
  const std::size_t n_chosen = chosen_.size();
  if (held_now <= bar(n_chosen + 1)) return;
  Level& level = levels_[depth];
  if (frame->pos_words + frame->neg_words > 3 && 2 * (words_for(count(level.pos.data(), frame->pos_words)) +
                                                      words_for(count(level.neg.data(), frame->neg_words))) <=
                                                     frame->pos_words + frame->neg_words) {
    pack(*frame, level, level.frame);
    frame = &level.frame;
  }
  const std::size_t pw = frame->pos_words, nw = frame->neg_words;
  weigh_literals(level, *frame);
  drop_unusable(level, *frame, n_chosen, 1);
  if (request_->swap_anywhere || n_chosen == 0) drop_dominated(level, *frame);
  std::int64_t pivot = -1;
  std::size_t more = 1;
  for (int round = 0;; ++round) {
    const std::size_t n_slices = count_excluders(level, *frame);
    pivot = pick_pivot(level, nw, n_slices, level.neg.data());
    if (pivot < 0) return;
    if (round == in_.options->cover_seed_tightenings) break;
    // Greedy packing: negatives such that no usable literal excludes two. A positive that no excluder of one of them
    // keeps is lost.
    std::vector<Word>& apart = levels_[depth + 1].neg;  // free until a child is made
    apart.assign(level.neg.begin(), level.neg.begin() + static_cast<std::ptrdiff_t>(nw));
    std::size_t packed = 0;
    bool shrunk = false;
    for (std::int64_t at = pivot; at >= 0;) {
      ++packed;
      level.reach.assign(pw, 0);
      for (const auto literal : level.available) {
        const auto l = static_cast<std::size_t>(literal);
        const Word* literal_neg = frame->neg(l);
        if (test_bit(literal_neg, static_cast<std::size_t>(at))) continue;
        for (std::size_t k = 0; k < nw; ++k) apart[k] &= literal_neg[k];
        const Word* literal_pos = frame->pos(l);
        for (std::size_t k = 0; k < pw; ++k) level.reach[k] |= literal_pos[k];
      }
      for (std::size_t k = 0; k < pw; ++k) {
        shrunk |= (level.pos[k] & ~level.reach[k]) != 0;
        level.pos[k] &= level.reach[k];
      }
      if (!any(apart.data(), nw)) break;
      at = pick_pivot(level, nw, n_slices, apart.data());
    }
    if (packed <= more && !shrunk) break;
    more = std::max(more, packed);
    if (shrunk) weigh_literals(level, *frame);
    const std::size_t before = level.available.size();
    drop_unusable(level, *frame, n_chosen, more);
    if (level.available.size() == before) break;
  }
  branch(depth, *frame, static_cast<std::size_t>(pivot));
}

// One child per usable literal that excludes the pivot.
void SeedSearch::branch(std::size_t depth, const Frame& frame, std::size_t pivot) {
  const std::size_t n_chosen = chosen_.size(), nw = frame.neg_words, root_nw = root_.neg_words;
  Level& level = levels_[depth];
  level.branch.clear();
  level.branch_held.clear();
  std::size_t write = 0;
  for (std::size_t a = 0; a < level.available.size(); ++a) {
    const std::int32_t literal = level.available[a];
    if (test_bit(frame.neg(static_cast<std::size_t>(literal)), pivot)) {
      level.available[write++] = literal;
    } else {
      level.branch.push_back(literal);
      level.branch_held.push_back(level.held[a]);
    }
  }
  level.available.resize(write);
  level.order.resize(level.branch.size());
  for (std::size_t b = 0; b < level.order.size(); ++b) level.order[b] = b;
  std::stable_sort(level.order.begin(), level.order.end(),
                   [&](std::size_t a, std::size_t b) { return level.branch_held[a] > level.branch_held[b]; });

  for (std::size_t o = 0; o < level.order.size() && !stop_; ++o) {
    const std::int32_t literal = level.branch[level.order[o]];
    const std::int64_t held = level.branch_held[level.order[o]];
    const auto l = static_cast<std::size_t>(literal);
    Level& child = levels_[depth + 1];
    child.neg.resize(nw);
    assign_and(child.neg.data(), level.neg.data(), frame.neg(l), nw);
    const bool finished = !any(child.neg.data(), nw);
    if (finished ? held <= bar(n_chosen + 1) : held <= bar(n_chosen + 2)) continue;

    // Every chosen literal must keep a negative that it alone excludes.
    const Word* root_literal = root_.neg(l);
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
      report(held - request_->scale * in_.price(n_chosen + 1));
      chosen_.pop_back();
      continue;
    }
    Word* own = child.critical.data() + n_chosen * root_nw;
    for (std::size_t k = 0; k < root_nw; ++k) own[k] = ~root_literal[k];
    const std::size_t n_neg = minimal_.size() / in_.lit_words;
    if (n_neg % kWordBits) own[root_nw - 1] &= (Word{1} << (n_neg % kWordBits)) - 1;
    for (const auto other : chosen_) assign_and(own, own, root_.neg(static_cast<std::size_t>(other)), root_nw);

    child.pos.resize(frame.pos_words);
    assign_and(child.pos.data(), level.pos.data(), frame.pos(l), frame.pos_words);
    child.available = level.available;
    for (std::size_t later = o + 1; later < level.order.size(); ++later)
      child.available.push_back(level.branch[level.order[later]]);
    chosen_.push_back(literal);
    visit(depth + 1, &frame, held);
    chosen_.pop_back();
  }
}

}  // namespace laconic
