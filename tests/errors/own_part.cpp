// SPDX-License-Identifier: BSL-1.0
// Parts of an axis that cannot be equal.
// expect: own_part of a value of the shape [4, 8]: axis 1 cannot be divided evenly among 3 ranks
#include <tapeless/cluster/collectives.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4, 8>;
#ifdef CORRECTED
  return tl::sum(tl::own_part<2>(x));
#else
  return tl::sum(tl::own_part<3>(x));
#endif
};

constexpr auto value = model();
