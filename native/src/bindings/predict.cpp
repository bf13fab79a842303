// Bindings of the prediction: columns and masks in, one answer per row out, the GIL released.
#include "bindings/predict.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

#include "predict/predict_rules.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace laconic {
namespace {

using Cells = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using Mask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Answers = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

void require(bool holds, const char* message) {
  if (!holds) throw nb::value_error(message);
}

CellType type_of(nb::dlpack::dtype dtype) {
  for (const auto& [known, type] : {
           std::pair{nb::dtype<float>(), CellType::f32},
           std::pair{nb::dtype<double>(), CellType::f64},
           std::pair{nb::dtype<std::int8_t>(), CellType::i8},
           std::pair{nb::dtype<std::int16_t>(), CellType::i16},
           std::pair{nb::dtype<std::int32_t>(), CellType::i32},
           std::pair{nb::dtype<std::int64_t>(), CellType::i64},
           std::pair{nb::dtype<std::uint8_t>(), CellType::u8},
           std::pair{nb::dtype<std::uint16_t>(), CellType::u16},
           std::pair{nb::dtype<std::uint32_t>(), CellType::u32},
           std::pair{nb::dtype<std::uint64_t>(), CellType::u64},
           std::pair{nb::dtype<bool>(), CellType::boolean},
       }) {
    if (dtype == known) return type;
  }
  throw nb::type_error("a column must hold numbers or truth values");
}

// Cells, whether they are codes, and the cuts in increasing order.
using ColumnTuple = std::tuple<Cells, bool, std::vector<double>>;
// A column, a range of places and whether it is negated; or a mask alone.
using RangeTuple = std::tuple<std::size_t, int, int, bool>;

nb::object py_decide_rows(std::size_t n_rows, const std::vector<ColumnTuple>& columns,
                          const std::vector<std::variant<RangeTuple, Mask>>& conditions,
                          const std::vector<std::vector<std::size_t>>& rules, std::vector<std::int64_t> answers) {
  RuleProgram program;
  for (const auto& [cells, codes, cuts] : columns) {
    require(cells.shape(0) == n_rows, "every column must have one cell per row");
    require(cuts.size() <= kMostCuts && std::is_sorted(cuts.begin(), cuts.end()), "too many cuts, or not in order");
    program.columns.push_back({cells.data(), cells.stride(0), type_of(cells.dtype()), codes, cuts});
  }
  for (const auto& one : conditions) {
    if (const Mask* mask = std::get_if<Mask>(&one)) {
      require(mask->shape(0) == n_rows, "every mask must have one entry per row");
      program.conditions.push_back({0, 0, 0, false, reinterpret_cast<const std::uint8_t*>(mask->data())});
      continue;
    }
    const auto [column, low, high, negated] = std::get<RangeTuple>(one);
    require(column < columns.size(), "a condition without a column");
    require(0 <= low && low <= kMissing && 0 <= high && high <= kMissing, "a range beyond the places");
    program.conditions.push_back(
        {column, static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high), negated, nullptr});
  }
  program.first.push_back(0);
  for (const auto& rule : rules) {
    for (const std::size_t needed : rule) {
      require(needed < conditions.size(), "a rule with an unknown condition");
      program.needed.push_back(needed);
    }
    program.first.push_back(program.needed.size());
  }
  require(answers.size() == rules.size() + 1, "one answer per rule, and one for no rule");
  program.answers = std::move(answers);

  auto* decided = new std::int64_t[n_rows];
  nb::capsule owner(decided, [](void* p) noexcept { delete[] static_cast<std::int64_t*>(p); });
  bool finite = false;
  {
    nb::gil_scoped_release release;
    finite = decide_rows(program, n_rows, decided);
  }
  if (!finite) return nb::none();
  return nb::cast(Answers(decided, {n_rows}, owner));
}

}  // namespace

void bind_predict(nb::module_& m) {
  m.def("decide_rows", &py_decide_rows, "n_rows"_a, "columns"_a, "conditions"_a, "rules"_a, "answers"_a,
        "The answer of the best rule that covers each row, or None if a number is infinite. Columns are (cells, "
        "whether they are codes, cuts), conditions (column, low, high, negated) in places between the cuts, or "
        "masks; rules are lists of conditions, worst first; answers are those of no rule and of each rule.");
  m.attr("MOST_CUTS") = kMostCuts;
  m.attr("MISSING_PLACE") = static_cast<int>(kMissing);
}

}  // namespace laconic
