// One class, sparse objective: incumbent, bound, rule out, search.
//
// 1. Greedy covering gives an incumbent.
// 2. If few rules can matter and they split the rows into few groups, list them all and
//    search the list (list_search.cpp).
// 3. Else column generation: a short list of rules is the master; its dual, ascended over
//    merged rows, is priced by exact search over all rules (rule_pricer.cpp), which repairs it into a
//    feasible dual, i.e. a lower bound, and returns the rules it violated; these join the
//    master. As soon as the rules whose reduced cost fits between bound and incumbent can be
//    listed, they are, and the list is searched: the optimum is among them.
#include "sparse_solve.hpp"

#include <algorithm>
#include <numeric>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "best_rule.hpp"
#include "list_search.hpp"
#include "rule_pricer.hpp"
#include "sparse_candidates.hpp"

namespace laconic {
namespace {

constexpr std::size_t kSmallList = 1500;          // candidates listed at once
constexpr std::size_t kSmallBlame = 60'000;       // groups x groups of a problem searched at once
constexpr std::size_t kLongList = 20'000;         // reduced-cost survivors searched as a list
constexpr std::uint64_t kGreedyNodes = 3'000;

class SparseSolver {
 public:
  SparseSolver(const ClassInstance& in, bool must_choose, Control& control,
               const std::function<void(Weight, Weight)>& report)
      : in_(in), must_choose_(must_choose), control_(control), pool_(in),
        report_([&](Weight cost, Weight bound) {
          if (report) report(cost + in.constant, bound + in.constant);
        }) {}

  SparseResult run() {
    first_incumbent();
    if (in_.pos.n_rows > 0 && !control_.check_now()) {
      if (!list_everything()) generate_columns();
    } else if (in_.pos.n_rows == 0) {
      bound_ = best_.cost;
    }
    if (must_choose_ && !single_is_exact_) bound_ = std::min(bound_, in_.rule_cost);
    bound_ = std::min(bound_, best_.cost);
    SparseResult out;
    out.cost = best_.cost + in_.constant;
    out.bound = bound_ + in_.constant;
    out.n_candidates = pool_.size();
    out.n_nodes = search_.n_nodes;
    out.n_iterations = search_.n_iterations + iterations_;
    out.n_pricings = pricings_;
    for (auto r : best_.rules) {
      std::vector<std::int32_t> codes;
      for (std::size_t k = 0; k < pool_.length(r); ++k) codes.push_back(in_.literal_code[pool_.body(r)[k]]);
      out.rules.push_back(std::move(codes));
    }
    return out;
  }

 private:
  // Returns the pool number; rules already there are found by their literals.
  std::uint32_t add(std::vector<std::uint16_t> body) {
    std::sort(body.begin(), body.end());
    const auto [at, fresh] = number_.emplace(std::move(body), static_cast<std::uint32_t>(pool_.size()));
    if (fresh) pool_.add(at->first);
    return at->second;
  }

  void consider(const std::vector<std::uint32_t>& rules) {
    std::vector<Word> pos(in_.pos.n_words, 0), neg(in_.neg.n_words, 0);
    Weight cost = in_.pos.total;
    for (auto r : rules) {
      cost += pool_.price(r);
      for (std::size_t k = 0; k < pos.size(); ++k) pos[k] |= pool_.pos(r)[k];
      for (std::size_t k = 0; k < neg.size(); ++k) neg[k] |= pool_.neg(r)[k];
    }
    cost += in_.neg.weigh(neg.data()) - in_.pos.weigh(pos.data());
    if (cost >= best_.cost) return;
    best_ = {cost, rules};
    report_(best_.cost, bound_);
  }

  void first_incumbent() {
    best_.cost = in_.pos.total;  // the empty set
    if (must_choose_) {
      std::vector<Word> pos(in_.pos.n_words), neg(in_.neg.n_words);
      RulePool::fill_all(pos.data(), in_.pos.n_rows, pos.size());
      RulePool::fill_all(neg.data(), in_.neg.n_rows, neg.size());
      const auto rule = add({});
      best_ = {in_.price(0) + in_.neg.total, {rule}};
      const BestRule single = best_rule(in_, pos.data(), neg.data(), 0, control_);
      single_is_exact_ = single.complete;
      if (single.found) consider({add(single.body)});
    }
    report_(best_.cost, bound_);
    std::vector<std::uint32_t> rules;
    for (const auto& body : greedy_rules(in_, kGreedyNodes, control_)) rules.push_back(add(body));
    if (!rules.empty()) consider(rules);
    master_ = rules;
  }

  // Few candidates: list and search them all. Returns false if there are too many.
  bool list_everything() {
    RulePool candidates(in_);
    if (!enumerate_candidates(in_, kSmallList, control_, candidates)) return control_.check_now();
    std::vector<std::uint32_t> list;
    for (std::size_t r = 0; r < candidates.size(); ++r)
      list.push_back(add({candidates.body(r), candidates.body(r) + candidates.length(r)}));
    Grouping grouping = group_instance(in_, pool_, list);
    if (grouping.problem.n_pos() * grouping.problem.n_neg() > kSmallBlame) return false;
    search_list(std::move(grouping.problem));
    return true;
  }

  void search_list(ListProblem problem) {
    Dual dual = initial_dual(problem);
    shrink(problem, std::vector<char>(problem.rules.size(), 1), &dual);
    const auto report = [&](Weight cost, Weight bound) { report_(cost, std::max(bound_, bound)); };
    bound_ = std::max(bound_, search_.solve(std::move(problem), std::move(dual), must_choose_, best_, control_, report));
  }

  void generate_columns() {
    seed_master();
    Grouping grouping;
    Dual dual;
    Weight tried_slack = -1;
    const bool small = in_.pos.n_rows * in_.neg.n_rows <= 8 * kSmallBlame;
    for (int round = 0; !control_.check_now() && bound_ < best_.cost; ++round) {
      Grouping refined = group_instance(in_, pool_, master_);
      dual = carry(grouping, dual, refined);
      grouping = std::move(refined);
      AscentState state;
      ascend(grouping.problem, dual, static_cast<double>(best_.cost), round < 4 ? 80 : 200, state, control_);
      iterations_ += state.iterations;
      if (state.best_dual.y.empty()) break;
      dual = state.best_dual;
      improve_incumbent(grouping.problem, state);
      if (getenv("LACONIC_TRACE")) fprintf(stderr, "round %d master %zu groups %zux%zu L %.2f ub %ld lb %ld\n", round, master_.size(), grouping.problem.n_pos(), grouping.problem.n_neg(), state.best, (long)best_.cost, (long)bound_);

      RowDual rows = to_rows(in_, grouping, dual);
      // Quick looks suffice while they find plenty; a bound needs a complete pass.
      const std::size_t limit = small ? 40 : grouping.problem.n_pos() * grouping.problem.n_neg() > kSmallBlame ? 4 : 12;
      RowDual scratch = rows;
      Pricing priced = price_rules(in_, scratch, true, {limit, 2000}, control_);
      if (!priced.complete && priced.found.size() < 4) {
        Pricing thorough = price_rules(in_, rows, true, {20'000}, control_);
        thorough.n_nodes += priced.n_nodes;
        priced = std::move(thorough);
      } else {
        rows = std::move(scratch);
      }
      ++pricings_;
      if (getenv("LACONIC_TRACE")) fprintf(stderr, "   priced complete %d found %zu nodes %lu sum %.2f\n", priced.complete, priced.found.size(), priced.n_nodes, std::accumulate(rows.y.begin(), rows.y.end(), 0.0)/rows.scale);
      if (priced.complete) {
        const Weight sum = std::accumulate(rows.y.begin(), rows.y.end(), Weight{0});
        const Weight bound = (sum + rows.scale - 1) / rows.scale;
        if (bound > bound_) {
          bound_ = std::min(bound, best_.cost);
          report_(best_.cost, bound_);
        }
        if (bound_ >= best_.cost) return;
        // Rules that can be in a better set: list them once the gap allows.
        const Weight slack = (best_.cost - 1) * rows.scale - sum + 1;
        const bool near = 2 * slack <= 3 * in_.literal_cost * rows.scale || priced.found.empty();
        if (near && (tried_slack < 0 || slack < tried_slack - tried_slack / 8)) {
          tried_slack = slack;
          Pricing all = enumerate_rules(in_, rows, slack, {kLongList}, control_);
          ++pricings_;
          if (getenv("LACONIC_TRACE")) fprintf(stderr, "   enumerate slack %.2f complete %d found %zu nodes %lu\n", (double)slack/rows.scale, all.complete, all.found.size(), all.n_nodes);
          if (all.complete) {
            std::vector<std::uint32_t> list;
            for (auto& rule : all.found) list.push_back(add(std::move(rule.body)));
            ListProblem problem = group_instance(in_, pool_, list).problem;
            if (getenv("LACONIC_TRACE")) fprintf(stderr, "   listed groups %zux%zu\n", problem.n_pos(), problem.n_neg());
            if (problem.n_pos() * problem.n_neg() <= kSmallBlame || priced.found.empty()) {
              search_list(std::move(problem));
              return;
            }
          }
        }
      }
      std::sort(priced.found.begin(), priced.found.end(), [](const PricedRule& a, const PricedRule& b) {
        return a.value != b.value ? a.value > b.value : a.body < b.body;
      });
      std::set<std::uint32_t> known(master_.begin(), master_.end());
      std::size_t added = 0;
      for (auto& rule : priced.found) {
        const auto r = add(rule.body);
        if (known.insert(r).second) master_.push_back(r), ++added;
        if (added >= limit) break;
      }
    }
  }

  // A few strong rules beside the greedy ones: few rules mean few groups, so the first rounds are quick.
  void seed_master() {
    std::set<std::uint32_t> known(master_.begin(), master_.end());
    std::vector<std::pair<Weight, std::vector<std::uint16_t>>> ranked;
    std::vector<Word> pos(in_.pos.n_words), neg(in_.neg.n_words);
    const auto rank = [&](const std::vector<std::uint16_t>& body) {
      pool_.cover_of(body, pos.data(), neg.data());
      ranked.emplace_back(in_.neg.weigh(neg.data()) + in_.price(body.size()) - in_.pos.weigh(pos.data()), body);
    };
    rank({});
    for (std::size_t l = 0; l < in_.n_literals(); ++l) rank({static_cast<std::uint16_t>(l)});
    std::sort(ranked.begin(), ranked.end());
    for (std::size_t k = 0; k < std::min<std::size_t>(ranked.size(), 4); ++k) {
      const auto r = add(ranked[k].second);
      if (known.insert(r).second) master_.push_back(r);
    }
  }

  void improve_incumbent(const ListProblem& p, const AscentState& state) {
    std::vector<std::uint32_t> order(p.rules.size()), start;
    std::iota(order.begin(), order.end(), 0u);
    for (auto r : order)
      if (state.use[r] > 0.3f) start.push_back(r);
    for (int attempt = 0; attempt < 2; ++attempt) {
      const auto found = local_search(p, attempt ? start : std::vector<std::uint32_t>{}, order, must_choose_, control_);
      if (found.empty() && must_choose_) continue;
      std::vector<std::uint32_t> ids;
      for (auto r : found) ids.push_back(p.rules[r].id);
      consider(ids);
    }
  }

  // How the rows of each new group are spread over the old groups: (old group, weight).
  using Overlap = std::vector<std::vector<std::pair<std::uint32_t, double>>>;
  static Overlap overlap(const std::vector<std::uint32_t>& old, const std::vector<std::uint32_t>& fresh,
                         std::size_t n_fresh, const std::vector<Weight>& weight) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> shared;
    for (std::size_t i = 0; i < fresh.size(); ++i)
      if (fresh[i] != kNoGroup) shared[{fresh[i], old[i]}] += static_cast<double>(weight[i]);
    Overlap out(n_fresh);
    for (const auto& [key, w] : shared) out[key.first].emplace_back(key.second, w);
    return out;
  }

  // The old dual on the new groups: prices and blame are spread evenly by weight within the old
  // groups, then added up in the new ones. Rows without an old group keep their full price.
  Dual carry(const Grouping& old, const Dual& dual, const Grouping& fresh) const {
    Dual out = initial_dual(fresh.problem);
    if (old.pos_group.empty()) return out;
    std::fill(out.mu.begin(), out.mu.end(), 0.0);
    const std::size_t n_pos = fresh.problem.n_pos(), n_neg = fresh.problem.n_neg(), old_pos = old.problem.n_pos();
    const auto pos = overlap(old.pos_group, fresh.pos_group, n_pos, in_.pos.weight);
    const auto neg = overlap(old.neg_group, fresh.neg_group, n_neg, in_.neg.weight);
    const auto unit = [](Weight w) { return 1.0 / static_cast<double>(w); };
    for (std::size_t g = 0; g < n_pos; ++g) {
      out.y[g] = 0;
      for (const auto& [from, w] : pos[g])
        out.y[g] += from == kNoGroup ? w : dual.y[from] * w * unit(old.problem.pos_weight[from]);
    }
    std::vector<double> column(old_pos);
    for (std::size_t h = 0; h < n_neg; ++h) {
      std::fill(column.begin(), column.end(), 0.0);
      for (const auto& [from, w] : neg[h]) {
        if (from == kNoGroup) continue;
        const double share = w * unit(old.problem.neg_weight[from]);
        for (std::size_t g = 0; g < old_pos; ++g) column[g] += share * dual.mu[from * old_pos + g];
      }
      for (std::size_t g = 0; g < n_pos; ++g)
        for (const auto& [from, w] : pos[g])
          if (from != kNoGroup) out.mu[h * n_pos + g] += column[from] * w * unit(old.problem.pos_weight[from]);
    }
    return out;
  }

  const ClassInstance& in_;
  const bool must_choose_;
  Control& control_;
  RulePool pool_;
  std::function<void(Weight, Weight)> report_;
  std::map<std::vector<std::uint16_t>, std::uint32_t> number_;
  std::vector<std::uint32_t> master_;
  Incumbent best_;
  Weight bound_ = 0;
  bool single_is_exact_ = true;
  ListSearch search_;
  std::uint64_t iterations_ = 0, pricings_ = 0;
};

}  // namespace

SparseResult solve_sparse(const ClassInstance& instance, bool must_choose, Control& control,
                          const std::function<void(Weight, Weight)>& report) {
  return SparseSolver(instance, must_choose, control, report).run();
}

}  // namespace laconic
