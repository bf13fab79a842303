#pragma once

#include <cstdint>

namespace laconic {

// The memory that this process holds at the moment, in bytes; 0 where the system does not say.
std::uint64_t resident_bytes();

// The memory that this process may still take, in bytes: of the limit (0: none), and of what the machine has free where
// the system says so.
std::uint64_t spare_bytes(std::uint64_t limit);

}  // namespace laconic
