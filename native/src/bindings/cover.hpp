#pragma once

#include <nanobind/nanobind.h>

namespace laconic {

void bind_cover(nanobind::module_& m);

}  // namespace laconic
