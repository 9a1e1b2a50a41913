// SPDX-License-Identifier: BSL-1.0
// A recurrent network with parameters of its own: layers, directions, and sequences of several lengths.
#pragma once

#include <utility>

#include <tapeless/ops/activation/dropout.hpp>
#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/recurrent/recurrent_sequence.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

namespace detail {

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
  constexpr sequence_results<Operation> of(value x, value h, value c, value lengths) {
    if (!can_be_unrolled(name_, x) || !fits(x, h, c) || !lengths_fit(x, lengths))
      return sequence_failed<Operation>(x);
    if (lengths.exists()) within_ = times_within(x, lengths);
    x = zero_beyond(within_, x);  // whatever is there
    add_layers(x, {h, c}, std::make_integer_sequence<int, Options.layers>{});
    return results_;
  }

 private:
  static constexpr std::string_view name_ = sequence_name<Operation>;
  static constexpr int directions = Options.bidirectional ? 2 : 1;
  static constexpr int parts = Options.layers * directions;
  static constexpr std::int64_t widths[2] = {Options.proj_size > 0 ? Options.proj_size : Hidden, Hidden};

  sequence_results<Operation> results_ = {};
  value within_ = {};  // see times_within

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
    const sequence_results<Operation> y = iterations_of<Operation>(step, Reversed, within_);
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

  static constexpr bool lengths_fit(value x, value lengths) {
    if (!lengths.exists() || shape_of(lengths) == shape_list{1, {x.get().shape[1]}}) return true;
    text called;
    called << name_ << "<\"" << Name.view() << "\">";
    do_not_fit(called.view(), {{"x", x}, {"lengths", lengths}},
               "x [time, batch, in] and the sequences' lengths, integers [batch]");
    return false;
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

}  // namespace detail

/// The statement of a network over sequences, with parameters of its own. The operands are x and, where they
/// are given, the first states, then integers, the sequences' lengths.
template <class Operation, name Name, std::int64_t Hidden, recurrent Options>
struct sequence_layer {
  static constexpr bool built_once = true;
  static constexpr std::string_view name = detail::sequence_name<Operation>;
  static constexpr int arity = -1;
  static constexpr text refusal() {
    if (Hidden < 1) return text() << name << " has one hidden feature or more, but got " << Hidden;
    if (Options.layers < 1) return text() << name << " has one layer or more, but got " << Options.layers;
    if (!(Options.dropout >= 0 && Options.dropout <= 1))
      return text() << name << " takes a dropout that is a probability from 0 to 1, but got "
                    << Options.dropout;
    if (Options.proj_size != 0 && Operation::states != 2)
      return text() << "proj_size is an option of lstm, and of " << name << " it is not";
    if (Options.proj_size < 0 || Options.proj_size >= Hidden)
      return text() << name << ": proj_size is below the number of hidden features, or 0 for none, but got "
                    << Options.proj_size << " of " << Hidden;
    return {};
  }
  static constexpr node_list build_all(graph& g, const node_list& x) {
    value operands[1 + Operation::states + 1];
    for (int i = 0; i < x.count; ++i) operands[i] = {&g, x.ids[i]};
    return detail::listed(build(operands, x.count));
  }
  template <class... More>
  static constexpr detail::sequence_results<Operation> build(value x, More... more) {
    const value operands[] = {x, more...};
    return build(operands, 1 + static_cast<int>(sizeof...(More)));
  }

 private:
  static constexpr detail::sequence_results<Operation> build(const value* x, int count) {
    value lengths;
    if (count > 1 && detail::is_index(x[count - 1])) lengths = x[--count];
    const int states = count - 1;
    if (states != 0 && states != Operation::states) {
      text t;
      t << name << " takes x, the first " << (Operation::states == 2 ? "h and c or neither" : "h or none")
        << ", and the sequences' lengths, integers, or none";
      x[0].fail(t);
      return detail::sequence_failed<Operation>(x[0]);
    }
    if constexpr (is_refused<sequence_layer>) {
      return detail::sequence_failed<Operation>(x[0].fail(refusal()));
    } else {
      return detail::recurrent_network<Operation, Name, Hidden, Options>().of(
          x[0], states > 0 ? x[1] : value{}, states > 1 ? x[2] : value{}, lengths);
    }
  }
};

namespace detail {

/// All results of that layer as a std::tuple.
template <class Layer, class Operation, expression_operand... X>
TAPELESS_FACTORY auto own_sequence(X... x) {
  return unpacked(make<Layer>(x...), std::make_index_sequence<1 + Operation::states>{});
}

}  // namespace detail

}  // namespace tapeless
