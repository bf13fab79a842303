// How much memory the process holds, asked of the system: what a limit can be held against whoever allocates, be it
// this code, a SAT solver or Python. Counting our own allocations would miss the others.
#include "base/memory.hpp"

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

}  // namespace laconic
