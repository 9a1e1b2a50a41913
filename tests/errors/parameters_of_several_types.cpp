// SPDX-License-Identifier: BSL-1.0
// A loop through parameters whose elements have several types.
// both compilers
// lines: 24
// expect: these parameters have elements of several types, so that no variable of a loop has the type of all: net.parameters().for_each([](auto p) { ... })
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto w = tl::param<"w", float, 2>;
  return tl::cast<double>(tl::sum(w)) * tl::param<"s", double>(tl::fill(2));
};

int main() {
  tl::trainer net{model, tl::sgd({})};
#ifdef CORRECTED
  net.parameters().for_each([](auto p) { p[0] = 1; });
#else
  for (auto& p : net.parameters()) p[0] = 1;
#endif
}
