#pragma once

#include <nanobind/nanobind.h>

namespace laconic {

void bind_near(nanobind::module_& m);

}  // namespace laconic
