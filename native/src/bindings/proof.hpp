#pragma once

#include <nanobind/nanobind.h>

namespace laconic {
void bind_sparse_proof(nanobind::module_& m);
void bind_cover_proof(nanobind::module_& m);
}  // namespace laconic
