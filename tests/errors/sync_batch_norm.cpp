// SPDX-License-Identifier: BSL-1.0
// A norm over the samples of all ranks without running statistics, and one without a name.
// expect: sync_batch_norm has running statistics: by them each rank evaluates without
// expect: the others
// expect: a layer has template arguments in this order, its name first: tl::sync_batch_norm<"bn1", tl::batch_norm_options{.eps = 1e-5, .momentum = 0.1}>(x)
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/cluster/collectives.hpp>
#include <tapeless/expr/input.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4, 3>;
#ifndef CORRECTED
  tl::sync_batch_norm<"bn", tl::batch_norm_options{.track_running_stats = false}>(x);
  tl::sync_batch_norm<0.1>(x);
#endif
  return tl::sync_batch_norm<"bn">(x);
};

int main() { model(); }
