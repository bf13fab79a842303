#pragma once

#include <nanobind/nanobind.h>

namespace laconic {
void bind_proof(nanobind::module_& m);
}
