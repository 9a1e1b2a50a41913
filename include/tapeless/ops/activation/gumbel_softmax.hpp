// SPDX-License-Identifier: BSL-1.0
// gumbel_softmax<"g">(x): a draw of a class that can be differentiated (Jang, Gu and Poole, 2017).
#pragma once

#include <tapeless/ops/activation/softmax.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/random/gumbel_noise.hpp>
#include <tapeless/ops/reduction/argmax.hpp>

namespace tapeless {

/// Options of gumbel_softmax, with PyTorch's defaults.
struct gumbel {
  double tau = 1;     ///< the temperature: nearer to one class for smaller ones
  bool hard = false;  ///< one class gets 1 and the others 0, with the derivative of the soft result
  int axis = -1;      ///< that of the classes
  friend constexpr bool operator==(const gumbel&, const gumbel&) = default;
};

template <name Name, gumbel Options>
struct gumbel_softmax_statement {
  static constexpr int arity = 1;
  static constexpr text refusal() {
    if (Options.tau > 0) return {};
    return text() << "gumbel_softmax takes a tau above 0, but got " << Options.tau;
  }
  static constexpr std::string_view op = "gumbel_softmax";
  static constexpr value build(value x) {
    graph& g = *x.builder;
    if (!detail::require_kind(op, x, element_kind::floating)) return x;
    const int axis = detail::axis_of(op, x, Options.axis);
    if (axis < 0) return x;
    const value noise = cast(detail::gumbel_noise<Name>(g, shape_of(x), computed_in(x.type())), x.type());
    const value soft = detail::softmax(x + noise, 1u << axis, {}, 1 / Options.tau, true);
    value y = soft;
    if (Options.hard) {
      const value chosen = argmax_operation::build(soft, 1u << axis, true);
      const value one = where(make_iota(g, shape_of(x), axis, chosen.type()) == chosen,
                              make_constant(g, 1, x.type()), make_constant(g, 0, x.type()));
      y = one + (soft - stop_gradient(soft));
    }
    return detail::only_draw<Name>(op, y);
  }
};

/// softmax((x + g) / tau) with g = -log(-log(u)) and uniform numbers u, of logits x along gumbel::axis, the
/// last one where none is given. With gumbel::hard, 1 for the largest and 0 for all others, whose derivative
/// is that of the soft result. It draws in evaluation, too; for what the name means, and when it is drawn
/// anew, see normal.
/// @formula y = softmax((x - log(-log(u))) / tau), u ~ U(0, 1)
/// @shapes floating [..] -> [..]
/// @errors element_kinds draw_name_used_twice indexing_as_in_pytorch
/// @torch torch.nn.functional.gumbel_softmax
/// @jax jax.nn.softmax((x + jax.random.gumbel(key, x.shape)) / tau)
/// @given x = [100, 0, 0]
/// @gives tl::gumbel_softmax<"g", tl::gumbel{.hard = true}>(x) = [1, 0, 0]
template <name Name, gumbel Options = gumbel{}, reduction_operand X>
TAPELESS_FACTORY auto gumbel_softmax(X x) {
  return make<gumbel_softmax_statement<Name, Options>>(x);
}

// Calls as in PyTorch, which are refused.
template <layer_argument... A, detail::called_with X, class... More>
  requires(sizeof...(A) == 0 || sizeof...(More) > 0)
constexpr auto gumbel_softmax(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"gumbel_softmax"},
                             sentence{"its name and its options are template arguments"},
                             sentence{"<\"g\", tl::gumbel{.tau = 0.5}>(x)"}>(x, more...);
}

}  // namespace tapeless
