#pragma once

#include <nanobind/nanobind.h>

namespace laconic {

void bind_sparse(nanobind::module_& m);

}  // namespace laconic
