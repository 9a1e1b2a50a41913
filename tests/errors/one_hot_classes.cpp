// SPDX-License-Identifier: BSL-1.0
// A negative number of classes.
// expect: one_hot takes 0 or more classes, or tl::dyn<...>, but got -1
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto index = tl::input<"index", int, tl::dyn<"batch">>;
#ifndef CORRECTED
  return tl::one_hot<-1>(index);
#else
  return tl::one_hot<3>(index);
#endif
};

int main() { model(); }
