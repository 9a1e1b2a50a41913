// SPDX-License-Identifier: BSL-1.0
// The policies that what holds for all of them is tested on.
#pragma once

#include <string_view>
#include <type_traits>

#include <tapeless/run/cpu/cpu.hpp>
#include <tapeless/run/default_policy.hpp>
#ifdef TAPELESS_HAS_THRUST
#include <tapeless/run/thrust_host/thrust_host.hpp>
#endif

#include "catch.hpp"

namespace test {

/// The default policy, of tl::cpu with all programs through tables of kernels: small ones are straight-line
/// code otherwise.
using table_policy = std::conditional_t<std::is_same_v<tapeless::default_policy, tapeless::cpu>,
                                        tapeless::cpu_by_tables, tapeless::default_policy>;

#ifdef TAPELESS_HAS_THRUST
inline constexpr bool has_thrust_host = true;
#else
inline constexpr bool has_thrust_host = false;
#endif

template <class Policy>
constexpr std::string_view name_of_policy() {
#ifdef TAPELESS_HAS_THRUST
  if constexpr (std::is_same_v<Policy, tapeless::thrust_host>) return "thrust_host";
#endif
  if constexpr (!std::is_same_v<Policy, tapeless::default_policy>) return "tables";
  return "the default policy";
}

template <class Policy, class F>
void on_policy(F& f) {
  DYNAMIC_SECTION("on " << name_of_policy<Policy>()) { f.template operator()<Policy>(); }
}

template <class F>
void on_thrust_host([[maybe_unused]] F& f) {
#ifdef TAPELESS_HAS_THRUST
  if constexpr (!std::is_same_v<tapeless::default_policy, tapeless::thrust_host>)
    on_policy<tapeless::thrust_host>(f);
#endif
}

/// Calls f.operator()<Policy>() for the default policy, for that of tables, and for thrust_host where Thrust
/// is there; each in a section of its own.
template <class F>
void on_each_policy(F f) {
  on_policy<tapeless::default_policy>(f);
  if constexpr (!std::is_same_v<tapeless::default_policy, table_policy>) on_policy<table_policy>(f);
  on_thrust_host(f);
}
/// The same for what is not straight-line code.
template <class F>
void on_table_policies(F f) {
  on_policy<table_policy>(f);
  on_thrust_host(f);
}

}  // namespace test
