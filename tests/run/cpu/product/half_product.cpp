// SPDX-License-Identifier: BSL-1.0
// Products of elements of 16 bits: sums in float, rounded once, within the workspace that they asked for.
#include <tapeless/run/cpu/product/half_product.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tapeless/run/cpu/vectors/aligned_memory.hpp>

#include "catch.hpp"

namespace k = tapeless::cpu_kernels;
using tapeless::bf16;

namespace {

// Small whole numbers: products and short sums are exact.
std::vector<bf16> numbers(std::int64_t count, unsigned seed) {
  std::vector<bf16> all(static_cast<std::size_t>(count));
  for (bf16& x : all)
    x = bf16(static_cast<float>(static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 30) - 1));
  return all;
}

void check(std::int64_t m, std::int64_t n, std::int64_t depth) {
  INFO(m << " x " << depth << " x " << n);
  constexpr std::int64_t behind = 1 << 18;
  const std::int64_t bytes = k::half_product_workspace(m, n, depth);
  const k::aligned_memory workspace(bytes + behind);
  std::fill_n(workspace.data() + bytes, behind, std::byte{0x55});
  const std::vector<bf16> a = numbers(m * depth, 1), b = numbers(depth * n, 2);
  std::vector<bf16> c(static_cast<std::size_t>(m * n));
  k::multiply_half<bf16>({a.data(), depth, 1}, {b.data(), 1, depth}, c.data(), n, m, n, depth,
                         workspace.data());
  const std::byte* const end = workspace.data() + bytes;
  CHECK(std::all_of(end, end + behind, [](std::byte x) { return x == std::byte{0x55}; }));
  bool right = true;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::int64_t p = 0; p < depth; ++p)
        sum += static_cast<float>(a[static_cast<std::size_t>(i * depth + p)]) *
               static_cast<float>(b[static_cast<std::size_t>(j * depth + p)]);
      right = right &&
              static_cast<float>(c[static_cast<std::size_t>(i * n + j)]) == static_cast<float>(bf16(sum));
    }
  CHECK(right);
}

}  // namespace

TEST_CASE("products of 16-bit elements stay within their workspace") {
  for (const std::int64_t depth : {0, 1, 511, 513, 948, 1023}) {
    check(8, 176, depth);
    check(8, 512, depth);
    check(24, 288, depth);
  }
  check(300, 520, 513);
}
