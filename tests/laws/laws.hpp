// SPDX-License-Identifier: BSL-1.0
// Laws that hold for every differentiable operation, on every policy. A case is a function of one vector z;
// operands are taken from it by slices and reshapes, so that one law covers all operands, and mixed second
// derivatives too.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "catch.hpp"
#include "laws/cases.hpp"
#include "onnx/record.hpp"
#include "policies.hpp"
#include "program.hpp"
#include "thread_shares.hpp"
#include "trained_state.hpp"
#include "unfused.hpp"

namespace laws {

/// Elements Begin.. of z in the shape E...: an operand.
template <std::int64_t Begin, std::int64_t... E, class Z>
constexpr auto part(Z z) {
  return tl::reshape<E...>(tl::slice<0, Begin, Begin + (1 * ... * E)>(z));
}

/// y(z), its vector-Jacobian product with u, its Jacobian-vector product with v, and the Hessian of sum(u
/// y^2) times v.
template <class Case, class T>
struct model {
  constexpr auto operator()() const {
    constexpr int n = Case::size, m = Case::results;
    auto z = tl::input<"z", T, n>;
    auto u = tl::input<"u", T, m>;
    auto v = tl::input<"v", T, n>;
    auto y = tl::reshape<m>(Case{}(z));
    auto f = tl::sum(u * tl::square(y));
    return tl::outputs(tl::named<"y">(y), tl::named<"vjp">(tl::vjp(y, z, u)),
                       tl::named<"jvp">(tl::jvp(y, z, v)),
                       tl::named<"hessian_v">(tl::grad(tl::dot(tl::grad(f, z), v), z)));
  }
};

/// The same in float, without second derivatives.
template <class Case>
struct single_model {
  constexpr auto operator()() const {
    constexpr int n = Case::size, m = Case::results;
    auto z = tl::input<"z", float, n>;
    auto y = tl::reshape<m>(Case{}(z));
    return tl::outputs(tl::named<"y">(y), tl::named<"vjp">(tl::vjp(y, z, tl::input<"u", float, m>)));
  }
};

using vector = std::vector<double>;

inline double dot(const vector& a, const vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double largest(const vector& a) {
  double most = 1;
  for (double x : a) most = std::max(most, std::abs(x));
  return most;
}

inline void require_equal(const vector& a, const vector& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  const double margin = tolerance * std::max(largest(a), largest(b));
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("element " << i);
    CHECK(a[i] == test::Approx(b[i]).epsilon(0).margin(margin));
  }
}

/// Writes down what has been compared, where TAPELESS_LAWS_RECORD names a file for it: the README's table of
/// operations is made of these lines. Between tabs: the law, the order of the highest derivative, the modes
/// that gave it, the element type, the policy, and the law's expression, which holds the operations.
inline void note(const char* law, int order, const char* modes, const char* type, std::string_view policy,
                 const char* expression) {
  static const char* const path = std::getenv("TAPELESS_LAWS_RECORD");
  if (path == nullptr) return;
  static std::ofstream record(path);
  record << law << '\t' << order << '\t' << modes << '\t' << type << '\t' << policy << '\t' << expression
         << std::endl;
}

template <class Case, class Policy>
class laws_of {
 public:
  void check() {
    test::numbers random(7);
    const auto n = static_cast<std::size_t>(Case::size), m = static_cast<std::size_t>(Case::results);
    if constexpr (requires { Case::point; }) {
      z_.assign(std::begin(Case::point), std::end(Case::point));
    } else {
      z_ = random.vector(n, Case::low, Case::high);
    }
    u_ = random.vector(m);
    v_ = random.vector(n);
    const vector other_u = random.vector(m), other_v = random.vector(n);
    const vector y = run("y", z_, u_, v_), vjp = run("vjp", z_, u_, v_), jvp = run("jvp", z_, u_, v_);

    SECTION("finite differences agree with reverse and forward mode") {
      vector along(n), tangent(m);
      for (std::size_t i = 0; i < n; ++i) {
        const vector column = difference(i);
        along[i] = dot(u_, column);
        for (std::size_t k = 0; k < m; ++k) tangent[k] += column[k] * v_[i];
      }
      require_equal(vjp, along, 1e-6);
      require_equal(jvp, tangent, 1e-6);
      note(1, "reverse and forward", "double");
    }
    SECTION("the two modes are adjoint") {
      CHECK(dot(jvp, u_) == test::Approx(dot(v_, vjp)).epsilon(1e-12).margin(1e-12));
    }
    SECTION("the vector-Jacobian product is linear") {
      vector sum(m), expected = run("vjp", z_, other_u, v_);
      for (std::size_t k = 0; k < m; ++k) sum[k] = u_[k] + 2 * other_u[k];
      for (std::size_t i = 0; i < n; ++i) expected[i] = vjp[i] + 2 * expected[i];
      require_equal(run("vjp", z_, sum, v_), expected, 1e-12);
    }
    SECTION("the Hessian is symmetric, and the gradient's derivative") {
      const vector hv = run("hessian_v", z_, u_, v_), hw = run("hessian_v", z_, u_, other_v);
      CHECK(dot(hv, other_v) == test::Approx(dot(hw, v_)).epsilon(1e-11).margin(1e-11));
      vector up = gradient(1), down = gradient(-1);
      for (std::size_t i = 0; i < n; ++i) up[i] = (up[i] - down[i]) / (2 * step);
      require_equal(hv, up, 1e-6);
      note(2, "reverse over reverse", "double");
    }
    if constexpr (std::is_same_v<Policy, tl::cpu_by_tables>) check_threads();
    // Elsewhere float is compared by reference values: one more program takes long to compile.
#ifndef __CUDACC__
    if constexpr (std::is_same_v<Policy, test::table_policy>) check_float(y, vjp);
#endif
  }

 private:
  static constexpr double step = 1e-5;
  tl::function<model<Case, double>, Policy> f_{model<Case, double>{}};
  vector z_, u_, v_;

  static void note(int order, const char* modes, const char* type) {
    constexpr bool is_default = std::is_same_v<Policy, test::table_policy>;
    laws::note(Case::name, order, modes, type,
               is_default ? test::name_of_policy<tl::default_policy>() : test::name_of_policy<Policy>(),
               Case::expression);
  }

  // Every kernel is split then, but for those that add all up.
  void check_threads() {
    SECTION("any number of threads gives the same bits") {
      const test::smallest_shares shares;
      const auto bytes_on = [this](int threads) {
        const tl::function<model<Case, double>, Policy> f{model<Case, double>{}, Policy{.threads = threads}};
        const auto r = f("z"_t = z_, "u"_t = u_, "v"_t = v_);
        return test::bytes_of_elements(r.template get<"y">()) +
               test::bytes_of_elements(r.template get<"vjp">()) +
               test::bytes_of_elements(r.template get<"jvp">()) +
               test::bytes_of_elements(r.template get<"hessian_v">());
      };
      const std::string expected = bytes_on(1);
      for (const int threads : {2, 3, 5, 16}) {
        INFO(threads << " threads");
        CHECK(bytes_on(threads) == expected);
      }
    }
  }

  void check_float(const vector& y, const vector& vjp) {
    SECTION("float, one operation at a time, agrees with double, all at once") {
      unfused<single_model<Case>, Policy> single;
      const std::vector<float> z(z_.begin(), z_.end()), u(u_.begin(), u_.end());
      auto r = single("z"_t = z, "u"_t = u);
      const vector single_y = test::elements(r.template get<"y">()),
                   single_vjp = test::elements(r.template get<"vjp">());
      require_equal(single_y, y, 5e-6);
      require_equal(single_vjp, vjp, 2e-5);
      test::record_for_onnx(Case::name, single,
                            {{"in.z", z_}, {"in.u", u_}, {"out.y", single_y}, {"out.vjp", single_vjp}});
      note(1, "reverse", "float");
    }
  }

  vector run(std::string_view output, const vector& z, const vector& u, const vector& v) {
    auto r = f_("z"_t = z, "u"_t = u, "v"_t = v);
    if (output == "y") return test::elements(r.template get<"y">());
    if (output == "vjp") return test::elements(r.template get<"vjp">());
    if (output == "jvp") return test::elements(r.template get<"jvp">());
    return test::elements(r.template get<"hessian_v">());
  }

  /// dy / dz_i
  vector difference(std::size_t i) {
    vector up = z_, down = z_;
    up[i] += step;
    down[i] -= step;
    vector y = run("y", up, u_, v_);
    const vector low = run("y", down, u_, v_);
    for (std::size_t k = 0; k < y.size(); ++k) y[k] = (y[k] - low[k]) / (2 * step);
    return y;
  }

  /// The gradient of sum(u y^2), a step along v.
  vector gradient(double sign) {
    vector z = z_;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += sign * step * v_[i];
    vector g = run("y", z, u_, v_);
    for (std::size_t k = 0; k < g.size(); ++k) g[k] *= 2 * u_[k];
    return run("vjp", z, g, v_);
  }
};

/// Whether a case works element by element: then the policies differ in nothing but how a kernel is launched,
/// for which reference values, in float, are enough.
template <class Case>
constexpr bool is_pointwise() {
  using graph_builder = typename tl::function<model<Case, double>>::graph_builder;
  for (const auto& n : tl::constant_graph_of<graph_builder>.nodes) switch (n.op->kind) {
      case tl::family::input:
      case tl::family::constant:
      case tl::family::iota:
      case tl::family::pointwise:
      case tl::family::view:
      case tl::family::pad:
      case tl::family::concat:
      case tl::family::alias:
        break;
      default:
        return false;
    }
  return true;
}

template <class Case>
void check() {
  auto check_on = []<class Policy>() { laws_of<Case, Policy>().check(); };
  if constexpr (is_pointwise<Case>()) {
    test::on_policy<test::table_policy>(check_on);
  } else {
    test::on_table_policies(check_on);
  }
}

}  // namespace laws
