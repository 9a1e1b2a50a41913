// SPDX-License-Identifier: BSL-1.0
// What recurrent networks over whole sequences share: x's products for all times at once, then a loop over
// time, whose body is a cell's step.
#pragma once

#include <utility>

#include <tapeless/ops/activation/dropout.hpp>
#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/control/scan.hpp>
#include <tapeless/ops/pointwise/tanh.hpp>
#include <tapeless/ops/recurrent/rnn_cell.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

/// Options of rnn, lstm and gru, with PyTorch's defaults.
struct recurrent {
  int layers = 1;              ///< each of the others goes over the results of the one before it
  bool bidirectional = false;  ///< each layer has a second part, which goes from the last time to the first
  bool bias = true;
  double dropout = 0;                            ///< between two layers
  std::int64_t proj_size = 0;                    ///< lstm only: h's width, where it is not the hidden one
  nonlinearity activation = nonlinearity::tanh;  ///< rnn only
  friend constexpr bool operator==(const recurrent&, const recurrent&) = default;
};

namespace detail {

/// The results of a sequence: all h, then the last states.
template <class Operation>
using sequence_results = std::array<value, 1 + Operation::states>;

template <class Operation>
constexpr std::string_view sequence_name =
    Operation::name.substr(0, Operation::name.size() - 5);  // without _cell

/// The same in the body of a loop, for so many times: step by step.
template <class Operation>
constexpr sequence_results<Operation> unrolled_iterations_of(recurrent_step step, bool reversed,
                                                             std::int64_t count) {
  graph& g = *step.x.builder;
  const value projected = step.projected;
  list<int> all;
  for (std::int64_t t = 0; t < count; ++t) all.push(0);
  for (std::int64_t t = 0; t < count; ++t) {
    const std::int64_t i = reversed ? count - 1 - t : t;
    step.projected = element_of_iteration(projected, i);
    const std::array<value, Operation::states> next = Operation::next(step);
    step.h = next[0];
    if (Operation::states == 2) step.c = next[Operation::states - 1];
    all[static_cast<int>(i)] = step.h.id;
  }
  sequence_results<Operation> results;
  results[0] = stack_of(g, std::move(all));
  results[1] = step.h;
  if (Operation::states == 2) results[Operation::states] = step.c;
  return results;
}

/// The steps of a sequence, one after the other, from the last time to the first where `reversed` is set.
template <class Operation>
constexpr sequence_results<Operation> iterations_of(recurrent_step step, bool reversed) {
  graph& g = *step.x.builder;
  step.projected = step.from_x();
  if (Operation::only_sum && step.bias_hh.exists()) {
    step.projected = step.projected + step.bias_hh;
    step.bias_hh = {};
  }
  if (const std::int64_t count = step.x.get().shape[0]; g.region != 0)
    return unrolled_iterations_of<Operation>(step, reversed, count);
  g.open_region({step.x.get().shape[0], reversed, false});
  step.projected = {&g, g.in_iteration(step.projected.id)};
  step.h = {&g, g.carry(step.h.id)};
  if (step.c.exists()) step.c = {&g, g.carry(step.c.id)};
  const std::array<value, Operation::states> next = Operation::next(step);
  g.set_next(step.h.id, next[0].id);
  if (Operation::states == 2) g.set_next(step.c.id, next[Operation::states - 1].id);
  sequence_results<Operation> results;
  results[0] = {&g, g.stack(next[0].id)};
  results[1] = {&g, g.last_value(step.h.id)};
  if (Operation::states == 2) results[Operation::states] = {&g, g.last_value(step.c.id)};
  g.region = 0;
  return results;
}

/// False where a sequence stands in the body of scan and cannot be unrolled; the graph has the error.
constexpr bool can_be_unrolled(std::string_view name, value x) {
  if (x.builder->region == 0 || x.rank() == 0) return true;
  const std::int64_t count = x.get().shape[0];
  if (extent_table::is_literal(count) && count > 0) return true;
  text t;
  t << name
    << " in the body of scan is unrolled, so its number of times is an integer of 1 or more, but here "
    << "it is \"";
  x.builder->extents.describe(t, count);
  x.fail(t << "\"; " << name << "_cell makes one step");
  return false;
}

template <class Operation>
constexpr sequence_results<Operation> sequence_failed(value x) {
  sequence_results<Operation> results;
  results.fill(x);
  return results;
}

/// A sequence of operands one after the other, as in step_of.
template <class Operation>
constexpr sequence_results<Operation> sequence_of(recurrent_step step) {
  step.is_sequence = true;
  if (!can_be_unrolled(step.name, step.x) || !step.check()) return sequence_failed<Operation>(step.x);
  return iterations_of<Operation>(step, false);
}

/// a and b end to end; b where there is no a.
constexpr value joined_values(value a, value b, int axis) {
  if (!a.exists()) return b;
  const value parts[] = {a, b};
  return concat(parts, 2, axis);
}

template <bool Reversed, int Layer>
inline constexpr name parameter_suffix = Reversed ? name("_l") + Layer + "_reverse" : name("_l") + Layer;

/// A network with parameters of its own, layer by layer.
template <class Operation, name Name, std::int64_t Hidden, recurrent Options>
class recurrent_network {
 public:
  constexpr sequence_results<Operation> of(value x, value h, value c) {
    if (!can_be_unrolled(name_, x) || !fits(x, h, c)) return sequence_failed<Operation>(x);
    add_layers(x, {h, c}, std::make_integer_sequence<int, Options.layers>{});
    return results_;
  }

 private:
  static constexpr std::string_view name_ = sequence_name<Operation>;
  static constexpr int directions = Options.bidirectional ? 2 : 1;
  static constexpr int parts = Options.layers * directions;
  static constexpr std::int64_t widths[2] = {Options.proj_size > 0 ? Options.proj_size : Hidden, Hidden};

  sequence_results<Operation> results_ = {};

  template <int... Layer>
  constexpr void add_layers(value x, std::array<value, 2> states, std::integer_sequence<int, Layer...>) {
    ((x = add_layer<Layer>(x, states)), ...);
    results_[0] = x;
  }

  template <int Layer>
  constexpr value add_layer(value x, const std::array<value, 2>& states) {
    if constexpr (Layer > 0 && Options.dropout > 0) x = dropout_statement<Options.dropout>::build(x);
    const value forward = add_part<Layer, false>(x, states);
    if constexpr (!Options.bidirectional) {
      return forward;
    } else {
      return joined_values(forward, add_part<Layer, true>(x, states), 2);
    }
  }

  // A layer in one direction. Post-condition: its h at all times; results_ has its last states.
  template <int Layer, bool Reversed>
  constexpr value add_part(value x, const std::array<value, 2>& states) {
    constexpr int part = Layer * directions + (Reversed ? 1 : 0);
    recurrent_step step{.name = name_, .gates = Operation::gates, .is_sequence = true, .x = x};
    if (!add_recurrent_parameters<Name, Hidden, Options.bias, parameter_suffix<Reversed, Layer>,
                                  Options.proj_size>(step))
      return x;
    step.h = start(x, states[0], part, widths[0]);
    if (Operation::states == 2) step.c = start(x, states[1], part, widths[1]);
    const sequence_results<Operation> y = iterations_of<Operation>(step, Reversed);
    for (std::size_t k = 1; k < y.size(); ++k) {
      const shape_list row{3, {1, x.get().shape[1], widths[k - 1]}};
      results_[k] = parts == 1 ? y[k] : joined_values(results_[k], reshape(y[k], row), 0);
    }
    return y[0];
  }

  static constexpr value start(value x, value states, int part, std::int64_t width) {
    const shape_list one{2, {x.get().shape[1], width}};
    if (!states.exists()) return expand(make_constant(*x.builder, 0, x.type()), one);
    return parts == 1 ? states : reshape(slice(states, 0, part, 1, 1), one);
  }

  static constexpr bool fits(value x, value h, value c) {
    bool fit = x.rank() == 3 && is_floating(x.type()) && extent_table::is_literal(x.get().shape[2]);
    const std::int64_t batch = fit ? x.get().shape[1] : 0;
    const auto fits_state = [&](value v, std::int64_t width) {
      const shape_list states =
          parts == 1 ? shape_list{2, {batch, width}} : shape_list{3, {parts, batch, width}};
      return !v.exists() || (v.type() == x.type() && shape_of(v) == states);
    };
    fit = fit && fits_state(h, widths[0]) && fits_state(c, widths[1]);
    if (fit) return true;
    text called, takes;
    called << name_ << "<\"" << Name.view() << "\">";
    takes << "floating x [time, batch, in], where in is an integer";
    if (h.exists()) {
      const auto add_state = [&](std::string_view what, std::int64_t width) {
        takes << what;
        if (parts > 1) takes << parts << ", ";
        takes << "batch, " << width << "]";
      };
      if (Options.proj_size > 0) add_state(", h [", widths[0]);
      add_state(Options.proj_size > 0 ? " and c [" : c.exists() ? ", and h and c [" : ", and h [", Hidden);
      takes << " of its type";
    }
    if (c.exists()) {
      do_not_fit(called.view(), {{"x", x}, {"h", h}, {"c", c}}, takes.view());
    } else if (h.exists()) {
      do_not_fit(called.view(), {{"x", x}, {"h", h}}, takes.view());
    } else {
      do_not_fit(called.view(), {{"x", x}}, takes.view());
    }
    return false;
  }
};

template <recurrent Options>
constexpr bool is_one_layer =
    Options.layers == 1 && !Options.bidirectional && Options.dropout == 0 && Options.proj_size == 0;

}  // namespace detail

/// The statement of a sequence with its weights and biases given; its values are all h, then the last states.
template <class Operation>
struct sequence_statement {
  static constexpr bool built_once = true;
  static constexpr std::string_view name = detail::sequence_name<Operation>;
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    return detail::listed(detail::sequence_of<Operation>(detail::step_of<Operation>(name, g, x)));
  }
};

/// The same with parameters of its own. The operands are x and, where they are given, the first states.
template <class Operation, name Name, std::int64_t Hidden, recurrent Options>
struct sequence_layer {
  static constexpr bool built_once = true;
  static_assert(Hidden > 0, "tapeless: a recurrent network has one hidden feature or more");
  static_assert(Options.layers > 0, "tapeless: a recurrent network has one layer or more");
  static_assert(Options.proj_size == 0 || Operation::states == 2, "tapeless: proj_size is an option of lstm");
  static_assert(Options.proj_size >= 0 && Options.proj_size < Hidden,
                "tapeless: proj_size is below the number of hidden features, or 0 for none");
  static constexpr std::string_view name = detail::sequence_name<Operation>;
  static constexpr int arity = -1;
  static constexpr detail::sequence_results<Operation> build(value x, value h = {}, value c = {}) {
    return detail::recurrent_network<Operation, Name, Hidden, Options>().of(x, h, c);
  }
  static constexpr node_list build_all(graph& g, const node_list& x) {
    const auto operand = [&](int i) { return i < x.count ? value{&g, x.ids[i]} : value{}; };
    return detail::listed(build(operand(0), operand(1), operand(2)));
  }
};

namespace detail {

/// All results of a sequence of values, or of expressions as a std::tuple.
template <class Operation, is_value... X>
constexpr sequence_results<Operation> sequence(X... x) {
  const value v[] = {x...};
  return sequence_of<Operation>(
      step_of<Operation>(sequence_name<Operation>, v, static_cast<int>(sizeof...(X))));
}
template <class Operation, expression_operand... X>
TAPELESS_FACTORY auto sequence(X... x) {
  return unpacked(make<sequence_statement<Operation>>(x...),
                  std::make_index_sequence<1 + Operation::states>{});
}
template <class Layer, class Operation, expression_operand... X>
TAPELESS_FACTORY auto own_sequence(X... x) {
  return unpacked(make<Layer>(x...), std::make_index_sequence<1 + Operation::states>{});
}

}  // namespace detail

}  // namespace tapeless
