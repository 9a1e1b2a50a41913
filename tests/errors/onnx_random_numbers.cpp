// SPDX-License-Identifier: BSL-1.0
// A model that draws random numbers when it is evaluated, as an ONNX file.
// expect: save_onnx: the outputs depend on random numbers, and ONNX would draw others; make an input of them
#include <tapeless/expr/input.hpp>
#include <tapeless/onnx.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto sampled = [] {
  auto x = tl::input<"x", float, 4>;
  return x + tl::normal_like<"noise">(x);
};
constexpr auto given = [] { return tl::input<"x", float, 4> + tl::input<"noise", float, 4>; };

int main() {
#ifdef CORRECTED
  tl::function f{given};
#else
  tl::function f{sampled};
#endif
  tl::save_onnx(f, "model.onnx");
}
