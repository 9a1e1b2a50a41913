// SPDX-License-Identifier: BSL-1.0
// Arrays of numbers in a model.
// both compilers
// expect: constant takes a number; an array is how a parameter starts, which no rule changes behind stop_gradient: tl::stop_gradient(tl::param<"mel", float, 2, 3>(tl::values<table>()))
// expect: values takes a std::array of numbers, or of such arrays, with one element or more: constexpr std::array<float, 3> table{1, 2, 3}; tl::values<table>()
// expect: the parameter "mel"[2, 3] starts as an array [5]: it takes one of 6 numbers, or one of arrays that has its shape
// reject: invalid
// reject: no matching function
// reject: no match for
// reject: no member named
// reject: has no member
#include <array>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr std::array<float, 3> window{0.5f, 1, 0.5f};
#ifdef CORRECTED
constexpr std::array<float, 6> table{1, 2, 3, 4, 5, 6};
#else
constexpr std::array<float, 5> table{1, 2, 3, 4, 5};
constexpr float taps[] = {1, 2, 3};
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3>;
#ifdef CORRECTED
  return tl::sum(x * tl::stop_gradient(tl::param<"window", float, 3>(tl::values<window>())));
#else
  return tl::sum(x * tl::constant<window>) + tl::sum(x * tl::param<"taps", float, 3>(tl::values<taps>()));
#endif
};

constexpr auto filtered = [] {
  auto mel = tl::stop_gradient(tl::param<"mel", float, 2, 3>(tl::values<table>()));
  return tl::sum(tl::matmul(mel, tl::input<"x", float, 3, 1>));
};

int main() {
  model();
  tl::function f{filtered};
}
