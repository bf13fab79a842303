// Integer prices per row and shares of blame per pair of groups, rounded so that no negative blames more than its
// weight.
#include "sparse/pricing/row_dual.hpp"

#include <algorithm>
#include <cmath>

namespace laconic {

RowDual to_rows(const ClassInstance& in, const Grouping& grouping, const Dual& dual) {
  RowDual out;
  const ListProblem& p = grouping.problem;
  const Weight total = std::max<Weight>(1, std::max(in.pos.total, std::max(in.neg.total, in.price(in.n_literals()))));
  while (out.scale < (Weight{1} << 40) && total < (Weight{1} << 51) / (2 * out.scale)) out.scale *= 2;
  const double s = static_cast<double>(out.scale);
  out.pos_group = grouping.pos_group;
  out.neg_group = grouping.neg_group;
  out.n_pos_groups = p.n_pos();
  out.y.resize(in.pos.n_rows);
  for (std::size_t i = 0; i < in.pos.n_rows; ++i) {
    const auto g = out.pos_group[i];
    const Weight full = in.pos.weight[i] * out.scale;
    // No rule of the list covers the row: nothing limits its price yet.
    out.y[i] = g == kNoGroup
                   ? full
                   : std::clamp<Weight>(static_cast<Weight>(dual.y[g] * s * static_cast<double>(in.pos.weight[i]) /
                                                            static_cast<double>(p.pos_weight[g])),
                                        0, full);
  }
  const double heaviest = static_cast<double>(*std::max_element(p.pos_weight.begin(), p.pos_weight.end()));
  out.whole_units = s > 1000 * heaviest;
  out.blame.resize(p.n_neg());
  for (std::size_t h = 0; h < p.n_neg(); ++h) {
    double left = out.whole_units ? s : s * (1 - kTinyShare);  // per unit of negative weight
    for (std::size_t g = 0; g < p.n_pos(); ++g) {
      const double share = static_cast<double>(dual.mu[h * p.n_pos() + g]);
      if (share <= 0) continue;
      const double weight = static_cast<double>(p.pos_weight[g]);
      double unit = std::min(share * s / (weight * static_cast<double>(p.neg_weight[h])), left / weight);
      if (out.whole_units) unit = std::floor(unit);
      if (unit <= 0) continue;
      left -= unit * weight;
      out.blame[h].emplace_back(static_cast<std::uint32_t>(g), unit);
    }
  }
  return out;
}

std::vector<float> blame_by_groups(const Grouping& grouping, const RowDual& rows) {
  const ListProblem& p = grouping.problem;
  std::vector<float> out(p.n_pos() * p.n_neg(), 0.0f);
  for (std::size_t h = 0; h < p.n_neg(); ++h)
    for (const auto& [g, unit] : rows.blame[h])
      out[h * p.n_pos() + g] =
          static_cast<float>(unit * static_cast<double>(p.pos_weight[g]) * static_cast<double>(p.neg_weight[h]) /
                             static_cast<double>(rows.scale));
  return out;
}

}  // namespace laconic
