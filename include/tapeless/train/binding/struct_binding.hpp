// SPDX-License-Identifier: BSL-1.0
// net.step(sample): binds a user's own struct as a whole. Its members are named like the inputs; the struct
// is adapted for Boost.Hana (BOOST_HANA_ADAPT_STRUCT, or BOOST_HANA_DEFINE_STRUCT within it).
#pragma once

#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/core/to.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/second.hpp>

#include <tapeless/train/binding/binding.hpp>

namespace tapeless {

/// A struct whose members' names are known at compile time.
template <class T>
concept named_members = boost::hana::Struct<std::remove_cvref_t<T>>::value;

/// What can be given to a call: "x"_t = values, or a struct whose members are named like the inputs.
template <class T>
concept bindable = is_binding<T> || named_members<T>;

namespace detail {

template <class Key>
constexpr name name_of_key() {
  name n;
  const char* characters = boost::hana::to<const char*>(Key{});
  for (int i = 0; characters[i] != 0 && i < name::capacity - 1; ++i) n.characters[i] = characters[i];
  return n;
}

/// Calls f with a binding, or with the binding of each of a struct's members.
template <name Name, class F>
void for_each_binding(const binding<Name>& b, F f) {
  f(b);
}
template <named_members S, class F>
void for_each_binding(const S& sample, F f) {
  boost::hana::for_each(boost::hana::accessors<S>(), [&](const auto& member) {
    using key = std::remove_cvref_t<decltype(boost::hana::first(member))>;
    constexpr name label = name_of_key<key>();
    const auto& values = boost::hana::second(member)(sample);
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(values)>>) {
      f(binding<label>::to_lasting(values));
    } else {
      f(tag<label>{} = values);
    }
  });
}

}  // namespace detail

}  // namespace tapeless
