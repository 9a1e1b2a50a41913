// SPDX-License-Identifier: BSL-1.0
// What the cells of recurrent networks share: their operands, named parameters, and the parts of a step that
// are products.
#pragma once

#include <array>

#include <tapeless/ops/linalg/linear.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

namespace detail {

/// What a step of a cell is made of. `gates` blocks of rows lie end to end in the weights and the biases. In
/// a sequence x is [time, batch, in], and the states are [batch, hidden].
struct recurrent_step {
  std::string_view name;
  int gates = 1;
  bool is_sequence = false;
  value x = {}, h = {}, c = {};  // c: an LSTM's memory
  value weight_ih = {}, weight_hh = {}, bias_ih = {}, bias_hh = {};
  value weight_hr = {};  // an LSTM's projection of h
  value projected = {};  // x's product, where it is known before the step

  /// What x and h contribute to all gates: [.., gates hidden].
  constexpr value from_x() const { return projected.exists() ? projected : product(x, weight_ih, bias_ih); }
  constexpr value from_h() const { return product(h, weight_hh, bias_hh); }
  /// The next h, of what the gates let through.
  constexpr value next_h(value y) const { return weight_hr.exists() ? product(y, weight_hr, {}) : y; }

  /// Part `gate` of a value of all gates.
  constexpr value part(value all, int gate) const {
    extent_table& extents = all.builder->extents;
    const std::int64_t hidden = last_extent(c.exists() ? c : h);
    return slice(all, all.rank() - 1, extents.multiply(hidden, gate), 1, hidden);
  }

  /// Whether the operands fit; otherwise the graph has the error.
  constexpr bool check() const {
    if (fit()) return true;
    text t;
    t << name << " got x " << name_of(x.type());
    x.builder->describe_shape(t, x.get());
    add(t, ", h ", h);
    if (c.exists()) add(t, ", c ", c);
    add(t, ", weights ", weight_ih);
    add(t, " and ", weight_hh);
    if (bias_ih.exists()) {
      add(t, ", biases ", bias_ih);
      add(t, " and ", bias_hh);
    }
    if (weight_hr.exists()) add(t, ", a projection ", weight_hr);
    const std::string_view rows = gates == 1 ? "[hidden" : gates == 3 ? "[3 hidden" : "[4 hidden";
    const std::string_view batch = is_sequence ? "[batch" : "[..",
                           width = weight_hr.exists() ? ", out]" : ", hidden]";
    t << ": it takes x " << x_shape() << ", h ";
    if (weight_hr.exists()) t << batch << width << " ";
    t << (c.exists() ? "and c " : "") << batch << ", hidden], weights " << rows << ", in] and " << rows
      << width;
    if (bias_ih.exists()) t << (weight_hr.exists() ? ", two biases " : " and two biases ") << rows << "]";
    if (weight_hr.exists()) t << " and a projection [out, hidden]";
    x.fail(t << " of one floating type");
    return false;
  }

  constexpr std::string_view x_shape() const { return is_sequence ? "[time, batch, in]" : "[.., in]"; }
  constexpr bool has_rank_of_x(value v) const { return is_sequence ? v.rank() == 3 : v.rank() > 0; }

 private:
  static constexpr std::int64_t last_extent(value v) { return v.get().shape[v.rank() - 1]; }
  static constexpr value product(value v, value weight, value bias) {
    return bias.exists() ? linear(v, weight, bias) : linear(v, weight);
  }

  static constexpr void add(text& t, std::string_view what, value v) {
    t << what << name_of(v.type());
    v.builder->describe_shape(t, v.get());
  }

  constexpr bool fit() const {
    const int before = is_sequence ? 1 : 0;  // axes that the states do not have
    if (!has_rank_of_x(x) || x.rank() - before != h.rank() || !is_floating(x.type())) return false;
    for (const value& v : {h, c, weight_ih, weight_hh, bias_ih, bias_hh, weight_hr})
      if (v.exists() && v.type() != x.type()) return false;
    if (weight_hr.exists() && c.rank() != h.rank()) return false;
    const std::int64_t in = last_extent(x), width = last_extent(h),
                       hidden = weight_hr.exists() ? last_extent(c) : width;
    shape_list state{h.rank(), {}};
    for (int i = 0; i + 1 < h.rank(); ++i) state.extents[i] = x.get().shape[i + before];
    shape_list memory = state;
    state.extents[h.rank() - 1] = width;
    memory.extents[h.rank() - 1] = hidden;
    const std::int64_t rows = x.builder->extents.multiply(hidden, gates);
    const shape_list ih{2, {rows, in}}, hh{2, {rows, width}}, bias{1, {rows}}, hr{2, {width, hidden}};
    return shape_of(h) == state && (!c.exists() || shape_of(c) == memory) && shape_of(weight_ih) == ih &&
           shape_of(weight_hh) == hh && (!weight_hr.exists() || shape_of(weight_hr) == hr) &&
           (!bias_ih.exists() || (shape_of(bias_ih) == bias && shape_of(bias_hh) == bias));
  }
};

/// The step of operands one after the other: x, h, an LSTM's c, two weights, two biases or none, and an
/// LSTM's projection or none.
template <class Operation>
constexpr recurrent_step step_of(std::string_view name, const value* v, int count) {
  recurrent_step step{.name = name, .gates = Operation::gates, .x = v[0], .h = v[1]};
  int next = 2;
  if (Operation::states == 2) step.c = v[next++];
  step.weight_ih = v[next++];
  step.weight_hh = v[next++];
  if (count - next >= 2) {
    step.bias_ih = v[next++];
    step.bias_hh = v[next++];
  }
  if (next < count) step.weight_hr = v[next];
  return step;
}
template <class Operation>
constexpr recurrent_step step_of(std::string_view name, graph& g, const node_list& x) {
  value v[max_arguments];
  for (int i = 0; i < x.count; ++i) v[i] = {&g, x.ids[i]};
  return step_of<Operation>(name, v, x.count);
}

/// Gives a step its parameters; false where x has no such extent. They are Name.weight_ih [gates Hidden, in],
/// Name.weight_hh [gates Hidden, Hidden], Name.bias_ih and Name.bias_hh [gates Hidden], all with Suffix
/// behind their names. They start uniformly in [-1 / sqrt(Hidden), 1 / sqrt(Hidden)]. With a projection,
/// weight_hh is [gates Hidden, Projection], and there is Name.weight_hr [Projection, Hidden].
template <name Name, std::int64_t Hidden, bool Bias, name Suffix = name{}, std::int64_t Projection = 0>
constexpr bool add_recurrent_parameters(recurrent_step& step) {
  const value x = step.x;
  graph& g = *x.builder;
  if (!step.has_rank_of_x(x) || !is_floating(x.type()) ||
      !extent_table::is_literal(x.get().shape[x.rank() - 1])) {
    text t;
    t << step.name << "<\"" << Name.view() << "\"> got x " << name_of(x.type());
    g.describe_shape(t, x.get());
    x.fail(t << ": it takes floating x " << step.x_shape() << ", where in is an integer");
    return false;
  }
  const initializer start = uniform(1 / square_root(static_cast<double>(Hidden)));
  const std::int64_t rows = step.gates * Hidden, in = x.get().shape[x.rank() - 1];
  step.weight_ih =
      make_parameter(g, &interned<Name + ".weight_ih" + Suffix>, x.type(), {2, {rows, in}}, start);
  const std::int64_t width = Projection > 0 ? Projection : Hidden;
  step.weight_hh =
      make_parameter(g, &interned<Name + ".weight_hh" + Suffix>, x.type(), {2, {rows, width}}, start);
  if constexpr (Bias) {
    step.bias_ih = make_parameter(g, &interned<Name + ".bias_ih" + Suffix>, x.type(), {1, {rows}}, start);
    step.bias_hh = make_parameter(g, &interned<Name + ".bias_hh" + Suffix>, x.type(), {1, {rows}}, start);
  }
  if constexpr (Projection > 0)
    step.weight_hr =
        make_parameter(g, &interned<Name + ".weight_hr" + Suffix>, x.type(), {2, {width, Hidden}}, start);
  return true;
}

/// The new states; where the operands do not fit, x in their place.
template <class Operation>
constexpr std::array<value, Operation::states> next_states(const recurrent_step& step) {
  if (step.check()) return Operation::next(step);
  std::array<value, Operation::states> states;
  states.fill(step.x);
  return states;
}

template <std::size_t N>
constexpr node_list listed(const std::array<value, N>& values) {
  node_list l;
  for (const value& v : values) l.append(node_list::only(v));
  return l;
}

}  // namespace detail

/// The statement of a recurrent step with its weights and biases given; its values are the new states. An
/// Operation has
///   name, gates
///   states          how many the step hands on: h, or h and c
///   only_sum        whether the products of x and h occur as their sum only
///   next(step)      the new states
template <class Operation>
struct recurrent_cell {
  static constexpr std::string_view name = Operation::name;
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    return detail::listed(detail::next_states<Operation>(detail::step_of<Operation>(name, g, x)));
  }
};

/// The same with parameters of its own.
template <class Operation, name Name, std::int64_t Hidden, bool Bias>
struct recurrent_layer {
  static constexpr std::string_view name = Operation::name;
  static constexpr int arity = -1;
  static constexpr text refusal() {
    if (Hidden > 0) return {};
    return text() << name << " has one hidden feature or more, but got " << Hidden;
  }
  static constexpr std::array<value, Operation::states> build(value x, value h, value c = {}) {
    detail::recurrent_step step{.name = name, .gates = Operation::gates, .x = x, .h = h, .c = c};
    if (is_refused<recurrent_layer>) {
      x.fail(refusal());
    } else if (detail::add_recurrent_parameters<Name, Hidden, Bias>(step))
      return detail::next_states<Operation>(step);
    std::array<value, Operation::states> states;
    states.fill(x);
    return states;
  }
  static constexpr node_list build_all(graph& g, const node_list& x) {
    const auto operand = [&](int i) { return i < x.count ? value{&g, x.ids[i]} : value{}; };
    return detail::listed(build(operand(0), operand(1), operand(2)));
  }
};

namespace detail {

/// The new states of a step of values.
template <class Operation, class... X>
constexpr std::array<value, Operation::states> cell_of_values(X... x) {
  const value v[] = {x...};
  return next_states<Operation>(step_of<Operation>(Operation::name, v, static_cast<int>(sizeof...(X))));
}

}  // namespace detail

}  // namespace tapeless
