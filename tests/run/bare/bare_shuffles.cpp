// SPDX-License-Identifier: BSL-1.0
// Lanes of vectors go where the names say, in vectors of all widths of a machine. Compiled for this one, too.
#include <tapeless/run/bare/bare_shuffles.hpp>

#include "catch.hpp"

namespace {

namespace kernels = tapeless::bare_kernels;

template <int Width>
using floats [[gnu::vector_size(Width * sizeof(float))]] = float;

/// The numbers from `first` on.
template <class Held>
[[gnu::always_inline]] inline Held counted(int first) {
  Held x;
  for (int i = 0; i < kernels::detail::width_of<Held>; ++i) x[i] = static_cast<float>(first + i);
  return x;
}

template <int Width, int Block>
void check_blocks() {
  using held = floats<Width>;
  const auto [first, last] = kernels::split_blocks<Block>(counted<held>(0), counted<held>(Width));
  int at = 0;
  for (int block = 0; block < 2 * Width / Block; ++block)
    for (int i = 0; i < Block / 2; ++i, ++at) {
      INFO("width " << Width << ", blocks of " << Block << ", lane " << at);
      CHECK(first[at] == static_cast<float>(block * Block + i));
      CHECK(last[at] == static_cast<float>(block * Block + Block / 2 + i));
    }
  if constexpr (Block > 2) check_blocks<Width, Block / 2>();
}

template <int Width>
void check_orders() {
  using held = floats<Width>;
  const held a = counted<held>(0), b = counted<held>(Width);
  const held odd = kernels::every<1, 2, Width>(a, b);
  const held begin = kernels::zipped<0>(a, b), end = kernels::zipped<1>(a, b);
  for (int i = 0; i < Width; ++i) {
    INFO("width " << Width << ", lane " << i);
    CHECK(odd[i] == static_cast<float>(2 * i + 1));
    CHECK(begin[i] == static_cast<float>(i / 2 + i % 2 * Width));
    CHECK(end[i] == static_cast<float>(Width / 2 + i / 2 + i % 2 * Width));
  }
  CHECK(kernels::total_of_lanes(a) == static_cast<float>(Width * (Width - 1) / 2));
  const held several[4] = {a, a, b, b};
  CHECK(kernels::total_of_vectors<4>(several) == static_cast<float>(2 * Width * (2 * Width - 1) / 2 * 2));
  const auto again = kernels::repeated_lanes<Width>(counted<floats<Width / 2>>(0));
  for (int i = 0; i < Width; ++i) CHECK(again[i] == static_cast<float>(i % (Width / 2)));
}

}  // namespace

TEST_CASE("blocks of two vectors are split into their first and last halves") {
  check_blocks<4, 4>();
#ifdef __AVX__
  check_blocks<8, 8>();
#endif
#ifdef __AVX512F__
  check_blocks<16, 16>();
#endif
}

TEST_CASE("lanes in another order, again and again, and in sum") {
  check_orders<4>();
#ifdef __AVX__
  check_orders<8>();
#endif
#ifdef __AVX512F__
  check_orders<16>();
#endif
}
