// SPDX-License-Identifier: BSL-1.0
// A pattern of parameters' names as an argument.
// both compilers
// lines: 40
// expect: which parameters a rule is for is said by patterns of their names, or by a lambda: tl::for_parameters(tl::names_like<"fc.*">, rule)
// expect: which parameters are meant is said by patterns of their names, or by a lambda: tl::masked(t, tl::names_like<"*.weight">)
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  return tl::mean(tl::linear<"fc", 4>(tl::input<"x", float, tl::dyn<"batch">, 3>));
};

int main() {
#ifdef CORRECTED
  constexpr auto which = tl::names_like<"fc.*">;
#else
  constexpr auto which = "fc.*";
#endif
  tl::trainer net{model, tl::partition(tl::for_parameters(which, tl::adam({})), tl::sgd({}))};
  tl::trainer other{model, tl::chain(tl::masked(tl::add_decayed_weights(0.1), which), tl::sgd({}))};
}
