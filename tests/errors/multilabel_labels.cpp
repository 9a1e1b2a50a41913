// SPDX-License-Identifier: BSL-1.0
// One label for each row, where a list of labels stands.
// expect: multilabel_margin_loss got scores float[batch, 3] and labels std::int32_t[batch]: it takes floating
// expect: scores [..., classes] and integer labels of the same shape, ended by -1
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <cstdint>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/loss.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 3>;
#ifdef CORRECTED
  return tl::multilabel_margin_loss(x, tl::input<"y", int, batch, 3>);
#else
  return tl::multilabel_margin_loss(x, tl::input<"y", int, batch>);
#endif
};

int main() { tl::function f{model}; }
