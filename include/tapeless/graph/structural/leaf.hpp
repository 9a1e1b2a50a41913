// SPDX-License-Identifier: BSL-1.0
// The nodes without operands: what a program is given, and what it knows.
#pragma once

#include <tapeless/graph/core/value.hpp>

namespace tapeless {

inline constexpr operation input_operation{"input", family::input};
inline constexpr operation parameter_operation{"param", family::parameter};
inline constexpr operation state_operation{"state", family::state};
inline constexpr operation hyperparameter_operation{"hyperparameter", family::hyperparameter};
inline constexpr operation constant_operation{"constant", family::constant};
inline constexpr operation size_operation{"size", family::size};
inline constexpr operation iota_operation{"iota", family::iota};

namespace detail {

constexpr value insert_leaf(graph& g, const operation& op, element type, const shape_list& shape,
                            const name* label = nullptr, std::int64_t attribute = 0, double number = 0,
                            bool buffer = false) {
  node n;
  n.op = &op;
  n.type = type;
  set_shape(n, shape);
  n.label = label;
  n.attributes[0] = attribute;
  n.attributes[2] = buffer ? 1 : 0;
  n.number = number;
  return {&g, g.insert(n)};
}

// Two uses of a name must agree in kind, element type and shape.
constexpr value insert_named(graph& g, const operation& op, element type, const shape_list& shape,
                             const name* label, std::int64_t attribute = 0, bool buffer = false) {
  const value v = insert_leaf(g, op, type, shape, label, attribute, 0, buffer);
  for (int i = 0; i < v.id; ++i) {
    const node& other = g.nodes[i];
    if (other.label != label || (other.op->kind != family::input && other.op->kind != family::parameter))
      continue;
    text t;
    t << "the name \"" << label->view() << "\" is used twice, for " << other.op->name << " "
      << name_of(other.type);
    g.describe_shape(t, other);
    t << " and for " << op.name << " " << name_of(type);
    g.describe_shape(t, v.get());
    if (other.op == &op && other.type == type && shape_of({&g, i}) == shape) t << " with another initializer";
    return v.fail(t);
  }
  return v;
}

constexpr int initializer_index(graph& g, const initializer& start) {
  for (int i = 0; i < g.initializers.size(); ++i)
    if (g.initializers[i] == start) return i;
  return g.initializers.push(start);
}

}  // namespace detail

constexpr value make_input(graph& g, const name* label, element type, const shape_list& shape) {
  return detail::insert_named(g, input_operation, type, shape, label);
}

/// What the trainer owns, and starts as `start` says. A buffer is changed by no rule: a step gives it a new
/// value by an effect (running statistics). In a loop whose iterations have parameters of their own it is
/// this iteration's part of the stacked parameter.
constexpr value make_parameter(graph& g, const name* label, element type, const shape_list& shape,
                               const initializer& start, bool buffer = false) {
  const int index = detail::initializer_index(g, start);
  if (g.region == 0 || !g.regions[g.region - 1].stacks)
    return detail::insert_named(g, parameter_operation, type, shape, label, index, buffer);
  shape_list stacked{shape.rank + 1, {g.regions[g.region - 1].count}};
  for (int i = 0; i < shape.rank; ++i) stacked.extents[i + 1] = shape.extents[i];
  const value all = detail::insert_named(g, parameter_operation, type, stacked, label, index, buffer);
  return {&g, g.in_iteration(all.id)};
}

constexpr bool is_buffer(const node& n) { return n.op->kind == family::parameter && n.attributes[2] != 0; }

/// A rule's memory, for a parameter (by its number) or for all (-1). `index` is its place among all states;
/// it starts as `start` says.
constexpr value make_state(graph& g, const name* label, element type, const shape_list& shape, int index,
                           int parameter, const initializer& start) {
  node n;
  n.op = &state_operation;
  n.type = type;
  set_shape(n, shape);
  n.label = label;
  n.attributes[0] = index;
  n.attributes[1] = parameter;
  n.attributes[2] = detail::initializer_index(g, start);
  return {&g, g.insert(n)};
}

/// The first entries of the run-time buffer of numbers; a rule's hyperparameters follow.
inline constexpr int step_entry = 0;        // the step's number, counted from 1
inline constexpr int random_key_entry = 1;  // a whole number that each run in training draws anew
inline constexpr int first_rule_entry = 2;

/// Entry `index` of the run-time buffer of numbers.
constexpr value make_hyperparameter(graph& g, int index) {
  return detail::insert_leaf(g, hyperparameter_operation, element::number, {}, nullptr, index);
}

constexpr value make_constant(graph& g, double number, element type = element::number) {
  return detail::insert_leaf(g, constant_operation, type, {}, nullptr, 0, number);
}

/// An extent as a number: a constant where it is literal.
constexpr value make_size(graph& g, std::int64_t extent) {
  if (extent_table::is_literal(extent)) return make_constant(g, static_cast<double>(extent));
  return detail::insert_leaf(g, size_operation, element::number, {}, nullptr, extent);
}

/// The index along `axis`, in the given shape.
constexpr value make_iota(graph& g, const shape_list& shape, int axis, element type) {
  return detail::insert_leaf(g, iota_operation, type, shape, nullptr, axis);
}

/// Numbers the parameters in the order in which the model mentions them: their second attribute.
constexpr int number_parameters(graph& g) {
  int count = 0;
  for (node& n : g.nodes)
    if (n.op->kind == family::parameter) n.attributes[1] = count++;
  return count;
}

constexpr bool is_constant(value v) { return v.is(constant_operation); }
constexpr bool is_constant(value v, double number) { return is_constant(v) && v.get().number == number; }

}  // namespace tapeless
