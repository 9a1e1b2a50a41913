// SPDX-License-Identifier: BSL-1.0
// grad(y, x), vjp(y, x, g), jvp(y, x, v): derivatives as expressions, which can be differentiated again.
#pragma once

#include <tapeless/graph/transform/forward.hpp>
#include <tapeless/graph/transform/reverse.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/reduction/sum_to.hpp>

namespace tapeless {

namespace detail {

constexpr value zeros_like(value x) { return expand(make_constant(*x.builder, 0, x.type()), shape_of(x)); }

constexpr value not_reached(std::string_view what, value x) {
  text t;
  t << what << ": the value does not depend on ";
  if (x.get().label != nullptr) {
    t << x.get().op->name << " \"" << x.get().label->view() << "\"";
  } else {
    t << "the expression that it is differentiated by";
  }
  return x.fail(t << ", or only through operations without a derivative");
}

constexpr value cotangent(std::string_view what, value y, value x, value seed) {
  list<int> wrt, result;
  wrt.push(x.id);
  reverse(y, expand(seed, shape_of(y)), wrt, result);
  return result[0] < 0 ? not_reached(what, x) : value{y.builder, result[0]};
}

}  // namespace detail

struct grad_statement {
  static constexpr int arity = 2;
  static constexpr value build(value y, value x) {
    return detail::cotangent("grad", y, x, make_constant(*y.builder, 1, y.type()));
  }
  /// Alone, without the graph between them, only the shapes can be judged.
  static constexpr node_list infer(graph& g, const node_list& v) {
    const value y{&g, v.ids[0]};
    if (y.rank() != 0) {
      text t;
      t << "grad takes a scalar, but got a value of the shape ";
      g.describe_shape(t, y.get());
      y.fail(t << ": reduce it (sum, mean), or use vjp");
    }
    return node_list::only({&g, v.ids[1]});
  }
};

struct vjp_statement {
  static constexpr int arity = 3;
  static constexpr value build(value y, value x, value g) { return detail::cotangent("vjp", y, x, g); }
  static constexpr node_list infer(graph& g, const node_list& v) {
    expand({&g, v.ids[2]}, shape_of({&g, v.ids[0]}));
    return node_list::only({&g, v.ids[1]});
  }
};

struct jvp_statement {
  static constexpr int arity = 3;
  static constexpr value build(value y, value x, value v) {
    const value tangent = forward(y, x, expand(v, shape_of(x)));
    return tangent.exists() ? tangent : detail::not_reached("jvp", x);
  }
  static constexpr node_list infer(graph& g, const node_list& v) {
    expand({&g, v.ids[2]}, shape_of({&g, v.ids[1]}));
    return node_list::only({&g, v.ids[0]});
  }
};

/// The gradient of the scalar y by x, of x's shape. x is an input, a parameter or any expression that y was
/// made from. grad(grad(...)) and mixtures with jvp give derivatives of any order.
template <expression_operand Y, expression_operand X>
TAPELESS_FACTORY auto grad(Y y, X x) {
  return make<grad_statement>(y, x);
}

/// The vector-Jacobian product: the sum over y's elements of g times their gradients by x; g is of y's shape.
template <expression_operand Y, expression_operand X, expression_operand G>
TAPELESS_FACTORY auto vjp(Y y, X x, G g) {
  return make<vjp_statement>(y, x, g);
}

/// The Jacobian-vector product: the derivative of y as x moves along v; v is of x's shape, the result of y's.
template <expression_operand Y, expression_operand X, expression_operand V>
TAPELESS_FACTORY auto jvp(Y y, X x, V v) {
  return make<jvp_statement>(y, x, v);
}

}  // namespace tapeless
