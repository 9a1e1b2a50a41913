// SPDX-License-Identifier: BSL-1.0
// The laws' cases on tl::bare: what the sources of tests/laws include as "laws/laws.hpp" where this folder
// comes first. Outputs and gradients are those of tables of kernels within
// rounding.
#pragma once

#include <algorithm>
#include <cmath>

#include <tapeless/run/cpu/cpu.hpp>

#include "bare/bare_function.hpp"
#include "bare/law_case.hpp"
#include "catch.hpp"
#include "laws/cases.hpp"

namespace laws {

inline bool are_equal(double a, double b, double margin) {
  return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= margin;
}
template <class View, class Other>
void require_equal(const View& given, const Other& wanted, double tolerance) {
  REQUIRE(given.size() == wanted.size());
  double most = 1;
  for (const auto x : wanted)
    if (std::isfinite(x)) most = std::max(most, std::abs(static_cast<double>(x)));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    INFO("element " << i << ": " << static_cast<double>(given[i]) << ", by tables "
                    << static_cast<double>(wanted[i]));
    CHECK(are_equal(static_cast<double>(given[i]), static_cast<double>(wanted[i]), tolerance * most));
  }
}

template <class Case>
void compare() {
  using number = typename static_model<Case>::number;
  const law_inputs<Case> inputs;
  const tl::function usual{static_model<Case>{}, tl::cpu_by_tables{.threads = 1}};
  static test::bare_function<static_model<Case>> bare;
  const auto wanted = usual("z"_t = inputs.z, "u"_t = inputs.u);
  const auto given = bare("z"_t = inputs.z, "u"_t = inputs.u);
  constexpr double tolerance = sizeof(number) == 4 ? 2e-5 : 1e-12;
  require_equal(given.template get<"y">(), wanted.template get<"y">(), tolerance);
  require_equal(given.template get<"vjp">(), wanted.template get<"vjp">(), tolerance);
}

template <class Case>
void check() {
  using graph_builder = typename tl::function<static_model<Case>, tl::cpu_by_tables>::graph_builder;
  if constexpr (!tl::detail::operation_without_bare_kernel<graph_builder>().empty()) {
    SUCCEED("tl::bare says that it has no kernel for it");
  } else {
    compare<Case>();
  }
}

}  // namespace laws
