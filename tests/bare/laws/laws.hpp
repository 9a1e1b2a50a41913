// SPDX-License-Identifier: BSL-1.0
// The laws' cases on tl::bare: what the sources of tests/laws include as "laws/laws.hpp" where this folder
// comes first. Outputs and gradients are those of tables of kernels within rounding.
#pragma once

#include <tapeless/run/cpu/cpu.hpp>

#include "bare/bare_function.hpp"
#include "bare/close_views.hpp"
#include "bare/law_case.hpp"
#include "catch.hpp"
#include "laws/cases.hpp"

namespace laws {

template <class Case>
void compare() {
  using number = typename static_model<Case>::number;
  const law_inputs<Case> inputs;
  const tl::function usual{static_model<Case>{}, tl::cpu_by_tables{.threads = 1}};
  static test::bare_function<static_model<Case>> bare;
  const auto wanted = usual("z"_t = inputs.z, "u"_t = inputs.u);
  const auto given = bare("z"_t = inputs.z, "u"_t = inputs.u);
  require_close_outputs<number>(given, wanted);
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
