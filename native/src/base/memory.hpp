#pragma once

#include <cstdint>

namespace laconic {

// The memory that this process holds at the moment, in bytes; 0 where the system does not say.
std::uint64_t resident_bytes();

}  // namespace laconic
