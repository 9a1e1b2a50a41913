// SPDX-License-Identifier: BSL-1.0
// A model that several processes compute together, as an ONNX file.
// expect: save_onnx: ONNX has no operator for all_reduce
#include <tapeless/cluster/collectives.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/onnx.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto y = tl::linear<"down", 3, false>(tl::input<"x", float, 4, 2>);
#ifdef CORRECTED
  return y;
#else
  return tl::all_reduce(y);
#endif
};

int main() {
  tl::function f{model};
  tl::save_onnx(f, "model.onnx");
}
