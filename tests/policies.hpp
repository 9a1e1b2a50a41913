// SPDX-License-Identifier: BSL-1.0
// The policies that what holds for all of them is tested on.
#pragma once

#include <string_view>
#include <type_traits>

#include <tapeless/run/default_policy.hpp>
#ifdef TAPELESS_HAS_THRUST
#include <tapeless/run/thrust_host/thrust_host.hpp>
#endif

#include "catch.hpp"

namespace test {

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
  return "the default policy";
}

template <class Policy, class F>
void on_policy(F& f) {
  DYNAMIC_SECTION("on " << name_of_policy<Policy>()) { f.template operator()<Policy>(); }
}

/// Calls f.operator()<Policy>() for the default policy, and for thrust_host where Thrust is there; each in a
/// section of its own.
template <class F>
void on_each_policy(F f) {
  on_policy<tapeless::default_policy>(f);
#ifdef TAPELESS_HAS_THRUST
  if constexpr (!std::is_same_v<tapeless::default_policy, tapeless::thrust_host>)
    on_policy<tapeless::thrust_host>(f);
#endif
}

}  // namespace test
