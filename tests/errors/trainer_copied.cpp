// SPDX-License-Identifier: BSL-1.0
// A trainer is copied, which has weights and programs of its own.
// expect-gnu: use of deleted function
// expect-clang: call to deleted constructor
// lines: 20
#include <utility>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::mean(tl::linear<"fc", 1>(tl::input<"x", float, 4, 2>)); };

int main() {
  tl::trainer net{model, tl::sgd({})};
#ifdef CORRECTED
  auto other = std::move(net);
#else
  auto other = net;
#endif
}
