// SPDX-License-Identifier: BSL-1.0
// The laws for views, and for views of views.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(permute, 12, 12, -1, 1, tl::permute<2, 0, 1>(part<0, 2, 3, 2>(z)) * part<0, 2, 3>(z))
TAPELESS_LAW(transpose, 12, 12, -1, 1, tl::transpose<0, -1>(part<0, 2, 3, 2>(z)) * part<0, 2, 3, 2>(z))
TAPELESS_LAW(slice, 12, 6, -1, 1,
             tl::slice<-1, 0, 5, 2>(tl::slice<1, 1, 6>(part<0, 2, 6>(z))) * part<6, 1>(z))
TAPELESS_LAW(expand, 4, 24, -1, 1, tl::expand<2, 3, 4>(z))
TAPELESS_LAW(at, 12, 3, -1, 1, tl::at<1, -1>(part<0, 2, 2, 3>(z)) * tl::at<0, 0>(part<0, 2, 2, 3>(z)))
TAPELESS_LAW(flatten, 12, 12, -1, 1, tl::flatten(tl::permute<0, 2, 1>(part<0, 2, 3, 2>(z))))
TAPELESS_LAW(axes_of_one, 6, 12, -1, 1,
             tl::squeeze<0, -1>(tl::square(part<0, 1, 2, 3, 1>(z))) * tl::unsqueeze<1>(part<2, 2, 1>(z)))
TAPELESS_LAW(diagonal, 18, 6, -1, 1, tl::square(tl::diagonal(part<0, 2, 3, 3>(z))))
TAPELESS_LAW(reshape_of_permute, 12, 12, -1, 1, tl::reshape<4, 3>(tl::permute<1, 0>(part<0, 3, 4>(z))))
TAPELESS_LAW(slice_of_expand, 3, 8, -1, 1, tl::slice<0, 1, 3>(tl::permute<1, 0>(tl::expand<4, 3>(z))))
TAPELESS_LAW(slice_of_slice, 12, 4, -1, 1,
             tl::slice<-1, 1, -1>(tl::slice<0, 0, 3, 2>(tl::slice<0, 1, 4>(tl::square(part<0, 4, 3>(z))))) +
                 tl::slice<1, 0, 4, 3>(tl::slice<1, 0, 5>(part<0, 2, 6>(z))))
TAPELESS_LAW(view_of_view, 12, 6, -1, 1,
             tl::slice<0, 0, 2>(tl::reshape<4, 3>(tl::transpose(tl::square(part<0, 3, 4>(z))))) *
                 part<0, 2, 3>(z))
TAPELESS_LAW(expanded_and_reduced, 4, 4, -1, 1,
             tl::sum<0>(tl::square(tl::expand<3, 2, 2>(part<0, 2, 2>(z)))) * part<0, 2, 2>(z))
