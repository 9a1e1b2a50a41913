// SPDX-License-Identifier: BSL-1.0
// A snapshot of a trainer of another model.
// expect: restore: the snapshot is of a trainer of another model; copy_parameters(from, to) takes over
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  return tl::mean(tl::square(tl::linear<"fc", 2>(tl::input<"x", float, 2>) - 1_c));
};
[[maybe_unused]] constexpr auto other = [] {
  return tl::mean(tl::square(tl::linear<"fc", 3>(tl::input<"x", float, 2>) - 1_c));
};

int main() {
  tl::trainer net{model, tl::adam({})};
#ifdef CORRECTED
  tl::trainer from{model, tl::adam({})};
#else
  tl::trainer from{other, tl::adam({})};
#endif
  tl::restore(net, tl::snapshot(from));
}
