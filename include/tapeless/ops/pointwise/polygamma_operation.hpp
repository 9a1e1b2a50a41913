// SPDX-License-Identifier: BSL-1.0
// The derivatives of digamma, by their number.
#pragma once

#include <numbers>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/round.hpp>
#include <tapeless/ops/pointwise/sin.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

constexpr value polygamma(int order, value x);

namespace detail {

/// cot(pi x): infinite at whole numbers.
constexpr value cotangent_of_pi(value x) {
  const value r = x - round(x), size = abs(r);
  const value cosine = sin(std::numbers::pi * (0.5 - size)), sine = sin(std::numbers::pi * r);
  return cosine / sine;
}

/// x^n, n from 1 on.
constexpr value whole_power(value x, int n) {
  if (n == 1) return x;
  const value half = whole_power(x, n / 2);
  return n % 2 == 0 ? half * half : half * half * x;
}

/// Derivative number n of cot(pi x), from n = 1 on: pi^n times a polynomial in c = cot(pi x), of which each
/// is -(1 + c^2) times the derivative of the one before.
constexpr value derivative_of_cotangent(int n, value x) {
  list<double> p, next;
  p.push(0);
  p.push(1);
  double factor = 1;
  for (int k = 0; k < n; ++k, factor *= std::numbers::pi) {
    next.assign(p.size() + 1, 0);
    for (int i = 1; i < p.size(); ++i) {
      next[i - 1] -= i * p[i];
      next[i + 1] -= i * p[i];
    }
    p.clear();
    for (double c : next) p.push(c);
  }
  const value c = cotangent_of_pi(x);
  value sum = c * (factor * p[p.size() - 1]);
  for (int i = p.size() - 2; i >= 0; --i) {
    if (p[i] != 0) sum = sum + factor * p[i];
    if (i > 0) sum = sum * c;
  }
  return sum;
}

/// n! sum 1/(x + k)^(n + 1) over k >= 0, for x above 0: some terms, and the rest by Euler and Maclaurin.
constexpr value polygamma_above_0(int n, value x) {
  constexpr double bernoulli[] = {1.0 / 6,       -1.0 / 30, 1.0 / 42,      -1.0 / 30,    5.0 / 66,
                                  -691.0 / 2730, 7.0 / 6,   -3617.0 / 510, 43867.0 / 798};
  double factorial = 1;
  for (int k = 2; k < n; ++k) factorial *= k;  // of n - 1
  const int terms = 9 + n;
  value sum;
  for (int k = 0; k < terms; ++k) {
    const value term = whole_power(1.0 / (k == 0 ? x : x + static_cast<double>(k)), n + 1);
    sum = sum.exists() ? sum + term : term;
  }
  const value far = 1.0 / (x + static_cast<double>(terms)), t = square(far);
  // (2k + n - 1)! / (2k)! B_2k / far^(2k)
  double coefficient = factorial;
  double all[10] = {};
  for (int k = 1; k <= 9; ++k) {
    coefficient *= (2.0 * k + n - 1) * (2.0 * k + n - 2) / ((2.0 * k) * (2.0 * k - 1));
    all[k] = coefficient * bernoulli[k - 1];
  }
  value rest = t * all[9];
  for (int k = 8; k >= 1; --k) rest = (rest + all[k]) * t;
  const value tail = whole_power(far, n) * ((factorial + 0.5 * n * factorial * far) + rest);
  return (n * factorial) * sum + tail;
}

}  // namespace detail

/// Its order is an attribute, so that each one's derivative can be the next.
struct polygamma_operation {
  static constexpr std::string_view name = "polygamma";
  static constexpr int order_of(const node& n) { return static_cast<int>(n.attributes[0]); }
  static constexpr void set_order(node& n, int order) { n.attributes[0] = order; }
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    return k == 0 ? value{} : g * polygamma(order_of(y.get()) + 1, x[1]);
  }
  static constexpr operation op{name, family::alias, jacobian::diagonal, &cotangent_of};

  static constexpr value forward(int n, value x) {
    const double sign = n % 2 == 0 ? -1 : 1;
    const value reflected = x < 0.0, pole = reflected && x == round(x);
    const value y = detail::polygamma_above_0(n, where(reflected, 1.0 - x, x));
    const value turned = detail::derivative_of_cotangent(n, where(reflected && !pole, x, 0.25));
    // y is sign times the function at 1 - x, where its sign is the same
    const value below = -std::numbers::pi * turned - y;
    const value at_pole = sign / abs(where(pole, 0.0, x));
    return where(pole, at_pole, where(reflected, below, sign * y));
  }
};

/// Derivative number `order` of digamma, from 1 on.
constexpr value polygamma(int order, value x) {
  if (!detail::require_kind("polygamma", x, element_kind::floating)) return x;
  if (is_half(x.type())) return cast(polygamma(order, cast(x, element::f32)), x.type());
  const value y = polygamma_operation::forward(order, x);
  node n = detail::unary_node(polygamma_operation::op, y, shape_of(x));
  polygamma_operation::set_order(n, order);
  n.operands[n.operand_count++] = x.id;
  return y.insert(n);
}

}  // namespace tapeless
