// SPDX-License-Identifier: BSL-1.0
// The laws for windows along one axis.
#include "laws/laws.hpp"

using laws::part;

namespace {

template <int Axis, tl::window Window>
struct windows_statement {
  static constexpr int arity = 1;
  static constexpr tl::value build(tl::value x) { return tl::windows(x, Axis, Window); }
};
constexpr tl::window with_stride{3, 2, 1}, with_dilation{3, 1, 2};

}  // namespace

TAPELESS_LAW(windows_with_stride, 14, 18, -1, 1,
             tl::square(tl::make<windows_statement<1, with_stride>>(part<0, 2, 7>(z))))
TAPELESS_LAW(windows_with_dilation, 42, 54, -1, 1,
             tl::square(tl::make<windows_statement<1, with_dilation>>(part<0, 2, 7, 3>(z))))
