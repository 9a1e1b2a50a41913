// SPDX-License-Identifier: BSL-1.0
// Whole numbers, which ranks do not gather.
// expect: all_gather of a value of type std::int32_t: it takes float and double
#include <tapeless/cluster/collectives.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto label = tl::input<"label", std::int32_t, 4>;
#ifdef CORRECTED
  return tl::sum(tl::all_gather<2>(tl::cast<float>(label)));
#else
  return tl::sum(tl::all_gather<2>(label));
#endif
};

constexpr auto value = model();
