// SPDX-License-Identifier: BSL-1.0
// The laws for operations that put elements elsewhere, or zeros beside them.
#include "laws/laws.hpp"

#include <tapeless/ops/indexing.hpp>
#include <tapeless/ops/spatial.hpp>

using laws::part;

namespace {

constexpr auto rows = tl::max(tl::reshape<2, 2>(tl::iota<int, 4>()) - 1_c, 0_c);
constexpr tl::bag padded{.mode = tl::bag_mode::sum, .padding_index = 0};
constexpr tl::bag highest{.mode = tl::bag_mode::max};

}  // namespace

TAPELESS_LAW(pad, 6, 20, -1, 1, tl::pad<0, 1, 1>(tl::pad<-1, 2, 0>(part<0, 2, 3>(z))))
TAPELESS_LAW(pad_with, 7, 16, -1, 1,
             tl::square(tl::pad<-1, 0, 1>(tl::pad<0, 1, 1>(part<0, 2, 3>(z), 2_c), tl::at<6>(z))))
TAPELESS_LAW(concat, 12, 14, -2, 2,
             tl::concat<1>(part<0, 2, 2>(z), part<4, 2, 3>(z), tl::square(part<0, 2, 2>(z))))
TAPELESS_LAW(split, 12, 4, -1, 1, [](auto x) {
  auto [a, b, c] = tl::split<1, 3>(x);
  return a * b * tl::square(c);
}(part<0, 2, 6>(z)))
TAPELESS_LAW(stack, 6, 12, -1, 1, tl::stack<1>(part<0, 2, 3>(z), tl::square(part<0, 2, 3>(z))))
TAPELESS_LAW(roll, 12, 12, -1, 1, tl::roll<1, 1>(part<0, 3, 4>(z)) * tl::roll<0, -2>(part<0, 3, 4>(z)))
TAPELESS_LAW(flip, 12, 12, -2, 2, tl::flip<0, -1>(part<0, 2, 3, 2>(z) * part<0, 2, 3, 2>(z)))
TAPELESS_LAW(triangles, 12, 12, -1, 1,
             tl::tril(part<0, 3, 4>(z)) * tl::triu<-1>(tl::square(part<0, 3, 4>(z))))
TAPELESS_LAW(shuffles, 32, 32, -1, 1,
             tl::reshape<32>(tl::pixel_shuffle<2>(tl::channel_shuffle<4>(part<0, 1, 8, 2, 2>(z)))) *
                 tl::reshape<32>(tl::pixel_unshuffle<2>(part<0, 1, 2, 4, 4>(z))))
TAPELESS_LAW(embedding_bag, 6, 4, -1, 1,
             tl::reshape<4>(tl::square(tl::embedding_bag(part<0, 3, 2>(z), rows)) +
                            tl::embedding_bag<padded>(tl::square(part<0, 3, 2>(z)), rows) *
                                tl::embedding_bag<highest>(part<0, 3, 2>(z), rows)))
