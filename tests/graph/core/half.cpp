// SPDX-License-Identifier: BSL-1.0
// bf16 and f16: all bit patterns survive, and numbers are rounded to the nearest, as the bits' own order
// says.
#include "catch.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include <tapeless/graph/core/element.hpp>

namespace tl = tapeless;

namespace {

// 1/3, ties to even, the largest number and what rounds to infinity, the smallest one and what rounds to 0.
static_assert(tl::f16(1.0 / 3).bits == 0x3555 && tl::bf16(1.0 / 3).bits == 0x3eab);
static_assert(tl::f16(2049).bits == tl::f16(2048).bits && tl::f16(2051).bits == tl::f16(2052).bits);
static_assert(tl::bf16(257).bits == tl::bf16(256).bits && tl::bf16(259).bits == tl::bf16(260).bits);
static_assert(tl::f16(65519.f).bits == 0x7bff && tl::f16(65520.f).bits == 0x7c00 &&
              tl::f16(-1e30f).bits == 0xfc00);
static_assert(tl::bf16(std::numeric_limits<float>::max()).bits == 0x7f80);
static_assert(tl::f16(0x1p-24f).bits == 1 && tl::f16(0x1p-25f).bits == 0 && tl::f16(0x1.8p-25f).bits == 1);
static_assert(tl::f16(-0.0f).bits == 0x8000 && tl::bf16(-0.0f).bits == 0x8000 &&
              tl::f16(-1e-30f).bits == 0x8000);
static_assert(tl::f16(0x1.ffcp-15f).bits == 0x3ff + 1 && tl::f16(0x1.ff8p-15f).bits == 0x3ff);
static_assert(tl::f16(7) == 7.0f && tl::bf16(-2) < tl::bf16(1) && tl::f16(0.5) + tl::f16(2) == 2.5f);

static_assert(tl::element_of<tl::f16> == tl::element::f16 && tl::element_of<tl::bf16> == tl::element::bf16);
static_assert(tl::element_type<tl::f16> && tl::element_type<const tl::bf16> == tl::element_type<const float>);
static_assert(std::is_trivially_copyable_v<tl::f16> && std::is_trivially_default_constructible_v<tl::bf16>);
static_assert(sizeof(tl::f16) == 2 && sizeof(tl::bf16) == 2 && tl::size_of(tl::element::bf16) == 2);

template <class T, std::uint16_t Infinity>
void check_all() {
  for (unsigned bits = 0; bits <= 0xffffu; ++bits) {
    const auto x = std::bit_cast<T>(static_cast<std::uint16_t>(bits));
    const float value = x;
    const bool is_nan = (bits & 0x7fffu) > Infinity;
    const bool same = T(value).bits == bits;
    if (is_nan) {
      // A signaling NaN becomes a quiet one.
      if (!std::isnan(value) || !std::isnan(float(T(value)))) FAIL("NaN " << bits);
      continue;
    }
    if (!same) FAIL("bits " << bits << " became " << T(value).bits);
    if ((bits & 0x7fffu) == Infinity) continue;
    // Between this number and the next one further from 0: the middle goes to the even one.
    const auto next = std::bit_cast<T>(static_cast<std::uint16_t>(bits + 1));
    const bool last = (bits & 0x7fffu) + 1 == Infinity;
    const double step =
        last ? double(value) - double(float(std::bit_cast<T>(static_cast<std::uint16_t>(bits - 1))))
             : double(float(next)) - double(value);
    const float middle = static_cast<float>(double(value) + step / 2);
    const unsigned even = bits % 2 == 0 ? bits : bits + 1;
    if (T(middle).bits != even) FAIL("the middle above " << bits << " became " << T(middle).bits);
    if (T(std::nextafter(middle, 0.0f)).bits != bits) FAIL("below the middle above " << bits);
    const float beyond = std::nextafter(middle, std::copysign(INFINITY, middle));
    if (T(beyond).bits != bits + 1) FAIL("above the middle above " << bits);
  }
}

template <class T>
void check_limits(double epsilon, double largest, double smallest) {
  using limits = std::numeric_limits<T>;
  CHECK(double(limits::epsilon()) == epsilon);
  CHECK(double(limits::max()) == largest);
  CHECK(double(limits::lowest()) == -largest);
  CHECK(double(limits::min()) == smallest);
  CHECK(double(limits::denorm_min()) == smallest * epsilon);
  CHECK(float(limits::infinity()) == std::numeric_limits<float>::infinity());
  CHECK(std::isnan(float(limits::quiet_NaN())));
  CHECK(1 + std::ldexp(1.0, 1 - limits::digits) == 1 + epsilon);
}

}  // namespace

TEST_CASE("all bf16 numbers and their neighbours") { check_all<tl::bf16, 0x7f80>(); }
TEST_CASE("all f16 numbers and their neighbours") { check_all<tl::f16, 0x7c00>(); }

TEST_CASE("limits of 16 bits") {
  check_limits<tl::bf16>(0x1p-7, 0x1.fep127, 0x1p-126);
  check_limits<tl::f16>(0x1p-10, 65504, 0x1p-14);
}

TEST_CASE("NaN stays NaN, whatever its bits") {
  for (const std::uint32_t bits : {0x7f800001u, 0xff800001u, 0x7fffffffu, 0xffffffffu, 0x7fc00000u}) {
    const float nan = std::bit_cast<float>(bits);
    CHECK(std::isnan(float(tl::bf16(nan))));
    CHECK(std::isnan(float(tl::f16(nan))));
  }
}
