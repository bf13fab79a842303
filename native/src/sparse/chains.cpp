#include "sparse/chains.hpp"

#include <algorithm>

namespace laconic {
namespace {

// The sides of a column, and where it has missing values its features, take turns in the order of literals.
constexpr std::size_t kOpen = 4;

enum class Nesting { none, equal, falling, rising };

Nesting nesting(const ClassInstance& in, std::size_t a, std::size_t b) {
  const auto within = [&](std::size_t x, std::size_t y) {
    return is_subset(in.pos_of(x), in.pos_of(y), in.pos.n_words) &&
           is_subset(in.neg_of(x), in.neg_of(y), in.neg.n_words);
  };
  if (within(b, a)) return within(a, b) ? Nesting::equal : Nesting::falling;
  return within(a, b) ? Nesting::rising : Nesting::none;
}

struct OpenChain {
  std::size_t last;
  std::uint32_t number;
  Nesting direction;  // equal: not known yet

  bool goes_on(Nesting next) const {
    return next == Nesting::equal || next == direction || (next != Nesting::none && direction == Nesting::equal);
  }
};

// For each dominance between neighbours of a stack: which of two literals goes, if any.
enum class Dominated { neither, former, latter };

// Keeps of the items, in order, those that survive comparison with the last survivor of their chain. If one literal of
// a chain dominates another, so do all between them in the same direction, so it is enough to compare neighbours.
template <class Item, class LiteralOf, class Compare>
void drop_dominated(std::vector<Item>& items, ChainMarks& marks, LiteralOf literal_of, Compare compare) {
  constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> before(items.size(), kNone);  // the last survivor of the chain before each item
  std::vector<char> dead(items.size(), 0);
  marks.clear();
  for (std::uint32_t k = 0; k < items.size(); ++k) {
    const std::uint16_t l = literal_of(items[k]);
    std::uint32_t top = marks.has(l) ? marks.value(l) : kNone;
    Dominated which = Dominated::neither;
    while (top != kNone && (which = compare(items[top], items[k])) == Dominated::former)
      dead[top] = 1, top = before[top];
    dead[k] = top != kNone && which == Dominated::latter;
    before[k] = top;
    marks.set(l, dead[k] ? top : k);
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < items.size(); ++k)
    if (!dead[k]) items[kept++] = items[k];
  items.resize(kept);
}

void keep_only(ClassInstance& in, const std::vector<std::uint16_t>& stay) {
  const auto compact = [&](std::vector<Word>& bits, std::size_t n_words) {
    for (std::size_t k = 0; k < stay.size(); ++k)
      std::copy_n(bits.begin() + static_cast<long>(stay[k] * n_words), n_words,
                  bits.begin() + static_cast<long>(k * n_words));
    bits.resize(stay.size() * n_words);
  };
  compact(in.pos_bits, in.pos.n_words);
  compact(in.neg_bits, in.neg.n_words);
  for (std::size_t k = 0; k < stay.size(); ++k)
    in.literal_code[k] = in.literal_code[stay[k]], in.chain[k] = in.chain[stay[k]];
  in.literal_code.resize(stay.size());
  in.chain.resize(stay.size());
}

}  // namespace

void find_chains(ClassInstance& in) {
  in.chain.assign(in.n_literals(), 0);
  in.n_chains = 0;
  std::vector<OpenChain> open;  // the last extended comes last
  for (std::size_t l = 0; l < in.n_literals(); ++l) {
    OpenChain chain{l, 0, Nesting::equal};
    std::size_t k = open.size();
    Nesting next = Nesting::none;
    while (k > 0 && !open[k - 1].goes_on(next = nesting(in, open[k - 1].last, l))) --k;
    if (k > 0) {
      const OpenChain& found = open[k - 1];
      chain = {l, found.number, next == Nesting::equal ? found.direction : next};
      open.erase(open.begin() + static_cast<long>(k - 1));
    } else {
      chain.number = in.n_chains++;
      if (open.size() == kOpen) open.erase(open.begin());
    }
    in.chain[l] = chain.number;
    open.push_back(chain);
  }
}

void drop_dominated_in_chains(ClassInstance& in) {
  std::vector<std::uint16_t> stay(in.n_literals());
  for (std::size_t l = 0; l < stay.size(); ++l) stay[l] = static_cast<std::uint16_t>(l);
  ChainMarks marks(in);
  const auto dominates = [&](std::size_t a, std::size_t b) {
    return is_subset(in.pos_of(b), in.pos_of(a), in.pos.n_words) &&
           is_subset(in.neg_of(a), in.neg_of(b), in.neg.n_words);
  };
  drop_dominated(
      stay, marks, [](std::uint16_t l) { return l; },
      [&](std::uint16_t former, std::uint16_t latter) {
        if (dominates(former, latter)) return Dominated::latter;
        return dominates(latter, former) ? Dominated::former : Dominated::neither;
      });
  keep_only(in, stay);
}

void drop_dominated_in_chains(std::vector<Effect>& effects, ChainMarks& marks) {
  drop_dominated(
      effects, marks, [](const Effect& effect) { return effect.literal; },
      [](const Effect& former, const Effect& latter) {
        if (former.kept >= latter.kept && former.excluded >= latter.excluded) return Dominated::latter;
        if (latter.kept >= former.kept && latter.excluded >= former.excluded) return Dominated::former;
        return Dominated::neither;
      });
}

}  // namespace laconic
