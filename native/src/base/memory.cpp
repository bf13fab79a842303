// How much memory the process holds, asked of the system: what a limit can be held against whoever allocates, be it
// this code, a SAT solver or Python. Counting our own allocations would miss the others.
#include "base/memory.hpp"

#include <algorithm>

#if defined(__linux__)
#include <unistd.h>

#include <cstdio>
#elif defined(__APPLE__)
#include <mach/mach.h>
#elif defined(_WIN32)
#include <windows.h>
// After windows.h, on which it depends.
#include <psapi.h>
#endif

namespace laconic {

std::uint64_t resident_bytes() {
#if defined(__linux__)
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (!file) return 0;
  unsigned long long total = 0, resident = 0;
  const int found = std::fscanf(file, "%llu %llu", &total, &resident);
  std::fclose(file);
  return found == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
#elif defined(__APPLE__)
  mach_task_basic_info info{};
  mach_msg_type_number_t size = MACH_TASK_BASIC_INFO_COUNT;
  const auto answer = task_info(mach_task_self(), MACH_TASK_BASIC_INFO, reinterpret_cast<task_info_t>(&info), &size);
  return answer == KERN_SUCCESS ? info.resident_size : 0;
#elif defined(_WIN32)
  PROCESS_MEMORY_COUNTERS info{};
  return K32GetProcessMemoryInfo(GetCurrentProcess(), &info, sizeof(info)) ? info.WorkingSetSize : 0;
#else
  return 0;
#endif
}

namespace {

// What the machine can give without swapping; as much as one likes where the system does not say.
std::uint64_t free_bytes() {
  constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
#if defined(__linux__)
  std::FILE* file = std::fopen("/proc/meminfo", "re");
  if (!file) return kUnknown;
  char line[128];
  unsigned long long kilobytes = 0;
  bool found = false;
  while (!found && std::fgets(line, sizeof line, file))
    found = std::sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1;
  std::fclose(file);
  return found ? kilobytes * std::uint64_t{1024} : kUnknown;
#elif defined(_WIN32)
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof(status);
  return GlobalMemoryStatusEx(&status) ? status.ullAvailPhys : kUnknown;
#else
  return kUnknown;
#endif
}

}  // namespace

std::uint64_t spare_bytes(std::uint64_t limit) {
  const std::uint64_t free = free_bytes();
  if (limit == 0) return free;
  const std::uint64_t held = resident_bytes();
  return held >= limit ? 0 : std::min(free, limit - held);
}

}  // namespace laconic
