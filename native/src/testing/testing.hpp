// Test-only access to parts of the searches. No wheel ships it.
#pragma once

#include <nanobind/nanobind.h>

namespace laconic {

void bind_base_parts(nanobind::module_& m);
void bind_cover_parts(nanobind::module_& m);
void bind_sparse_parts(nanobind::module_& m);

}  // namespace laconic
