// SPDX-License-Identifier: BSL-1.0
// The laws for operations that move elements, and for views of views.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(transpose, 12, 12, -1, 1, tl::transpose<0, -1>(part<0, 2, 3, 2>(z)) * part<0, 2, 3, 2>(z))
TAPELESS_LAW(split, 12, 4, -1, 1, [](auto x) {
  auto [a, b, c] = tl::split<1, 3>(x);
  return a * b * tl::square(c);
}(part<0, 2, 6>(z)))
TAPELESS_LAW(stack, 6, 12, -1, 1, tl::stack<1>(part<0, 2, 3>(z), tl::square(part<0, 2, 3>(z))))
TAPELESS_LAW(roll, 12, 12, -1, 1, tl::roll<1, 1>(part<0, 3, 4>(z)) * tl::roll<0, -2>(part<0, 3, 4>(z)))
TAPELESS_LAW(triangles, 12, 12, -1, 1,
             tl::tril(part<0, 3, 4>(z)) * tl::triu<-1>(tl::square(part<0, 3, 4>(z))))
TAPELESS_LAW(diagonal, 18, 6, -1, 1, tl::square(tl::diagonal(part<0, 2, 3, 3>(z))))
TAPELESS_LAW(pad_with, 7, 16, -1, 1,
             tl::square(tl::pad<-1, 0, 1>(tl::pad<0, 1, 1>(part<0, 2, 3>(z), 2_c), tl::at<6>(z))))
TAPELESS_LAW(slice_of_slice, 12, 4, -1, 1,
             tl::slice<-1, 1, -1>(tl::slice<0, 0, 3, 2>(tl::slice<0, 1, 4>(tl::square(part<0, 4, 3>(z))))) +
                 tl::slice<1, 0, 4, 3>(tl::slice<1, 0, 5>(part<0, 2, 6>(z))))
TAPELESS_LAW(expanded_and_reduced, 4, 4, -1, 1,
             tl::sum<0>(tl::square(tl::expand<3, 2, 2>(part<0, 2, 2>(z)))) * part<0, 2, 2>(z))
TAPELESS_LAW(view_of_view, 12, 6, -1, 1,
             tl::slice<0, 0, 2>(tl::reshape<4, 3>(tl::transpose(tl::square(part<0, 3, 4>(z))))) *
                 part<0, 2, 3>(z))
