// SPDX-License-Identifier: BSL-1.0
// A function on the CPU and on thrust_host: what one gives the other has to give.
#pragma once

#include <algorithm>
#include <cmath>

#include <tapeless/run/cpu/cpu.hpp>
#include <tapeless/run/thrust_host/thrust_host.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace test {

constexpr std::size_t count(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

/// The largest difference of an output's elements, of two results; infinite where their numbers differ.
template <tl::name Name, class A, class B>
double difference(const A& a, const B& b) {
  const auto x = elements(a.template get<Name>()), y = elements(b.template get<Name>());
  if (x.size() != y.size()) return INFINITY;
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(std::isnan(x[i]) && std::isnan(y[i])))
      most = std::max(most, x[i] == y[i] ? 0 : std::abs(x[i] - y[i]));
  return most;
}

/// A model on both policies, called with the same bindings.
template <class Model>
struct both {
  tl::function<Model, tl::cpu> expected{Model{}};
  tl::function<Model, tl::thrust_host> actual{Model{}};

  template <tl::name... Output, class... Bindings>
  double differ(const Bindings&... bindings) {
    const auto a = expected(bindings...);
    const auto b = actual(bindings...);
    return std::max({difference<Output>(a, b)...});
  }
};

}  // namespace test
