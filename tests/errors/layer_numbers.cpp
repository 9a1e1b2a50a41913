// SPDX-License-Identifier: BSL-1.0
// Normalizations, activations and tables of numbers that they cannot have: one sentence each.
// expect: layer_norm takes at least one trailing axis, but got 0
// expect: group_norm takes at least one group, but got 0
// expect: normalize takes an eps above 0, but got -0.5
// expect: a frozen batch_norm has running statistics
// expect: prelu takes one slope or more, but got 0
// expect: gumbel_softmax takes a tau above 0, but got 0
// expect: one_hot takes 0 or more classes, or tl::dyn<...>, but got -1
// expect: embedding<"h"> takes a table of 0 or more rows and columns, but got 10 and -4
// expect: embedding_bag<"j"> takes a table of 0 or more rows and columns, but got 10 and -4
// expect: bilinear<"k"> has 0 or more outputs, but got -3
// lines-clang: 155
// lines-gnu: 65
// reject: constant expression
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/activation.hpp>
#include <tapeless/ops/indexing.hpp>
#include <tapeless/ops/linalg.hpp>
#include <tapeless/ops/norm.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4, 6>;
  auto labels = tl::input<"labels", int, 4>;
#ifndef CORRECTED
  tl::layer_norm<"a", 0>(x);
  tl::group_norm<"b", 0>(x);
  tl::normalize<1, -0.5>(x);
  tl::batch_norm<"d", tl::batch_norm_options{.track_running_stats = false, .frozen = true}>(x);
  tl::prelu<"e", 0>(x);
  tl::gumbel_softmax<"f", tl::gumbel{.tau = 0}>(x);
  tl::one_hot<-1>(labels);
  tl::embedding<"h", 10, -4>(labels);
  tl::embedding_bag<"j", 10, -4>(labels);
  tl::bilinear<"k", -3>(x, x);
#endif
  return tl::group_norm<"i", 2>(x);
};

int main() { model(); }
