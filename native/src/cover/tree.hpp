#pragma once

#include <vector>

#include "cover/columns.hpp"

namespace laconic {

// Consistent rules that cover every positive of `wanted`, in time that hardly depends on how many rules that takes.
std::vector<Literals> tree_cover(const CoverInstance& instance, const std::vector<Word>& wanted);

}  // namespace laconic
