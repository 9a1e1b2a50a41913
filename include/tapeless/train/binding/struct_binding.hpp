// SPDX-License-Identifier: BSL-1.0
// net.step(sample): binds a user's own struct as a whole. Its members are named like the inputs; the struct
// is adapted for Boost.Hana (BOOST_HANA_ADAPT_STRUCT, or BOOST_HANA_DEFINE_STRUCT within it). A number is
// read in place: it must have the input's type (a std::size_t counts as std::int64_t), or be a run-time
// extent.
#pragma once

#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/core/to.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/unpack.hpp>

#include <tapeless/train/binding/bound_names.hpp>
#include <tapeless/train/binding/tag.hpp>

namespace tapeless::detail {

template <class Key>
constexpr name name_of_key() {
  name n;
  const char* characters = boost::hana::to<const char*>(Key{});
  for (int i = 0; characters[i] != 0 && i < name::capacity - 1; ++i) n.characters[i] = characters[i];
  return n;
}

template <class S>
  requires(boost::hana::Struct<S>::value)
struct members_to_bind<S> {
  static constexpr bool are_known = true;

  template <class F>
  static void for_each(const S& sample, F f) {
    boost::hana::for_each(boost::hana::accessors<S>(), [&](const auto& member) {
      using key = std::remove_cvref_t<decltype(boost::hana::first(member))>;
      constexpr name label = name_of_key<key>();
      const auto& values = boost::hana::second(member)(sample);
      using type = std::remove_cvref_t<decltype(values)>;
      if constexpr (element_type<type> || unsigned_size<type>) {
        f(binding<label>::to_lasting(values));
      } else {
        f(tag<label>{} = values);
      }
    });
  }

  template <class Member>
  static constexpr bound_name name_of_member() {
    constexpr name label =
        name_of_key<std::remove_cvref_t<decltype(boost::hana::first(std::declval<Member>()))>>();
    using values =
        std::remove_cvref_t<decltype(boost::hana::second(std::declval<Member>())(std::declval<const S&>()))>;
    using bound = decltype(tag<label>{} = std::declval<const values&>());
    bound_name all = bound_name_of(static_cast<const bound*>(nullptr));
    all.is_number = false;  // it is read where it is, as what it is
    if constexpr (element_type<values>) all.type = element_of<values>;
    if constexpr (unsigned_size<values>) all.is_extent = sizeof(values) != sizeof(std::int64_t);
    return all;
  }

  /// What each of them binds.
  static constexpr auto names =
      boost::hana::unpack(boost::hana::accessors<S>(), []<class... Member>(const Member&...) {
        return std::array<bound_name, sizeof...(Member)>{name_of_member<Member>()...};
      });
};

}  // namespace tapeless::detail
