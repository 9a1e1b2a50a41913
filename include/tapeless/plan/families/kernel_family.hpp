// SPDX-License-Identifier: BSL-1.0
// What describes a kernel family, and lists of such families.
#pragma once

#include <concepts>
#include <string_view>

#include <tapeless/plan/access.hpp>
#include <tapeless/plan/families/launch_site.hpp>

namespace tapeless {

/// What kernels need of where their operands' elements lie.
enum class operand_layout : std::uint8_t {
  any,        // also numbers, and indices along an axis
  lines,      // rows, or columns, whose elements are contiguous
  memory,     // any strides, but in memory
  contiguous  // row-major, without gaps
};

namespace detail {

struct ignore_access {  // no lambda: nvcc takes none in a concept
  constexpr void operator()(const access&) const {}
};

}  // namespace detail

/// A family of kernels beside fused kernels and products: what a plan holds for one node of it.
template <class F>
concept kernel_family = requires(const F& planned, graph& g, int id) {
  { F::kind } -> std::convertible_to<family>;                 // which nodes it computes
  { F::label } -> std::convertible_to<std::string_view>;      // what errors call it
  { F::has_expansion } -> std::convertible_to<bool>;          // whether its nodes can do without its kernels
  { F::layout } -> std::convertible_to<operand_layout>;       // where they must lie
  { F::operands } -> std::convertible_to<int>;                // at most so many of them are in memory
  { F::make(g, id) } -> std::same_as<F>;                      // from node `id`
  typename F::arguments;                                      // what its kernels take when extents are known
  { planned.kernel_key() } -> std::same_as<typename F::key>;  // what kernels are told apart by
  planned.for_each_source(detail::ignore_access{});
  { planned.target() } -> std::convertible_to<const access&>;
  // launch(arguments, at) sets the arguments by what launch_site has
};

template <kernel_family... F>
struct family_list {
  static constexpr int size = sizeof...(F);

  template <class Family>
  static constexpr bool contains = (std::is_same_v<Family, F> || ...);
  /// Its place in the list.
  template <class Family>
  static constexpr int place_of = [] {
    int place = 0;
    (void)((std::is_same_v<Family, F> || (++place, false)) || ...);
    return place;
  }();
};

/// Calls f.template operator()<F>() for each family of the list.
template <class... F, class Visit>
constexpr void for_each_family(family_list<F...>, const Visit& visit) {
  (visit.template operator()<F>(), ...);
}

/// The same for the one at this place.
template <class... F, class Visit>
constexpr void for_family(family_list<F...>, int place, const Visit& visit) {
  int at = 0;
  (void)((at++ == place && (visit.template operator()<F>(), true)) || ...);
}

namespace detail {

template <template <class> class Part, class List>
struct parts;
template <template <class> class Part, class... F>
struct parts<Part, family_list<F...>> : Part<F>... {
  template <class Family>
  constexpr auto& of() {
    return static_cast<Part<Family>&>(*this).items;
  }
  template <class Family>
  constexpr const auto& of() const {
    return static_cast<const Part<Family>&>(*this).items;
  }
};

}  // namespace detail

/// A Part<F> for each family F of a list: of<F>() are its items.
template <template <class> class Part, class List>
using by_family = detail::parts<Part, List>;

}  // namespace tapeless
