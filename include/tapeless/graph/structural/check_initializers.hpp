// SPDX-License-Identifier: BSL-1.0
// Whether the parameters of a finished graph can start as they should.
#pragma once

#include <tapeless/graph/structural/leaf.hpp>

namespace tapeless {

namespace detail {

constexpr text start_of(const graph& g, const node& parameter) {
  text t;
  t << "the parameter \"" << parameter.label->view() << "\"";
  g.describe_shape(t, parameter);
  return t << " starts ";
}

constexpr void check_orthogonal(graph& g, const node& n, const initializer& start) {
  if (n.rank < (start.stacked ? 3 : 2))
    g.fail(start_of(g, n) << "orthogonal, but only what has 2 axes or more can be so");
}

/// The shape of one iteration's parameter.
constexpr shape_list of_one_iteration(const shape_list& stacked) {
  shape_list s{.rank = stacked.rank - 1};
  for (int i = 0; i < s.rank; ++i) s.extents[i] = stacked.extents[i + 1];
  return s;
}

/// Whether the first shape can be broadcast to the other one; in each iteration where both are stacked.
constexpr bool broadcasts_to(const shape_list& s, const shape_list& whole, bool stacked) {
  if (stacked)
    return s.extents[0] == whole.extents[0] &&
           broadcasts_to(of_one_iteration(s), of_one_iteration(whole), false);
  shape_list both;
  return broadcast(s, whole, both) && both == whole;
}

constexpr void check_norm(graph& g, value parameter, const initializer& start) {
  const node& n = parameter.get();
  text t = start_of(g, n);
  t << "as the norm of \"" << start.of->view() << "\"";
  for (int i = 0; i < g.nodes.size(); ++i) {
    const node& whole = g.nodes[i];
    if (whole.op->kind != family::parameter || whole.label != start.of) continue;
    g.describe_shape(t, whole);
    const initializer& other = g.initializers[initializer_number(whole)];
    if (other.kind == initializer::kind::norm)
      g.fail(t << ", which starts as a norm itself");
    else if (!broadcasts_to(shape_of(parameter), shape_of({&g, i}), start.stacked && other.stacked))
      g.fail(t << ", to whose shape its own cannot be broadcast");
    return;
  }
  g.fail(t << ", but the model has no parameter of that name");
}

/// The whole numbers of a type that a double has as they were written.
constexpr whole_range exact_range_of(element type) {
  constexpr std::int64_t most = (std::int64_t{1} << 53) - 1;
  const whole_range all = range_of(type);
  return {all.lowest < -most ? -most : all.lowest, all.largest > most ? most : all.largest};
}

constexpr bool fits(double number, element type) {
  if (!is_integer(type)) return true;
  const whole_range range = exact_range_of(type);
  return is_whole(number) && number >= static_cast<double>(range.lowest) &&
         number <= static_cast<double>(range.largest);
}

constexpr void refuse_number(graph& g, text t, element type) {
  const whole_range range = exact_range_of(type);
  g.fail(t << " does not fit " << name_of(type) << ", which takes whole numbers from " << range.lowest
           << " to " << range.largest);
}

/// Whether it is a number that some types do not have.
constexpr bool is_for_a_type(const initializer& start) {
  return start.kind == initializer::kind::constant &&
         !(fits(start.value, element::u8) && fits(start.value, element::i8));
}
constexpr void check_constant(graph& g, const node& n, const initializer& start) {
  if (!fits(start.value, n.type)) refuse_number(g, start_of(g, n) << "as a number that", n.type);
}

constexpr void check_values(graph& g, value parameter, const initializer& start) {
  const given_values& given = *start.given;
  const shape_list shape = start.stacked ? of_one_iteration(shape_of(parameter)) : shape_of(parameter);
  std::int64_t count = 1;
  bool is_of_shape = given.rank == shape.rank;
  for (int i = 0; i < shape.rank; ++i) {
    count *= shape.extents[i];
    is_of_shape = is_of_shape && given.extents[i] == shape.extents[i];
  }
  const element type = parameter.type();
  text t = start_of(g, parameter.get());
  t << "as an array ";
  if (given.rank == 1 ? count == given.count : is_of_shape) {
    for (std::int64_t i = 0; is_integer(type) && i < count; ++i)
      if (!fits(given.at(i), type)) return refuse_number(g, t << "whose number " << i, type);
    return;
  }
  for (int i = 0; i < given.rank; ++i) t << (i == 0 ? "[" : ", ") << given.extents[i];
  g.fail(t << "]: it takes one of " << count << " numbers, or one of arrays that has its shape");
}

}  // namespace detail

/// Fails where a parameter cannot start as its initializer says: what it is computed from, and its shape, are
/// only known when the graph is finished.
constexpr void check_initializers(graph& g) {
  bool any = false;
  for (const initializer& i : g.initializers) any = any || i.is_for_a_shape() || detail::is_for_a_type(i);
  for (int i = 0; any && i < g.nodes.size(); ++i) {
    const node& n = g.nodes[i];
    if (n.op->kind != family::parameter) continue;
    const initializer& start = g.initializers[initializer_number(n)];
    if (start.kind == initializer::kind::orthogonal) detail::check_orthogonal(g, n, start);
    if (start.kind == initializer::kind::norm) detail::check_norm(g, {&g, i}, start);
    if (start.kind == initializer::kind::constant) detail::check_constant(g, n, start);
    if (start.kind == initializer::kind::values) detail::check_values(g, {&g, i}, start);
  }
}

}  // namespace tapeless
