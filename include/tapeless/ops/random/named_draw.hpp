// SPDX-License-Identifier: BSL-1.0
// What draws of random numbers share: a name, which tells them apart, and the stream that belongs to it.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/floor.hpp>
#include <tapeless/ops/random/normal_operation.hpp>
#include <tapeless/ops/random/random_like.hpp>

namespace tapeless::detail {

/// The stream of a name: it does not depend on what else the model draws, or on the mode.
template <name Name>
constexpr double stream_of() {
  return static_cast<double>(hash_of(Name.view()) >> 13);
}

/// Numbers in [0, 1) of the shape: multiples of the distance between the type's largest numbers there, so
/// that none is rounded to 1.
template <name Name>
constexpr value drawn_uniform(graph& g, const shape_list& shape, element type) {
  if (type == element::f64) return random_numbers<random_double_operation>(g, shape, stream_of<Name>());
  const value u = random_numbers<random_operation>(g, shape, stream_of<Name>());
  if (!is_half(type)) return u;
  const double steps = type == element::f16 ? 2048 : 256;
  return cast(floor(u * steps) * (1 / steps), type);
}

/// `drawn`, which is what the draw of that name is; fails where another one has the name. A draw that an
/// expression mentions twice is one; one like another value is another draw, though of the same numbers.
template <name Name>
constexpr value only_draw(std::string_view op, value drawn, value like = {}) {
  graph& g = *drawn.builder;
  for (const graph_draw& other : g.draws) {
    if (other.label != &interned<Name> || (other.node == drawn.id && other.like == like.id)) continue;
    return drawn.fail(
        text() << op << ": the name \"" << Name.view()
               << "\" is used for two draws of random numbers, which would be the same numbers; "
                  "give each a name of its own, in the body of repeat tl::name{\""
               << Name.view() << "\"} + I");
  }
  g.draws.push({{drawn.id, &interned<Name>}, like.id});
  return drawn;
}

inline constexpr sentence draw_without_type{"the element type stands behind the name, then the extents"};
inline constexpr sentence draw_of_both{
    "with a type and extents it takes no operands, its numbers are scaled and moved"};

/// What a call without operands is known by, so that it is refused where a user wrote it.
template <name, extent...>
struct known_by {};

template <class X>
constexpr erroneous refuse_draw() {
  static_assert(compile_error<misuse<X>::draw_without_name>::reported);
  return erroneous{};
}

constexpr bool require_floating_draw(std::string_view op, graph& g, element type) {
  if (is_floating(type) && type != element::number) return true;
  g.fail(text() << op << " draws floating numbers, but " << name_of(type) << " is asked for");
  return false;
}

template <extent... E>
constexpr bool require_extents_of_draw(std::string_view op, graph& g) {
  for (const extent& e : {E..., extent{}}) {
    if (e.value >= 0) continue;
    g.fail(text() << op << " has the extent " << e.value << ": extents are integers of 0 or more");
    return false;
  }
  return true;
}

/// The shape that a draw's two parameters have together; false, with a sentence, where they do not fit.
constexpr bool parameters_fit(std::string_view op, std::string_view a_name, value a, std::string_view b_name,
                              value b, shape_list& shape, element& type) {
  type = a.type() == element::number ? b.type() : a.type();
  const bool alike = a.type() == b.type() || a.type() == element::number || b.type() == element::number;
  if (alike && is_floating(type) && type != element::number && broadcast(shape_of(a), shape_of(b), shape))
    return true;
  do_not_fit(op, {{a_name, a}, {b_name, b}},
             "two of one floating type whose shapes fit one another; one of them may be a number");
  return false;
}

}  // namespace tapeless::detail

namespace tapeless {

// The statements of a distribution, which has
//   name, like          what its draws are called: normal<"eps", T, E...>(), normal_like<"eps">(x)
//   first, second       its parameters
//   standard<N>(...)    numbers with the name N, of a graph, a shape and a type
//   of(a, b, x)         standard numbers x with the parameters a and b

template <class Distribution, name Name, element Type, extent... E>
struct draw_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) {
    if (!detail::require_floating_draw(Distribution::name, g, Type) ||
        !detail::require_extents_of_draw<E...>(Distribution::name, g))
      return make_constant(g, 0, Type);
    const shape_list shape{sizeof...(E), {g.extents.number(E)...}};
    return detail::only_draw<Name>(Distribution::name, Distribution::template standard<Name>(g, shape, Type));
  }
};

template <class Distribution, name Name>
struct draw_like_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    graph& g = *x.builder;
    if (!detail::require_floating_draw(Distribution::like, g, x.type())) return x;
    return detail::only_draw<Name>(Distribution::like,
                                   Distribution::template standard<Name>(g, shape_of(x), x.type()), x);
  }
};

template <class Distribution, name Name>
struct draw_of_statement {
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    shape_list shape;
    element type{};
    if (!detail::parameters_fit(Distribution::name, Distribution::first, a, Distribution::second, b, shape,
                                type))
      return a;
    const value drawn = Distribution::template standard<Name>(*a.builder, shape, type);
    return detail::only_draw<Name>(Distribution::name, Distribution::of(a, b, drawn));
  }
};

}  // namespace tapeless
