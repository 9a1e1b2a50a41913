// SPDX-License-Identifier: BSL-1.0
// A result's output by a name that the model does not have.
// both compilers
// expect: there is no output named \"logit\"; there is \"
// reject: const void
// reject: subscript
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <array>

#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2>;
  return tl::outputs(tl::named<"logits">(x), tl::named<"scores">(tl::exp(x)));
};

int main() {
  tl::function f{model};
  auto r = f("x"_t = std::array{1.0f, 2.0f});
#ifdef CORRECTED
  return r.get<"logits">()[0] > 0;
#else
  return r.get<"logit">()[0] > 0;
#endif
}
