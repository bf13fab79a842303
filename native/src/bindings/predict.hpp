#pragma once

#include <nanobind/nanobind.h>

namespace laconic {

void bind_predict(nanobind::module_& m);

}  // namespace laconic
