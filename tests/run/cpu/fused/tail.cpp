// SPDX-License-Identifier: BSL-1.0
// What does not fill a vector goes through the tail's memory and back, and nothing else is touched.
#include <tapeless/run/cpu/fused/tail.hpp>

#include <algorithm>

#include "catch.hpp"

namespace cpu = tapeless::cpu_kernels;

TEMPLATE_TEST_CASE("tail: elements of any size and stride", "", std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t) {
  constexpr auto size = std::int64_t{sizeof(TestType)};
  const std::int64_t room = GENERATE(16, 32, 64), width = room / size;  // of vectors, in bytes
  const bool reads_results = GENERATE(false, true);
  const std::int64_t sizes[] = {size, 0, size};
  const cpu::tail_sizes all{sizes, 3, reads_results ? 3 : 2};
  for (const std::int64_t stride : {1, 3}) {
    for (std::int64_t rest = 1; rest < std::min<std::int64_t>(width, 16); ++rest) {
      TestType from[64], to[64];
      for (int i = 0; i < 64; ++i) {
        from[i] = static_cast<TestType>(60 + i);
        to[i] = static_cast<TestType>(1 + i);
      }
      double untouched = 0;
      const cpu::operand_place place[] = {{reinterpret_cast<std::byte*>(from), stride, 0},
                                          {reinterpret_cast<std::byte*>(&untouched), 0, 9},
                                          {reinterpret_cast<std::byte*>(to), stride, 0}};
      alignas(64) std::byte tail[3 * 64];
      cpu::operand_place in_tail[3];
      cpu::enter_tail(all, place, 4, rest, tail, room, in_tail);
      CHECK(in_tail[1].data == place[1].data);
      CHECK(in_tail[1].index == 9);
      CHECK(in_tail[0].stride == 1);
      const auto* read = reinterpret_cast<const TestType*>(in_tail[0].data);
      for (std::int64_t n = 0; n < width; ++n) CHECK(read[n] == (n < rest ? from[(4 + n) * stride] : 0));
      auto* written = reinterpret_cast<TestType*>(in_tail[2].data);
      for (std::int64_t n = 0; reads_results && n < width; ++n)
        CHECK(written[n] == (n < rest ? to[(4 + n) * stride] : 0));
      for (std::int64_t n = 0; n < width; ++n) written[n] = static_cast<TestType>(50 + n);
      cpu::leave_tail(all, place, 2, 4, rest, room, in_tail);
      for (std::int64_t i = 0; i < 64; ++i) {
        const std::int64_t n = i / stride - 4;
        const bool is_rest = i % stride == 0 && n >= 0 && n < rest;
        CHECK(to[i] == (is_rest ? 50 + n : 1 + i));
        CHECK(from[i] == 60 + i);
      }
    }
  }
}
