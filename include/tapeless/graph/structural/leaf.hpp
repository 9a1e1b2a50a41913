// SPDX-License-Identifier: BSL-1.0
// The nodes without operands: what a program is given, and what it knows.
#pragma once

#include <tapeless/graph/core/value.hpp>
#include <tapeless/graph/structural/axis_attributes.hpp>

namespace tapeless {

inline constexpr operation input_operation{"input", family::input};
inline constexpr operation parameter_operation{"param", family::parameter};
inline constexpr operation state_operation{"state", family::state};
inline constexpr operation hyperparameter_operation{"hyperparameter", family::hyperparameter};
inline constexpr operation constant_operation{"constant", family::constant};
inline constexpr operation size_operation{"size", family::size};
inline constexpr operation iota_operation{"iota", family::iota};

/// A parameter's place among all parameters and buffers, in the order in which the model mentions them.
constexpr int parameter_number(const node& n) { return static_cast<int>(n.attributes[1]); }
/// Whether a step gives it a new value by an effect, and no rule changes it: running statistics.
constexpr bool is_buffer(const node& n) { return n.op->kind == family::parameter && n.attributes[2] != 0; }

/// A state's place among all states.
constexpr int state_number(const node& n) { return static_cast<int>(n.attributes[0]); }
/// The number of the parameter that a state is for, or -1 where it is for all.
constexpr int parameter_of_state(const node& n) { return static_cast<int>(n.attributes[1]); }

/// How a parameter or a state starts: a place in the graph's table.
constexpr int initializer_number(const node& n) {
  return static_cast<int>(n.attributes[n.op->kind == family::state ? 2 : 0]);
}

/// A hyperparameter's entry in the run-time buffer of numbers.
constexpr int hyperparameter_number(const node& n) { return static_cast<int>(n.attributes[0]); }

/// The extent that a size is the number of.
constexpr std::int64_t extent_of(const node& n) { return n.attributes[0]; }

/// The elements of its operand that a slice has; there are `inner` ones for each place along its axis.
constexpr sliced_elements elements_of_slice(const node& slice, const node& operand, std::int64_t inner) {
  const slice_places s = slice_of(slice);
  return {inner, operand.shape[s.axis], s.begin, s.step, slice.shape[s.axis]};
}

/// Whether node id is an input of which these elements are refused, when it is bound, unless they are from 0
/// to below the bound.
template <class Graph>
constexpr bool is_checked_input(const Graph& graph, int id, std::int64_t bound,
                                const sliced_elements& elements = {}) {
  for (const index_bound& b : graph.index_bounds)
    if (b.node == id && b.bound == bound && b.ignored == index_bound::none &&
        (b.elements == sliced_elements{} || b.elements == elements))
      return true;
  return false;
}

/// Tells leaves apart that have all else in common.
constexpr void set_leaf_number(node& n, int number) { n.attributes[0] = number; }

namespace detail {

constexpr node leaf_node(const operation& op, element type, const shape_list& shape,
                         const name* label = nullptr) {
  node n;
  n.op = &op;
  n.type = type;
  set_shape(n, shape);
  n.label = label;
  return n;
}

// Two uses of a name must agree in kind, element type and shape.
constexpr value insert_named(graph& g, const node& n) {
  const value v{&g, g.insert(n)};
  for (int i = 0; i < v.id; ++i) {
    const node& other = g.nodes[i];
    if (other.label != n.label || (other.op->kind != family::input && other.op->kind != family::parameter))
      continue;
    text t;
    t << "the name \"" << n.label->view() << "\" is used twice, for " << other.op->name << " "
      << name_of(other.type);
    g.describe_shape(t, other);
    t << " and for " << n.op->name << " " << name_of(n.type);
    g.describe_shape(t, n);
    if (other.op == n.op && other.type == n.type && shape_of({&g, i}) == shape_of(v))
      t << " with another initializer";
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
  return detail::insert_named(g, detail::leaf_node(input_operation, type, shape, label));
}

constexpr value make_constant(graph& g, double number, element type = element::number) {
  node n = detail::leaf_node(constant_operation, type, {});
  n.number = number;
  return {&g, g.insert(n)};
}

/// What the trainer owns, and starts as `start` says. A buffer is changed by no rule: a step gives it a new
/// value by an effect (running statistics). In a loop whose iterations have parameters of their own it is
/// this iteration's part of the stacked parameter.
constexpr value make_parameter(graph& g, const name* label, element type, const shape_list& shape,
                               const initializer& start, bool buffer = false) {
  if (g.unrolled.have_own_parameters)
    return make_constant(g, 0, type)
        .fail(text() << "the parameter \"" << label->view()
                     << "\" in the body of scan<N> in another scan, where each iteration would have one of "
                        "its own: use repeat<N>, and number the name");
  if (label->view().starts_with("."))
    return make_constant(g, 0, type)
        .fail(text() << "a layer needs a name, which its parameters have: tl::linear<\"fc\", 4>(x)");
  const bool stacks = g.region != 0 && g.regions[g.region - 1].stacks;
  shape_list whole = shape;
  initializer start_of_whole = start;
  start_of_whole.stacked = stacks;
  if (stacks) {
    whole = {shape.rank + 1, {g.regions[g.region - 1].count}};
    for (int i = 0; i < shape.rank; ++i) whole.extents[i + 1] = shape.extents[i];
  }
  node n = detail::leaf_node(parameter_operation, type, whole, label);
  n.attributes[0] = detail::initializer_index(g, start_of_whole);
  n.attributes[2] = buffer ? 1 : 0;
  const value all = detail::insert_named(g, n);
  return stacks ? value{&g, g.in_iteration(all.id)} : all;
}

/// A rule's memory, for a parameter (by its number) or for all (-1). `index` is its place among all states;
/// it starts as `start` says.
constexpr value make_state(graph& g, const name* label, element type, const shape_list& shape, int index,
                           int parameter, const initializer& start) {
  node n = detail::leaf_node(state_operation, type, shape, label);
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
  node n = detail::leaf_node(hyperparameter_operation, element::number, {});
  n.attributes[0] = index;
  return {&g, g.insert(n)};
}

/// An extent as a number: a constant where it is literal.
constexpr value make_size(graph& g, std::int64_t extent) {
  if (extent_table::is_literal(extent)) return make_constant(g, static_cast<double>(extent));
  node n = detail::leaf_node(size_operation, element::number, {});
  n.attributes[0] = extent;
  return {&g, g.insert(n)};
}

/// The index along `axis`, in the given shape.
constexpr value make_iota(graph& g, const shape_list& shape, int axis, element type) {
  node n = detail::leaf_node(iota_operation, type, shape);
  set_axis(n, axis);
  return {&g, g.insert(n)};
}

/// Numbers the parameters in the order in which the model mentions them.
constexpr int number_parameters(graph& g) {
  int count = 0;
  for (node& n : g.nodes)
    if (n.op->kind == family::parameter) n.attributes[1] = count++;
  return count;
}

constexpr bool is_constant(value v) { return v.is(constant_operation); }
constexpr bool is_constant(value v, double number) { return is_constant(v) && v.get().number == number; }

}  // namespace tapeless
