#pragma once

#include <cstdint>
#include <vector>

#include "bitset.hpp"

namespace laconic {

// Adds the rows on which all literals hold to `covered`, a set of row_words words; bits beyond the last row are arbitrary.
// bits is feature-major; literal 2f+1 is "feature f holds", 2f its negation.
void add_cover(const Word* bits, std::size_t row_words, const std::vector<std::int32_t>& literals, Word* covered);

}  // namespace laconic
