// SPDX-License-Identifier: BSL-1.0
// The laws for ctc_loss, also where an input ends early and where a class is impossible.
#include <limits>

#include "laws/laws.hpp"

using laws::part;

// x [4, 2, 3], where class 1 is impossible at the second time of the second row. The rows' labels are 1, 1
// and 1; their lengths are 4 and 3.
TAPELESS_LAW(ctc_loss, 24, 2, -2, 0, [](auto x) {
  auto row = tl::iota<std::int64_t, 2>();
  auto targets = tl::iota<std::int64_t, 2, 2>() * 0_c + 1_c;
  auto impossible = tl::iota<std::int64_t, 24>() == 10_c;
  auto possible = tl::where(impossible, tl::constant<-std::numeric_limits<double>::infinity()>, x);
  return tl::ctc_loss<tl::loss{.reduce = tl::reduction::none}>(tl::reshape<4, 2, 3>(possible), targets,
                                                               4_c - row, 2_c - row);
}(z))
