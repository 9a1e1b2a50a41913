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
#include <boost/hana/unpack.hpp>

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

/// What is known of a binding while compiling: the input's name, and the elements' type, where it is.
struct bound_name {
  const name* label;
  element type = element::number;
  bool is_number = false;  // in the binding, so that it may take the input's type
};

template <name Name>
constexpr bound_name bound_name_of(const binding<Name>*) {
  return {&interned<Name>};
}
template <name Name, element Type>
constexpr bound_name bound_name_of(const typed_binding<Name, Type>*) {
  return {&interned<Name>, Type};
}
template <name Name, element Type>
constexpr bound_name bound_name_of(const number_binding<Name, Type>*) {
  return {&interned<Name>, Type, true};
}
template <class S, class Member>
constexpr bound_name bound_name_of_member() {
  constexpr name label =
      name_of_key<std::remove_cvref_t<decltype(boost::hana::first(std::declval<Member>()))>>();
  using values =
      std::remove_cvref_t<decltype(boost::hana::second(std::declval<Member>())(std::declval<const S&>()))>;
  using bound = decltype(tag<label>{} = std::declval<const values&>());
  bound_name all = bound_name_of(static_cast<const bound*>(nullptr));
  all.is_number = false;
  return all;
}

template <class S, class... Member>
struct bound_members {
  static constexpr std::array<bound_name, sizeof...(Member)> names{bound_name_of_member<S, Member>()...};
};

/// What a call's argument binds.
template <class Binding>
constexpr auto bound_names_of =
    std::array<bound_name, 1>{bound_name_of(static_cast<const Binding*>(nullptr))};
template <named_members S>
constexpr auto bound_names_of<S> =
    decltype(boost::hana::unpack(boost::hana::accessors<S>(), []<class... Member>(const Member&...) {
      return bound_members<S, Member...>{};
    }))::names;

}  // namespace detail

}  // namespace tapeless
