// The arrays that Python passes: read-only and contiguous.
#pragma once

#include <nanobind/ndarray.h>

#include <cstdint>

namespace laconic {

using Bits = nanobind::ndarray<const std::uint64_t, nanobind::ndim<2>, nanobind::c_contig,
                               nanobind::device::cpu>;  // words of rows, by feature
using Holds = nanobind::ndarray<const bool, nanobind::ndim<2>, nanobind::c_contig,
                                nanobind::device::cpu>;  // by literal or feature
using Integers = nanobind::ndarray<const std::int64_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

}  // namespace laconic
