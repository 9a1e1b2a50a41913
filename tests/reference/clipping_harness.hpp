// SPDX-License-Identifier: BSL-1.0
// Clips the stored gradients of a case together and compares them.
#pragma once

#include <string>
#include <utility>

#include "reference/harness.hpp"

#include <tapeless/optim/optim.hpp>

namespace reference {

template <std::int64_t... E>
struct extents {};

template <class A, class B>
struct two_gradients;

/// A loss whose gradient by a and b is what the inputs ga and gb hold.
template <std::int64_t... A, std::int64_t... B>
struct two_gradients<extents<A...>, extents<B...>> {
  constexpr auto operator()() const {
    return tl::sum(tl::param<"a", double, A...> * tl::input<"ga", double, A...>) +
           tl::sum(tl::param<"b", double, B...> * tl::input<"gb", double, B...>);
  }
};

/// The transform alone is the rule, times 1: parameters that start at 0 become the clipped gradients.
template <class Model, class Transform>
void check_clipping(Model model, Transform transform, const char* path, const char* name) {
  const tensors stored(path, name);
  tl::trainer net{model, tl::chain(std::move(transform), tl::scale(1))};
  net.step("ga"_t = stored["grad_a"].as<double>(), "gb"_t = stored["grad_b"].as<double>());
  CHECK(error_of(test::elements(net.template parameter<"a">()), numbers(stored["clipped_a"])) <= 1e-10);
  CHECK(error_of(test::elements(net.template parameter<"b">()), numbers(stored["clipped_b"])) <= 1e-10);
}

}  // namespace reference
