// SPDX-License-Identifier: BSL-1.0
// What the arguments of a call bind, as far as it is known while compiling.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/nested_array.hpp>
#include <tapeless/graph/core/node.hpp>
#include <tapeless/train/binding/binding.hpp>

namespace tapeless {

namespace detail {

/// The members of a struct that is bound as a whole; struct_binding.hpp has those of an adapted one.
template <class S>
struct members_to_bind {
  static constexpr bool are_known = false;
};

}  // namespace detail

/// A struct whose members' names are known at compile time.
template <class T>
concept named_members = detail::members_to_bind<std::remove_cvref_t<T>>::are_known;

/// What can be given to a call: "x"_t = values, or a struct whose members are named like the inputs.
template <class T>
concept bindable = is_binding<T> || named_members<T>;

namespace detail {

/// Calls f with a binding, or with the binding of each of a struct's members.
template <name Name, class F>
void for_each_binding(const binding<Name>& b, F f) {
  f(b);
}
template <named_members S, class F>
void for_each_binding(const S& sample, F f) {
  members_to_bind<S>::for_each(sample, f);
}

/// What is known of a binding while compiling: the input's name, and where they are known the elements' type
/// and how many there are.
struct bound_name {
  const name* label;
  element type = element::number;
  bool is_number = false;  // in the binding, so that it may take the input's type
  bool is_array = false;   // in memory of its own
  bool is_extent = false;  // a number of a type that no element has, which an input cannot read
  int rank = 0;            // 0: the shape is not known; 1: the count alone
  std::array<std::int64_t, max_rank> shape{};
};

template <name Name>
constexpr bound_name bound_name_of(const binding<Name>*) {
  return {&interned<Name>};
}
template <name Name, element Type, class Array>
constexpr bound_name bound_name_of(const typed_binding<Name, Type, Array>*) {
  using number = std::remove_all_extents_t<Array>;
  bound_name b{&interned<Name>, Type};
  b.is_array = std::is_array_v<Array> && !std::is_const_v<number>;
  if constexpr (nested_array<Array>::rank <= max_rank) {
    b.rank = static_cast<int>(nested_array<Array>::rank);
    nested_array<Array>::write_shape(b.shape.data());
  }
  return b;
}
template <name Name, element Type>
constexpr bound_name bound_name_of(const number_binding<Name, Type>*) {
  return {&interned<Name>, Type, true};
}

/// What a call's argument binds.
template <class Binding>
constexpr auto bound_names_of =
    std::array<bound_name, 1>{bound_name_of(static_cast<const Binding*>(nullptr))};
template <named_members S>
constexpr auto bound_names_of<S> = members_to_bind<S>::names;

}  // namespace detail

}  // namespace tapeless
