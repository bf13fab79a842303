// Prediction with a set of rules, for tables of many rows.
//
// Comparing cells is cheap; moving a million rows through memory once per condition is not. So rows are processed in
// blocks that fit in the cache. The cells of a block are gathered as doubles, column by column, and become places
// between the cuts of their column: one byte each. A condition is then a range of places, a rule is a conjunction of
// conditions, and rules are processed from worst to best, so that the best rule that covers a row writes last. All
// loops are branch-free over a block, so compilers vectorise them. A tree, the rival, sends each row down its own path:
// it needs few comparisons, but each waits for the one before.
#include "predict/predict_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace laconic {

namespace {

constexpr std::size_t kMostRows = 4096;
constexpr std::size_t kBlockBytes = std::size_t{1} << 18;  // maximum size of the places of a block, in the outer cache
constexpr std::size_t kPartBytes =
    std::size_t{1}  // and of the places of a part, on which rules are evaluated, in the inner cache
    << 14;
// Rows whose cells are converted to doubles at a time; blocks and parts are multiples of it.
constexpr std::size_t kChunk = 64;

std::size_t fitting_rows(std::size_t bytes, std::size_t n_columns) {
  return std::min(kMostRows, std::max(4 * kChunk, bytes / (n_columns + 2) / kChunk * kChunk));
}

// Adds to each place the number of the K cuts below the cell. Sums are as wide as cells until they are stored, so each
// cut costs one comparison and one addition.
template <int K>
void count_cuts(const double* __restrict x, std::size_t n, const double* cuts, std::uint8_t* __restrict places) {
  double cut[K];
  std::copy(cuts, cuts + K, cut);
  for (std::size_t i = 0; i < n; ++i) {
    std::int64_t sum = 0;
    for (int k = 0; k < K; ++k) sum += static_cast<std::int64_t>(x[i] > cut[k]);
    places[i] = static_cast<std::uint8_t>(places[i] + sum);
  }
}

void count_all(const double* x, std::size_t n, const std::vector<double>& cuts, std::uint8_t* places) {
  std::size_t at = 0;
  for (; at + 4 <= cuts.size(); at += 4) count_cuts<4>(x, n, &cuts[at], places);
  switch (cuts.size() - at) {
    case 1: count_cuts<1>(x, n, &cuts[at], places); break;
    case 2: count_cuts<2>(x, n, &cuts[at], places); break;
    case 3: count_cuts<3>(x, n, &cuts[at], places); break;
    default: break;
  }
}

// Writes the places of some cells; returns whether one of them is infinite. Missing and infinite cells are rare, so
// they are first detected together.
bool find_places(const double* x, std::size_t n, const CellColumn& column, std::uint8_t* places) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double least = column.codes ? 0.0 : -std::numeric_limits<double>::max();
  std::int64_t odd = 0;
  for (std::size_t i = 0; i < n; ++i) odd |= static_cast<std::int64_t>(!((x[i] >= least) & (x[i] < infinity)));
  std::fill(places, places + n, std::uint8_t{0});
  count_all(x, n, column.cuts, places);
  if (!odd) return false;
  bool infinite = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] != x[i] || (column.codes && x[i] < 0)) places[i] = kMissing;
    infinite |= std::fabs(x[i]) == infinity;
  }
  return infinite;
}

using Numbered = std::pair<const CellColumn*, std::size_t>;

// A column whose cells are contiguous.
template <class T>
bool read_together(const Numbered& one, std::size_t start, std::size_t n, std::uint8_t* places) {
  const T* cells = static_cast<const T*>(one.first->data) + start;
  bool infinite = false;
  [[maybe_unused]] double chunk[kChunk];
  for (std::size_t at = 0; at < n; at += kChunk) {
    const std::size_t rows = std::min(kChunk, n - at);
    if constexpr (std::is_same_v<T, double>) {
      infinite |= find_places(cells + at, rows, *one.first, places + at);
    } else {
      for (std::size_t i = 0; i < rows; ++i) chunk[i] = static_cast<double>(cells[at + i]);
      infinite |= find_places(chunk, rows, *one.first, places + at);
    }
  }
  return infinite;
}

// Columns of a row-major table: read row by row, in the order of memory.
template <class T>
class SpreadReader {
 public:
  explicit SpreadReader(const CellColumn& first) : stride_(first.stride), base_(static_cast<const char*>(first.data)) {}

  bool takes(const CellColumn& column) const { return column.stride == stride_; }

  void add(const Numbered& one) {
    columns_.push_back(one);
    const auto here = reinterpret_cast<std::intptr_t>(one.first->data);
    offsets_.push_back(here - reinterpret_cast<std::intptr_t>(base_));
    cells_.resize(columns_.size() * kStep);
  }

  bool read(std::size_t start, std::size_t n, std::size_t size, std::uint8_t* places) {
    const std::size_t n_columns = columns_.size();
    const std::int64_t stride = stride_ * static_cast<std::int64_t>(sizeof(T));
    const char* row = base_ + static_cast<std::int64_t>(start) * stride;
    const std::intptr_t* offsets = offsets_.data();
    double* cells = cells_.data();
    bool infinite = false;
    for (std::size_t at = 0; at < n; at += kChunk) {
      const std::size_t rows = std::min(kChunk, n - at);
      for (std::size_t i = 0; i < rows; ++i, row += stride) {
        for (std::size_t c = 0; c < n_columns; ++c) {
          T cell;
          std::memcpy(&cell, row + offsets[c], sizeof cell);
          cells[c * kStep + i] = static_cast<double>(cell);
        }
      }
      for (std::size_t c = 0; c < n_columns; ++c) {
        const auto& [column, number] = columns_[c];
        infinite |= find_places(cells + c * kStep, rows, *column, places + number * size + at);
      }
    }
    return infinite;
  }

 private:
  // Padded, so that the first rows of the columns do not compete for the same cache lines.
  static constexpr std::size_t kStep = kChunk + 8;
  std::int64_t stride_;
  const char* base_;
  std::vector<Numbered> columns_;
  std::vector<std::intptr_t> offsets_;
  std::vector<double> cells_;
};

// The columns of one type.
template <class T>
class Reader {
 public:
  void add(const CellColumn& column, std::size_t number) {
    if (column.stride == 1) return together_.push_back({&column, number});
    for (auto& group : spread_) {
      if (group.takes(column)) return group.add({&column, number});
    }
    spread_.emplace_back(column);
    spread_.back().add({&column, number});
  }

  // Writes the places of a block, with a stride of `size` per column; returns whether a cell is infinite.
  bool read(std::size_t start, std::size_t n, std::size_t size, std::uint8_t* places) {
    bool infinite = false;
    for (const Numbered& one : together_) infinite |= read_together<T>(one, start, n, places + one.second * size);
    for (auto& group : spread_) infinite |= group.read(start, n, size, places);
    return infinite;
  }

 private:
  std::vector<Numbered> together_;
  std::vector<SpreadReader<T>> spread_;
};

template <class... Ts>
class Readers {
 public:
  explicit Readers(const std::vector<CellColumn>& columns) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      switch (columns[c].type) {
        case CellType::f32: add<float>(columns[c], c); break;
        case CellType::f64: add<double>(columns[c], c); break;
        case CellType::i8: add<std::int8_t>(columns[c], c); break;
        case CellType::i16: add<std::int16_t>(columns[c], c); break;
        case CellType::i32: add<std::int32_t>(columns[c], c); break;
        case CellType::i64: add<std::int64_t>(columns[c], c); break;
        case CellType::u16: add<std::uint16_t>(columns[c], c); break;
        case CellType::u32: add<std::uint32_t>(columns[c], c); break;
        case CellType::u64: add<std::uint64_t>(columns[c], c); break;
        case CellType::u8:
        case CellType::boolean: add<std::uint8_t>(columns[c], c); break;
      }
    }
  }

  bool read(std::size_t start, std::size_t n, std::size_t size, std::uint8_t* places) {
    return (std::get<Reader<Ts>>(readers_).read(start, n, size, places) | ...);
  }

 private:
  template <class T>
  void add(const CellColumn& column, std::size_t number) {
    std::get<Reader<T>>(readers_).add(column, number);
  }

  std::tuple<Reader<Ts>...> readers_;
};

using AllReaders = Readers<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                           std::uint16_t, std::uint32_t, std::uint64_t>;

// Clears the rows that a condition does not cover.
void apply(const Condition& condition, const std::uint8_t* __restrict places, std::size_t n,
           std::uint8_t* __restrict covered) {
  const std::uint8_t low = condition.low, span = static_cast<std::uint8_t>(condition.high - condition.low);
  if (condition.mask) {
    for (std::size_t i = 0; i < n; ++i) covered[i] &= places[i];
  } else if (condition.low > condition.high) {
    for (std::size_t i = 0; i < n; ++i) covered[i] &= condition.negated & (places[i] != kMissing);
  } else if (condition.negated) {
    for (std::size_t i = 0; i < n; ++i) {
      covered[i] &= (static_cast<std::uint8_t>(places[i] - low) > span) & (places[i] != kMissing);
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) covered[i] &= static_cast<std::uint8_t>(places[i] - low) <= span;
  }
}

// Evaluates all rules on some rows. The stride of the places is `size` per column.
template <class Rank>
void settle(const RuleProgram& program, std::size_t start, std::size_t n, const std::uint8_t* places, std::size_t size,
            std::uint8_t* covered, Rank* ranks, std::int64_t* decided) {
  std::fill(ranks, ranks + n, Rank{0});
  for (std::size_t k = 0; k + 1 < program.first.size(); ++k) {
    std::fill(covered, covered + n, std::uint8_t{1});
    for (std::size_t at = program.first[k]; at < program.first[k + 1]; ++at) {
      const Condition& condition = program.conditions[program.needed[at]];
      apply(condition, condition.mask ? condition.mask + start : places + condition.column * size, n, covered);
    }
    const Rank rank = static_cast<Rank>(k + 1);
    for (std::size_t i = 0; i < n; ++i) ranks[i] = covered[i] ? rank : ranks[i];
  }
  for (std::size_t i = 0; i < n; ++i) decided[i] = program.answers[ranks[i]];
}

template <class Rank>
bool decide_with(const RuleProgram& program, std::size_t n_rows, std::int64_t* decided) {
  const std::size_t n_columns = program.columns.size();
  const std::size_t size = fitting_rows(kBlockBytes, n_columns), part = fitting_rows(kPartBytes, n_columns);
  std::vector<std::uint8_t> places(n_columns * size), covered(part);
  std::vector<Rank> ranks(part);
  AllReaders readers(program.columns);
  for (std::size_t start = 0; start < n_rows; start += size) {
    const std::size_t n = std::min(size, n_rows - start);
    if (readers.read(start, n, size, places.data())) return false;
    for (std::size_t at = 0; at < n; at += part) {
      settle(program, start + at, std::min(part, n - at), places.data() + at, size, covered.data(), ranks.data(),
             decided + start + at);
    }
  }
  return true;
}

}  // namespace

bool decide_rows(const RuleProgram& program, std::size_t n_rows, std::int64_t* decided) {
  const std::size_t n_rules = program.first.size() - 1;
  // One byte suffices for the ranks of most sets, and moves the least memory.
  return n_rules < 256 ? decide_with<std::uint8_t>(program, n_rows, decided)
                       : decide_with<std::uint32_t>(program, n_rows, decided);
}

}  // namespace laconic
