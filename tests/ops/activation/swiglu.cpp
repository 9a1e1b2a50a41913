// SPDX-License-Identifier: BSL-1.0
// swiglu and geglu against PyTorch's silu and gelu of the first half times the second, with gradients.
#include <tapeless/ops/activation/swiglu.hpp>

#include "catch.hpp"
#include "check.hpp"
#include "program.hpp"

#include <tapeless/ops/activation/geglu.hpp>

using test::check;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", double, 2, 6>;
  auto s = tl::swiglu(x);
  auto g = tl::geglu<1>(x);
  auto t = tl::geglu<-1, tl::approximation::tanh>(x);
  return tl::outputs(tl::named<"swiglu">(s), tl::named<"swiglu by x">(tl::grad(tl::sum(s), x)),
                     tl::named<"geglu">(g), tl::named<"geglu by x">(tl::grad(tl::sum(g), x)),
                     tl::named<"tanh">(t), tl::named<"tanh by x">(tl::grad(tl::sum(t), x)),
                     tl::named<"rows">(tl::swiglu<0>(x)));
};

}  // namespace

TEST_CASE("the first half is the gate of swiglu and geglu") {
  tl::function f{model};
  const auto r = f("x"_t = std::vector<double>{-2, 0.5, 3, 0.25, -1, 4, 1, -0.5, 0, 2, 7, -3});
  check(r.get<"swiglu">(), {-0.059601461011, -0.3112296656, 11.430889522, 1.4621171573, -1.3213923408, 0});
  check(r.get<"swiglu by x">(),
        {-0.022696062196, -0.7399611873, 4.3524164241, -0.23840584404, 0.3112296656, 2.8577223805,
         1.8553410237, 1.8202716889, -1.5, 0.73105857863, -0.1887703344, 0});
  check(r.get<"geglu">(), {-0.011375065974, -0.34573123064, 11.983801224, 1.6826894921, -1.0798813855, 0});
  check(r.get<"geglu by x">(),
        {-0.02130795027, -0.86749512466, 4.0477825888, -0.045500263896, 0.34573123064, 2.9959503059,
         2.1666309412, 0.92753412741, -1.5, 0.84134474607, -0.15426876936, 0});
  check(r.get<"tanh">(), {-0.011350576478, -0.34571400983, 11.985450432, 1.6823839812, -1.0800019312, 0});
  check(r.get<"tanh by x">(),
        {-0.021524814156, -0.86736990353, 4.0463366665, -0.045402305912, 0.34571400983, 2.9963626079,
         2.1659281677, 0.92841067526, -1.5, 0.84119199061, -0.15428599017, 0});
  check(r.get<"rows">(), {-0.23840584404, -0.1556148328, 0, 0.28108825044, -1.8825899496, -11.78416548});
}
