// SPDX-License-Identifier: BSL-1.0
// The straight-line code that a policy has for a program, as what calls and describes programs sees it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tapeless/graph/core/array_view.hpp>

namespace tapeless::detail {

/// A policy without straight-line code.
struct no_lines {
  static constexpr std::size_t count = 0;
};
template <class Policy, class GraphBuilder>
struct lines_on_policy {
  using type = no_lines;
};
template <class Policy, class GraphBuilder>
  requires requires { typename Policy::template in_line<GraphBuilder>; }
struct lines_on_policy<Policy, GraphBuilder> {
  using type = typename Policy::template in_line<GraphBuilder>;
};
/// The straight-line code that a policy has for a program: it takes no longer than checks of what is bound.
template <class Policy, class GraphBuilder>
using lines_on = typename lines_on_policy<Policy, GraphBuilder>::type;

/// What lines_on<...>::count is at most, without a look at the program's plan, which may never be needed.
template <class Policy>
constexpr std::size_t most_lines_on() {
  if constexpr (requires { Policy::most_lines; }) return Policy::most_lines;
  return 0;
}

/// Before a program's runs are observed: tells it its commands, where its policy has straight-line code for
/// it and no tables.
template <class Policy, class GraphBuilder, class Program>
void make_observable([[maybe_unused]] Program& program) {
  if constexpr (requires { Policy::template commands<GraphBuilder>; })
    program.know_commands(Policy::template commands<GraphBuilder>);
}

/// The one set of extents of a program whose extents are all known.
struct static_line {
  static constexpr std::size_t count = 1;
  static constexpr bool are_told = true;
  template <std::size_t>
  static constexpr array_view<const std::int64_t> values() {
    return {};
  }
};

}  // namespace tapeless::detail
