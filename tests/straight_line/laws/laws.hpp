// SPDX-License-Identifier: BSL-1.0
// The laws' cases as straight-line code: what the sources of tests/laws include as "laws/laws.hpp" where this
// folder comes first. A program that is one function has the bits that its commands give one by one, and
// those of tables of kernels.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tapeless/run/cpu/straight_line_at.hpp>

#include "bare/law_case.hpp"
#include "catch.hpp"
#include "laws/cases.hpp"
#include "lone_program.hpp"

namespace laws {

/// All numbers that are none count as equal.
template <class T>
bool have_same_bits(T a, T b) {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<bits>(a) == std::bit_cast<bits>(b) || (std::isnan(a) && std::isnan(b));
}
template <class View, class Other>
void require_same_bits(const View& given, const Other& wanted) {
  REQUIRE(given.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    INFO("element " << i << ": " << given[i] << ", not " << wanted[i]);
    CHECK(have_same_bits(given[i], wanted[i]));
  }
}
template <class Result, class Other>
void require_same_outputs(const Result& given, const Other& wanted) {
  require_same_bits(given.template get<"y">(), wanted.template get<"y">());
  require_same_bits(given.template get<"vjp">(), wanted.template get<"vjp">());
}

struct counting_observer {
  std::size_t commands = 0;
  void before(std::size_t) { ++commands; }
  void after(std::size_t) {}
};

template <class Case>
void check() {
  using model = static_model<Case>;
  const law_inputs<Case> inputs;
  const tl::function line{model{}, tl::straight_line{.threads = 1}};
  const tl::function tables{model{}, tl::cpu_by_tables{.threads = 1}};
  using graph_builder = typename decltype(line)::graph_builder;
  const auto given = line("z"_t = inputs.z, "u"_t = inputs.u);
  const auto wanted = tables("z"_t = inputs.z, "u"_t = inputs.u);
  require_same_outputs(given, wanted);
  if constexpr (tl::straight_line::in_line<graph_builder>::count > 0) {
    test::lone_program<graph_builder, tl::straight_line> one_by_one;
    counting_observer observer;
    require_same_outputs(given, one_by_one.watched(observer, "z"_t = inputs.z, "u"_t = inputs.u));
    CHECK(observer.commands > 0);
  }
}

}  // namespace laws
