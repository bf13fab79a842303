#pragma once

#include <vector>

#include "cover/columns.hpp"

namespace laconic {

// Returns consistent rules that cover every positive of `wanted`, in a time that hardly depends on their number.
std::vector<Literals> tree_cover(const CoverInstance& instance, const std::vector<Word>& wanted);

}  // namespace laconic
