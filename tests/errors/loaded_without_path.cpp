// SPDX-License-Identifier: BSL-1.0
// The path before the trainer that is to read it.
// expect: load takes the trainer and a path: load(net, "net.safetensors")
// lines: 20
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/files/save.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::mean(tl::linear<"fc", 1>(tl::input<"x", float, 4, 2>)); };

int main() {
  tl::trainer net{model, tl::sgd({})};
#ifdef CORRECTED
  tl::load(net, "net.safetensors");
#else
  tl::load(net);
#endif
}
