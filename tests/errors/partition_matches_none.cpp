// SPDX-License-Identifier: BSL-1.0
// A partition's group that fits no parameter's name, by a rule that looks at all gradients.
// expect: is for no parameter at all: of \"fc.weight\"[2, 3], \"fc.bias\"[2], none fits \"*.kernel\"
// reject: no matching function
// reject: no type named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return tl::mean(tl::linear<"fc", 2>(tl::input<"x", float, 4, 3>)); };

#ifdef CORRECTED
constexpr auto trained = tl::names_like<"*.weight">;
#else
constexpr auto trained = tl::names_like<"*.kernel">;
#endif

int main() {
  tl::trainer net{model, tl::partition(tl::for_parameters(trained, tl::prodigy({})))};
  const float x[12] = {};
  net.step("x"_t = x);
}
