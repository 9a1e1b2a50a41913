// SPDX-License-Identifier: BSL-1.0
// A model's outputs on tl::bare, of calls that fit.
#pragma once

#include <tapeless/train/bare/bare_function.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace test {

template <class Model>
class bare_function {
 public:
  template <class... Bindings>
  auto operator()(const Bindings&... bindings) {
    const auto result = function_(bindings...);
    REQUIRE(result.is_valid());
    return result;
  }

 private:
  tl::function<Model, tl::bare> function_{Model{}};
};

}  // namespace test
