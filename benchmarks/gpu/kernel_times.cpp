// SPDX-License-Identifier: BSL-1.0
// What a program's time on the GPU goes to: a library that CUDA loads into any program, and that prints, when
// this ends, how long each kernel and copy took in all.
//
//   g++ -std=c++20 -O2 -shared -fPIC kernel_times.cpp -I$CUDA_HOME/include -L$CUDA_HOME/lib64 -lcupti -o
//   kernel_times.so CUDA_INJECTION64_PATH=$PWD/kernel_times.so program      # to the error output, or to the
//   file KERNEL_TIMES
#include <cupti.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

struct total {
  std::uint64_t nanoseconds = 0;
  std::int64_t count = 0;
};

std::mutex mutex;
std::map<std::string, total> totals;  // by name and size

std::string demangled(const char* name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  const std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

void add(const std::string& what, std::uint64_t begin, std::uint64_t end) {
  const std::scoped_lock lock(mutex);
  total& t = totals[what];
  t.nanoseconds += end - begin;
  ++t.count;
}

void add(const CUpti_Activity& record) {
  if (record.kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
    const auto& k = reinterpret_cast<const CUpti_ActivityKernel10&>(record);
    add(std::to_string(k.gridX) + "x" + std::to_string(k.gridY) + "x" + std::to_string(k.gridZ) + " of " +
            std::to_string(k.blockX * k.blockY * k.blockZ) + " threads, " +
            std::to_string(k.registersPerThread) + " registers: " + demangled(k.name),
        k.start, k.end);
  } else if (record.kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
    const auto& c = reinterpret_cast<const CUpti_ActivityMemcpy6&>(record);
    add("copy of " + std::to_string(c.bytes) + " bytes, kind " + std::to_string(c.copyKind), c.start, c.end);
  } else if (record.kind == CUPTI_ACTIVITY_KIND_MEMSET) {
    const auto& m = reinterpret_cast<const CUpti_ActivityMemset4&>(record);
    add("filling of " + std::to_string(m.bytes) + " bytes", m.start, m.end);
  }
}

void CUPTIAPI lend_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *size = std::size_t{8} << 20;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(64, *size));
  *most_records = 0;
}
void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) add(*record);
  std::free(buffer);
}

void print_totals() {
  cuptiActivityFlushAll(1);
  const std::scoped_lock lock(mutex);
  std::vector<std::pair<std::string, total>> sorted(totals.begin(), totals.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.second.nanoseconds > b.second.nanoseconds; });
  std::uint64_t all = 0;
  for (const auto& [name, t] : sorted) all += t.nanoseconds;
  const char* const path = std::getenv("KERNEL_TIMES");
  std::FILE* const to = path == nullptr ? stderr : std::fopen(path, "w");
  if (to == nullptr) return;
  std::fprintf(to, "%.3f ms in all\n", 1e-6 * static_cast<double>(all));
  for (const auto& [name, t] : sorted)
    std::fprintf(to, "%5.1f %% %10.3f ms %7lld times %9.2f us: %s\n",
                 100.0 * static_cast<double>(t.nanoseconds) / static_cast<double>(all),
                 1e-6 * static_cast<double>(t.nanoseconds), static_cast<long long>(t.count),
                 1e-3 * static_cast<double>(t.nanoseconds) / static_cast<double>(t.count), name.c_str());
  if (path != nullptr) std::fclose(to);
}

}  // namespace

extern "C" int InitializeInjection() {
  cuptiActivityRegisterCallbacks(lend_buffer, take_buffer);
  for (const auto kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET})
    cuptiActivityEnable(kind);
  std::atexit(print_totals);
  return 1;
}
