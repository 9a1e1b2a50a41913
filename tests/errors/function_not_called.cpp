// SPDX-License-Identifier: BSL-1.0
// Constants of a shape without their parentheses.
// expect: +: a function stands where what it returns belongs: tl::zeros<float, 3>() in place of tl::zeros<float, 3>
// reject: no matching function
// reject: no match for
// reject: values of the program
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2>;
#ifdef CORRECTED
  return x + tl::relu(tl::ones<float, 2>());
#else
  return x + tl::zeros<float, 2>;
#endif
};

int main() { model(); }
