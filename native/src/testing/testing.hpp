// What only tests look at: parts of the searches by themselves. No wheel ships it.
#pragma once

#include <nanobind/nanobind.h>

namespace laconic {

void bind_base_parts(nanobind::module_& m);
void bind_cover_parts(nanobind::module_& m);
void bind_sparse_parts(nanobind::module_& m);

}  // namespace laconic
