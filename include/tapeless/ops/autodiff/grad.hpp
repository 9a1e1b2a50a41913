// SPDX-License-Identifier: BSL-1.0
// grad(y, x...), vjp(y, x, g), jvp(y, x, v): derivatives as expressions, which can be differentiated again.
#pragma once

#include <tapeless/expr/pack.hpp>
#include <tapeless/graph/transform/forward.hpp>
#include <tapeless/graph/transform/reverse.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/reduction/sum_to.hpp>
#include <tapeless/ops/shape/permute.hpp>

namespace tapeless {

namespace detail {

/// `place` of `count` is x's among the values that y is differentiated by.
constexpr value not_reached(std::string_view what, value x, int place = 1, int count = 1) {
  text t;
  t << what << ": the value does not depend on ";
  if (x.get().label != nullptr) {
    t << x.get().op->name << " \"" << x.get().label->view() << "\"";
  } else if (count > 1) {
    t << "number " << place << " of the " << count << " expressions that it is differentiated by";
  } else {
    t << "the expression that it is differentiated by";
  }
  return x.fail(t << ", or only through operations without a derivative");
}

/// What comes beside a value, in its shape; a number takes the value's type.
constexpr value fitted(value given, value like) {
  return expand(given.type() == element::number ? cast(given, like.type()) : given, shape_of(like));
}

constexpr value cotangent(std::string_view what, value y, value x, value seed) {
  list<int> wrt, result;
  wrt.push(x.id);
  reverse(y, fitted(seed, y), wrt, result);
  return result[0] < 0 ? not_reached(what, x) : value{y.builder, result[0]};
}

/// The cotangents of the values x, by one sweep.
constexpr node_list cotangents(std::string_view what, value y, const node_list& x, value seed) {
  graph& g = *y.builder;
  list<int> wrt, found;
  node_list results;
  for (int i = 0; i < x.count; ++i) wrt.push(x.ids[i]);
  reverse(y, fitted(seed, y), wrt, found);
  for (int i = 0; i < x.count; ++i) {
    const value by{&g, x.ids[i]};
    const value one = found[i] < 0 ? not_reached(what, by, i + 1, x.count) : value{&g, found[i]};
    results.append(node_list::only(one));
  }
  return results;
}

/// What comes beside the values must be of the shape of `like`, or broadcast to it, and of its type, or a
/// number.
constexpr void require_shape(std::string_view what, std::string_view name, value given, value like) {
  graph& g = *given.builder;
  if (given.type() != like.type() && given.type() != element::number && like.type() != element::number)
    given.fail(text() << what << " got " << name << " of " << name_of(given.type()) << " for a value of "
                      << name_of(like.type()) << ": cast it");
  shape_list fitted;
  if (broadcast(shape_of(given), shape_of(like), fitted) && fitted == shape_of(like)) return;
  text t;
  t << what << " got " << name << " of the shape ";
  g.describe_shape(t, given.get());
  t << " for a value of the shape ";
  g.describe_shape(t, like.get());
  given.fail(t << ": they must be the same");
}

constexpr void require_scalar(std::string_view what, value y, std::string_view otherwise) {
  if (y.rank() == 0) return;
  text t;
  t << what << " takes a scalar, but got a value of the shape ";
  y.builder->describe_shape(t, y.get());
  y.fail(t << ": " << otherwise);
}

constexpr void require_one(std::string_view what, std::string_view operand, graph& g, int count) {
  if (count != 1) g.fail(text() << what << " takes one " << operand << ", but got " << count);
}

/// Values number `begin` to `begin + count - 1` of a list.
constexpr node_list some_of(const node_list& all, int begin, int count) {
  node_list some;
  for (int i = 0; i < count; ++i) some.ids[some.count++] = all.ids[begin + i];
  return some;
}

}  // namespace detail

struct grad_statement {
  static constexpr bool built_once = true, differentiates = true;
  static constexpr int arity = 2;
  static constexpr value build(value y, value x) {
    return detail::cotangent("grad", y, x, make_constant(*y.builder, 1, y.type()));
  }
  /// Alone, without the graph between them, only the shapes can be judged.
  static constexpr node_list infer(graph& g, const node_list& v) {
    detail::require_scalar("grad", {&g, v.ids[0]}, "reduce it (sum, mean), or use vjp");
    return node_list::only({&g, v.ids[1]});
  }
};

struct vjp_statement {
  static constexpr bool built_once = true, differentiates = true;
  static constexpr int arity = 3;
  static constexpr value build(value y, value x, value g) { return detail::cotangent("vjp", y, x, g); }
  static constexpr node_list infer(graph& g, const node_list& v) {
    detail::require_shape("vjp", "a cotangent", {&g, v.ids[2]}, {&g, v.ids[0]});
    return node_list::only({&g, v.ids[1]});
  }
};

struct jvp_statement {
  static constexpr bool built_once = true, differentiates = true;
  static constexpr int arity = 3;
  static constexpr value build(value y, value x, value v) {
    const value tangent = forward(y, x, detail::fitted(v, x));
    return tangent.exists() ? tangent : detail::not_reached("jvp", x);
  }
  static constexpr node_list infer(graph& g, const node_list& v) {
    detail::require_shape("jvp", "a direction", {&g, v.ids[2]}, {&g, v.ids[1]});
    return node_list::only({&g, v.ids[0]});
  }
};

/// The same by several values: the operands are y, then those.
template <int Ys>
struct gradients_statement {
  static constexpr bool built_once = true, differentiates = true;
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& v) {
    const value y{&g, v.ids[0]};
    return detail::cotangents("grad", y, detail::some_of(v, 1, v.count - 1), make_constant(g, 1, y.type()));
  }
  static constexpr node_list infer(graph& g, const node_list& v) {
    detail::require_one("grad", "scalar", g, Ys);
    grad_statement::infer(g, v);
    return detail::some_of(v, 1, v.count - 1);
  }
};

/// y, the values, g.
template <int Ys, int Gs>
struct several_vjp_statement {
  static constexpr bool built_once = true, differentiates = true;
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& v) {
    return detail::cotangents("vjp", {&g, v.ids[0]}, detail::some_of(v, 1, v.count - 2),
                              {&g, v.ids[v.count - 1]});
  }
  static constexpr node_list infer(graph& g, const node_list& v) {
    detail::require_one("vjp", "value to differentiate", g, Ys);
    detail::require_one("vjp", "cotangent", g, Gs);
    detail::require_shape("vjp", "a cotangent", {&g, v.ids[v.count - 1]}, {&g, v.ids[0]});
    return detail::some_of(v, 1, v.count - 2);
  }
};

/// y, the values, a direction for each.
template <int Ys, int Xs, int Vs>
struct several_jvp_statement {
  static constexpr bool built_once = true, differentiates = true;
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& v) {
    const value y{&g, v.ids[0]};
    value sum;
    for (int i = 1; i <= Xs; ++i) {
      const value x{&g, v.ids[i]}, along{&g, v.ids[Xs + i]};
      const value part = forward(y, x, detail::fitted(along, x));
      if (!part.exists()) return node_list::only(detail::not_reached("jvp", x, i, Xs));
      sum = sum.exists() ? sum + part : part;
    }
    return node_list::only(sum);
  }
  static constexpr node_list infer(graph& g, const node_list& v) {
    detail::require_one("jvp", "value to differentiate", g, Ys);
    if (Xs != Vs) g.fail(text() << "jvp takes one direction for each value, but got " << Vs << " for " << Xs);
    for (int i = 1; i <= Xs && Xs == Vs; ++i)
      detail::require_shape("jvp", "a direction", {&g, v.ids[Xs + i]}, {&g, v.ids[i]});
    return node_list::only({&g, v.ids[0]});
  }
};

/// The gradient of the scalar y by x, of x's shape. x is an input, a parameter or any expression that y was
/// made from. grad(grad(...)) and mixtures with jvp give derivatives of any order. By several values, up to
/// seven, which may depend on one another: all gradients from one sweep, as a std::tuple:
/// auto [dx, db] = grad(y, x, b).
/// @formula dy / dx
/// @shapes a floating scalar y, x [..] -> [..]
/// @errors grad_of_a_vector grad_does_not_reach grad_by_name grad_of_function grad_through_carry
/// @torch torch.autograd.grad, torch.func.grad
/// @jax jax.grad
/// @given x = [1, 2, 3]
/// @gives tl::grad(tl::sum(tl::cube(x)), x) = [3, 12, 27]
template <expression_operand Y, expression_operand X, expression_operand... More>
TAPELESS_FACTORY auto grad(Y y, X x, More... more) {
  if constexpr (tuple_of_expressions<Y> || tuple_of_expressions<X> || (tuple_of_expressions<More> || ...)) {
    return grad(detail::packed(y), detail::packed(x), detail::packed(more)...);
  } else if constexpr (detail::values_in_all<Y, X, More...>() == 2) {
    return make<grad_statement>(y, x);
  } else {
    return detail::counted_results_of<detail::values_in_all<X, More...>()>(
        make<gradients_statement<detail::values_in_all<Y>()>>(y, x, more...));
  }
}

namespace detail {

template <class... X>
concept no_expressions = sizeof...(X) < 2 || !(expression_operand<X> && ...);

template <class... X>
constexpr auto refuse_derivative() {
  static_assert(compile_error<misuse<void(X...)>::derivative_of_no_expressions>::reported);
  return erroneous_results<sizeof...(X) < 2 ? 1 : static_cast<int>(sizeof...(X)) - 1>();
}

}  // namespace detail

/// Refuses what is no expression.
template <class... X>
  requires detail::no_expressions<X...>
constexpr auto grad(const X&...) {
  return detail::refuse_derivative<X...>();
}

/// The vector-Jacobian product: the sum over y's elements of g times their gradients by x; g is of y's shape.
/// By several values: auto [dx, db] = vjp(y, std::tuple{x, b}, g), from one sweep.
/// @formula sum_i g_i dy_i / dx
/// @shapes y [..], x [..], g of y's shape -> x's shape
/// @errors grad_does_not_reach
/// @torch torch.func.vjp, torch.autograd.grad(grad_outputs=)
/// @jax jax.vjp
/// @given x = [1, 2, 3]; g = [1, 0, 10]
/// @gives tl::vjp(tl::square(x), x, g) = [2, 0, 60]
template <expression_operand Y, expression_operand X, expression_operand G>
TAPELESS_FACTORY auto vjp(Y y, X x, G g) {
  if constexpr (tuple_of_expressions<Y> || tuple_of_expressions<X> || tuple_of_expressions<G>) {
    return vjp(detail::packed(y), detail::packed(x), detail::packed(g));
  } else if constexpr (detail::values_in_all<Y, X, G>() == 3) {
    return make<vjp_statement>(y, x, g);
  } else {
    return detail::counted_results_of<detail::values_in_all<X>()>(
        make<several_vjp_statement<detail::values_in_all<Y>(), detail::values_in_all<G>()>>(y, x, g));
  }
}

/// The Jacobian-vector product: the derivative of y as x moves along v; v is of x's shape, the result of y's.
/// Where several values move at once, jvp(y, std::tuple{x, b}, std::tuple{v, w}) is the sum.
/// @formula the derivative of y as x moves along v
/// @shapes y [..], x [..], v of x's shape -> y's shape
/// @errors grad_does_not_reach jvp_of_own_backward
/// @torch torch.func.jvp
/// @jax jax.jvp
/// @given x = [1, 2, 3]; v = [1, 0, 10]
/// @gives tl::jvp(tl::square(x), x, v) = [2, 0, 60]
template <expression_operand Y, expression_operand X, expression_operand V>
TAPELESS_FACTORY auto jvp(Y y, X x, V v) {
  if constexpr (tuple_of_expressions<Y> || tuple_of_expressions<X> || tuple_of_expressions<V>) {
    return jvp(detail::packed(y), detail::packed(x), detail::packed(v));
  } else if constexpr (detail::values_in_all<Y, X, V>() == 3) {
    return make<jvp_statement>(y, x, v);
  } else {
    return make<several_jvp_statement<detail::values_in_all<Y>(), detail::values_in_all<X>(),
                                      detail::values_in_all<V>()>>(y, x, v);
  }
}

}  // namespace tapeless
