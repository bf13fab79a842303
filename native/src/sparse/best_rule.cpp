// The best single rule, by depth-first search.
//
// gain(R) = weight(new positives) - weight(new negatives) - price(R). Adding literals only lowers the first term, so
// weight(new positives) - price(R) - literal_cost bounds all longer rules. A literal that excludes at most literal_cost
// of the unpaid negatives is never worth adding. Every rule covers a new positive, even one that a class must have
// although it does not pay. The greedy covering that repeats this step is the first incumbent of every search.
//
// The search for the best rule is limited to a number of nodes, and starting with the best rule is not always the best
// start. So where more search is needed, a second covering is made, with rules that grow literal by literal; on some
// tables it is the better one.
#include "sparse/best_rule.hpp"

#include <algorithm>
#include <limits>

namespace laconic {
namespace {

class Search {
 public:
  Search(const ClassInstance& in, std::uint64_t max_nodes, Control& control)
      : in_(in), max_nodes_(max_nodes), control_(control) {}

  BestRule run(const Word* uncovered, const Word* unpaid) {
    std::vector<std::uint16_t> literals(in_.n_literals());
    for (std::size_t l = 0; l < literals.size(); ++l) literals[l] = static_cast<std::uint16_t>(l);
    best_.gain = std::numeric_limits<Weight>::min();
    best_.complete = visit(uncovered, unpaid, in_.pos.weigh(uncovered), in_.neg.weigh(unpaid), literals);
    return best_;
  }

 private:
  bool visit(const Word* pos, const Word* neg, Weight pos_weight, Weight neg_weight,
             const std::vector<std::uint16_t>& extend) {
    if (control_.should_stop() || (max_nodes_ && nodes_ >= max_nodes_)) return false;
    ++nodes_;
    const Weight gain = pos_weight - neg_weight - in_.price(body_.size());
    const bool is_vain = pos_weight <= 0 && in_.pos.n_rows > 0;
    if (!is_vain && (!best_.found || gain > best_.gain)) {
      best_.gain = gain;
      best_.body = body_;
      best_.found = true;
    }
    const Weight next_price = in_.price(body_.size() + 1);
    if (pos_weight - next_price <= best_.gain || body_.size() >= in_.max_length) return true;
    struct Child {
      std::uint16_t literal;
      Weight pos, neg;
    };
    std::vector<Child> children;
    for (std::uint16_t l : extend) {
      if (opposes_body(l)) continue;
      const Weight kept = in_.pos.weigh_and(pos, in_.pos_of(l));
      if (kept <= 0 && in_.pos.n_rows > 0) continue;
      if (kept - next_price <= best_.gain) continue;
      const Weight wrong = in_.neg.weigh_and(neg, in_.neg_of(l));
      if (neg_weight - wrong <= in_.literal_cost) continue;
      children.push_back({l, kept, wrong});
    }
    std::sort(children.begin(), children.end(), [](const Child& a, const Child& b) {
      return a.pos - a.neg != b.pos - b.neg ? a.pos - a.neg > b.pos - b.neg : a.literal < b.literal;
    });
    std::vector<Word> child_pos(in_.pos.n_words), child_neg(in_.neg.n_words);
    std::vector<std::uint16_t> rest;
    for (std::size_t k = 0; k < children.size(); ++k) {
      const Child& c = children[k];
      if (c.pos - next_price <= best_.gain) continue;
      assign_and(child_pos.data(), pos, in_.pos_of(c.literal), in_.pos.n_words);
      assign_and(child_neg.data(), neg, in_.neg_of(c.literal), in_.neg.n_words);
      rest.clear();
      for (std::size_t m = k + 1; m < children.size(); ++m) rest.push_back(children[m].literal);
      body_.push_back(c.literal);
      const bool going = visit(child_pos.data(), child_neg.data(), c.pos, c.neg, rest);
      body_.pop_back();
      if (!going) return false;
    }
    return true;
  }

  // "a and not a" is not a rule, however little it covers.
  bool opposes_body(std::uint16_t l) const {
    for (auto b : body_)
      if (in_.literal_code[b] / 2 == in_.literal_code[l] / 2) return true;
    return false;
  }

  const ClassInstance& in_;
  const std::uint64_t max_nodes_;
  Control& control_;
  std::uint64_t nodes_ = 0;
  BestRule best_;
  std::vector<std::uint16_t> body_;
};

}  // namespace

BestRule best_rule(const ClassInstance& instance, const Word* uncovered, const Word* unpaid, std::uint64_t max_nodes,
                   Control& control) {
  return Search(instance, max_nodes, control).run(uncovered, unpaid);
}

namespace {

// Adds the rule that next(uncovered, unpaid) returns, as long as it has a gain.
template <class Next>
std::vector<std::vector<std::uint16_t>> while_it_pays(const ClassInstance& in, Control& control, Next next) {
  std::vector<Word> uncovered(in.pos.n_words), unpaid(in.neg.n_words), pos(in.pos.n_words), neg(in.neg.n_words);
  fill_all(uncovered.data(), in.pos.n_rows, in.pos.n_words);
  fill_all(unpaid.data(), in.neg.n_rows, in.neg.n_words);
  std::vector<std::vector<std::uint16_t>> rules;
  while (!control.check_now()) {
    const BestRule rule = next(uncovered.data(), unpaid.data());
    if (!rule.found || rule.gain <= 0) break;
    rules.push_back(rule.body);
    RulePool(in).cover_of(rule.body, pos.data(), neg.data());
    remove_all(uncovered.data(), pos.data(), pos.size());
    remove_all(unpaid.data(), neg.data(), neg.size());
  }
  return rules;
}

// Grows the best of the single literals, each by the literal with the largest remaining gain, as long as that loses
// less than the literal costs; returns the best rule found.
BestRule grown_rule(const ClassInstance& in, const Word* uncovered, const Word* unpaid, Control& control) {
  struct Step {
    Weight gain;
    std::uint16_t literal;
    bool operator<(const Step& other) const { return gain != other.gain ? gain > other.gain : literal < other.literal; }
  };
  const auto steps = [&](const Word* pos, const Word* neg, const std::vector<std::uint16_t>& body) {
    std::vector<Step> out;
    for (std::size_t l = 0; l < in.n_literals(); ++l) {
      const auto same_feature = [&](std::uint16_t b) { return in.literal_code[b] / 2 == in.literal_code[l] / 2; };
      if (std::any_of(body.begin(), body.end(), same_feature)) continue;
      const Weight gain =
          in.pos.weigh_and(pos, in.pos_of(l)) - in.neg.weigh_and(neg, in.neg_of(l)) - in.price(body.size() + 1);
      out.push_back({gain, static_cast<std::uint16_t>(l)});
    }
    std::sort(out.begin(), out.end());
    return out;
  };
  BestRule best;
  best.gain = in.pos.weigh(uncovered) - in.neg.weigh(unpaid) - in.price(0);
  best.found = true;
  const std::vector<Step> starts = steps(uncovered, unpaid, {});
  std::vector<Word> pos(in.pos.n_words), neg(in.neg.n_words);
  for (std::size_t s = 0; s < std::min(in.options->sparse_grow_starts, starts.size()) && in.max_length > 0; ++s) {
    std::vector<std::uint16_t> body;
    std::copy(uncovered, uncovered + pos.size(), pos.begin());
    std::copy(unpaid, unpaid + neg.size(), neg.begin());
    for (Step step = starts[s]; !control.check_now();) {
      body.push_back(step.literal);
      if (step.gain > best.gain) best.gain = step.gain, best.body = body;
      assign_and(pos.data(), pos.data(), in.pos_of(step.literal), pos.size());
      assign_and(neg.data(), neg.data(), in.neg_of(step.literal), neg.size());
      const std::vector<Step> next = steps(pos.data(), neg.data(), body);
      if (next.empty() || body.size() >= in.max_length || next[0].gain <= step.gain - in.literal_cost) break;
      step = next[0];
    }
  }
  return best;
}

}  // namespace

std::vector<std::vector<std::uint16_t>> greedy_rules(const ClassInstance& in, std::uint64_t max_nodes,
                                                     Control& control) {
  return while_it_pays(in, control, [&](const Word* uncovered, const Word* unpaid) {
    return best_rule(in, uncovered, unpaid, max_nodes, control);
  });
}

std::vector<std::vector<std::uint16_t>> grown_rules(const ClassInstance& in, Control& control) {
  return while_it_pays(in, control, [&](const Word* uncovered, const Word* unpaid) {
    return grown_rule(in, uncovered, unpaid, control);
  });
}

}  // namespace laconic
