// SPDX-License-Identifier: BSL-1.0
// What is left of a wrong operation is handed to functions of the model's writer, which take expressions.
// expect: + got operands of the shapes [batch, 4] and [batch, 3], which do not fit
// reject: no matching function
// reject: no match for
// reject: constraints
// reject: no member named
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int width = 4;
#else
constexpr int width = 3;
#endif

template <tl::name Name>
constexpr auto block(tl::expression auto x) {
  return tl::relu(tl::linear<Name, 4>(x));
}

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 4>;
  auto y = tl::input<"y", float, tl::dyn<"batch">, width>;
  return tl::mean(block<"b">(block<"a">(x + y)));
};

int main() { tl::function f{model}; }
