// Decides for each row which rule applies: conditions on columns, evaluated block by block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace laconic {

enum class CellType : std::uint8_t { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, boolean };

// A column in memory, and its cuts. The place of a cell is the number of cuts below it, so x <= cuts[j] if and only if
// its place is at most j.
struct CellColumn {
  const void* data;
  std::int64_t stride;  // in cells
  CellType type;
  bool codes;  // negative codes stand for missing cells
  std::vector<double> cuts;
};

constexpr std::uint8_t kMissing = 255;  // the place of NaN
constexpr std::size_t kMostCuts = 253;  // per column; a column with more cuts is passed twice

// Holds for the places from low to high or, if negated, for all others except `kMissing`. With a mask, the caller has
// evaluated the condition: one byte per row, 0 or 1.
struct Condition {
  std::size_t column;
  std::uint8_t low;
  std::uint8_t high;
  bool negated;
  const std::uint8_t* mask;
};

struct RuleProgram {
  std::vector<CellColumn> columns;
  std::vector<Condition> conditions;
  // Rules from worst to best: rule k needs the conditions needed[first[k]] to needed[first[k + 1]].
  std::vector<std::size_t> first;
  std::vector<std::size_t> needed;
  std::vector<std::int64_t> answers;  // the answer for rows without a rule, then that of each rule
};

// Writes the answer of the best rule that covers each row. Returns false if a number is infinite; the output is then
// meaningless.
bool decide_rows(const RuleProgram& program, std::size_t n_rows, std::int64_t* decided);

}  // namespace laconic
