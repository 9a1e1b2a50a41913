// SPDX-License-Identifier: BSL-1.0
// A blank behind the last class.
// expect: ctc_loss: the blank 10 is none of the 10 classes
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <cstdint>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/loss/ctc_loss.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr tl::loss options{.blank = 9};
#else
constexpr tl::loss options{.blank = 10};
#endif

constexpr auto model = [] {
  return tl::ctc_loss<options>(tl::log_softmax(tl::input<"x", float, tl::dyn<"time">, 2, 10>),
                               tl::input<"targets", std::int64_t, 2, 4>, tl::input<"inputs", std::int64_t, 2>,
                               tl::input<"lengths", std::int64_t, 2>);
};

int main() { tl::function f{model}; }
