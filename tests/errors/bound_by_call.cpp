// SPDX-License-Identifier: BSL-1.0
// An input bound by parentheses.
// lines: 20
// expect: an input is bound by =, without parentheses, as in net.step("x"_t = x)
// reject: call operator
// reject: no match
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
  return tl::mean(tl::linear<"fc", 4>(x));
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  const std::array x{1.0f, 2.0f, 3.0f};
#ifdef CORRECTED
  net.step("x"_t = x);
#else
  net.step("x"_t(x));
#endif
}
