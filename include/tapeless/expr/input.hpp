// SPDX-License-Identifier: BSL-1.0
// input<"x", float, batch, 2>: what the program is given each time.
#pragma once

#include <tapeless/expr/make.hpp>

namespace tapeless {

template <name Name, element Type, extent... E>
struct input_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) {
    return make_input(g, &interned<Name>, Type, {sizeof...(E), {g.extents.number(E)...}});
  }
};

namespace detail {

template <name Name, class T, extent... E>
struct input_of {
  static constexpr bool is_element = element_type<T>;  // compilers list a concept's parts
  static_assert(
      is_element,
      "tapeless: an input's elements are float, double, tl::f16, tl::bf16, bool, std::int8_t, std::int16_t, "
      "std::int32_t, std::int64_t, std::uint8_t or std::uint32_t; complex numbers are pairs along an axis");
  using type = erroneous;
};
template <name Name, element_type T, extent... E>
struct input_of<Name, T, E...> {
  using type = leaf<input_statement<Name, element_of<T>, E...>>;
};

template <name Name, extent... E>
constexpr text no_shape_of_input() {
  constexpr int rank = sizeof...(E);
  if (rank > max_rank) return too_many_axes(text() << "the input \"" << Name.view() << "\"", rank);
  const std::int64_t extents[] = {E.value...};
  int axis = 0;
  while (extents[axis] >= 0) ++axis;
  return text()
         << "the input \"" << Name.view() << "\" has the extent " << extents[axis]
         << ": extents are integers of 0 or more, or tl::dyn<\"batch\"> where one is known when the program "
            "runs";
}
template <name Name, element_type T, extent... E>
  requires(((E.value < 0) || ...) || sizeof...(E) > max_rank)
struct input_of<Name, T, E...> {
  static constexpr text sentence = no_shape_of_input<Name, E...>();
  static_assert(compile_error<sentence_of<sentence.size>(sentence)>::reported);
  using type = erroneous;
};

}  // namespace detail

/// An input of element type T and shape [E...], without extents a scalar. Extents are integers or run-time
/// symbols such as dyn<"batch">. It is bound by its name: net.step("x"_t = values).
template <name Name, class T, extent... E>
inline constexpr typename detail::input_of<Name, T, E...>::type input{};

}  // namespace tapeless
