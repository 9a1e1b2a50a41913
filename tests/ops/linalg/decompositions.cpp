// SPDX-License-Identifier: BSL-1.0
// Factors of matrices and what is made of them: PyTorch's values and gradients, what multiplies back to the
// matrix in larger sizes, singular matrices and such that are not finite, empty ones.
#include <tapeless/ops/linalg.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

namespace {

/// Results, and gradients by cotangents that are made of k.
struct as_in_torch {
  constexpr auto operator()() const {
    auto a = tl::input<"a", double, 3, 3>;
    auto b = tl::input<"b", double, 3, 2>;
    auto s = tl::input<"s", double, 3, 3>;
    auto r = tl::input<"r", double, 4, 2>;
    auto k = tl::input<"k", double, 9>;
    const auto k33 = tl::reshape<3, 3>(k);
    const auto k24 = tl::reshape<2, 4>(tl::slice<0, 0, 8>(k));
    const auto k42 = tl::reshape<4, 2>(tl::slice<0, 0, 8>(k));
    const auto k22 = tl::reshape<2, 2>(tl::slice<0, 0, 4>(k));
    const auto c = tl::cholesky(s);
    const auto [p, l, u] = tl::lu(a);
    const auto [q, t] = tl::qr(r);
    const auto [wide_q, wide_t] = tl::qr(tl::transpose(r));
    const auto [sign, log_size] = tl::slogdet(a);
    const auto [w, v] = tl::eigh(s);
    const auto e = tl::matrix_exp(a);
    const auto i = tl::pinv(r);
    return tl::outputs(tl::named<"cholesky">(c), tl::named<"of_cholesky">(tl::vjp(c, s, k33)),
                       tl::named<"solve">(tl::solve(a, b)), tl::named<"inverse">(tl::inverse(a)),
                       tl::named<"det">(tl::det(a)), tl::named<"sign">(sign), tl::named<"log_size">(log_size),
                       tl::named<"logdet">(tl::logdet(s)), tl::named<"of_det">(tl::grad(tl::det(a), a)),
                       tl::named<"p">(p), tl::named<"l">(l), tl::named<"u">(u),
                       tl::named<"of_lu">(tl::vjp(l, a, k33) + tl::vjp(u, a, k33)), tl::named<"q">(q),
                       tl::named<"t">(t), tl::named<"of_qr">(tl::vjp(q, r, k42) + tl::vjp(t, r, k22)),
                       tl::named<"wide_q">(wide_q), tl::named<"wide_t">(wide_t),
                       tl::named<"of_wide_qr">(tl::vjp(wide_q, r, k22) + tl::vjp(wide_t, r, k24)),
                       tl::named<"w">(w), tl::named<"of_w">(tl::vjp(w, s, tl::slice<0, 0, 3>(k))),
                       tl::named<"v">(v), tl::named<"svdvals">(tl::svdvals(r)),
                       tl::named<"of_svdvals">(tl::vjp(tl::svdvals(r), r, tl::slice<0, 0, 2>(k))),
                       tl::named<"exp">(e), tl::named<"of_exp">(tl::vjp(e, a, k33)), tl::named<"pinv">(i),
                       tl::named<"of_pinv">(tl::vjp(i, r, k24)),
                       tl::named<"lstsq">(tl::lstsq(r, tl::reshape<4, 1>(tl::slice<0, 0, 4>(k)))),
                       tl::named<"power">(tl::matrix_power<-2>(a)));
  }
};

const std::vector<double> a{0, 2, -1, 1, 0.5, 3, -2, 1, 1}, b{1, 2, 3, -1, 0, 0.5},
    s{4, 1, -1, 1, 3, 0.5, -1, 0.5, 2}, r{1, 2, 0, -1, 3, 0.5, 1, 1},
    k{1, -0.5, 0.25, 2, -1, 0.75, 0.5, -2, 1.5};

}  // namespace

TEST_CASE("factors of matrices, and gradients through them, are PyTorch's") {
  test::on_each_policy([]<class Policy>() {
    tl::function<as_in_torch, Policy> f{as_in_torch{}};
    auto y = f("a"_t = a, "b"_t = b, "s"_t = s, "r"_t = r, "k"_t = k);
    const auto check = [&](std::string_view name, const auto& view, const std::vector<double>& expected) {
      INFO(name);
      REQUIRE(view.size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(view[i] == test::Approx(expected[i]).epsilon(0).margin(1e-10));
    };
    check("cholesky", y.template get<"cholesky">(),
          {2, 0, 0, 0.5, 1.658312395178, 0, -0.5, 0.452267016867, 1.243163121016});
    check("of_cholesky", y.template get<"of_cholesky">(),
          {0.284140040189, 0.331154522868, 0.467714683622, 0.331154522868, -0.092177076055, -0.767558984584,
           0.467714683622, -0.767558984584, 0.603299749905});
    check("solve", y.template get<"solve">(), {0.71875, -0.078125, 0.8125, 0.78125, 0.625, -0.4375});
    check("inverse", y.template get<"inverse">(),
          {0.15625, 0.1875, -0.40625, 0.4375, 0.125, 0.0625, -0.125, 0.25, 0.125});
    check("det", y.template get<"det">(), {-16});
    check("sign", y.template get<"sign">(), {-1});
    check("log_size", y.template get<"log_size">(), {2.77258872224});
    check("logdet", y.template get<"logdet">(), {2.833213344056});
    check("of_det", y.template get<"of_det">(), {-2.5, -7, 2, -3, -2, -4, 6.5, -1, -2});
    check("p", y.template get<"p">(), {0, 1, 0, 0, 0, 1, 1, 0, 0});
    check("l", y.template get<"l">(), {1, 0, 0, 0, 1, 0, -0.5, 0.5, 1});
    check("u", y.template get<"u">(), {-2, 1, 1, 0, 2, -1, 0, 0, 4});
    check("of_lu", y.template get<"of_lu">(), {-1.4375, -0.875, 0, 0.375, -0.25, 1.5, 1.1875, -0.625, 1});
    check("q", y.template get<"q">(),
          {-0.301511344578, 0.757653854144, 0, -0.476239565462, -0.904534033733, -0.346356047609,
           -0.301511344578, 0.281414288682});
    check("t", y.template get<"t">(), {-3.316624790355, -1.3568010506, 0, 2.099783538627});
    check("of_qr", y.template get<"of_qr">(),
          {-1.231931402017, 2.215948239667, -0.037110588121, -0.488513781067, -0.574557791788,
           -0.206077274658, -0.361020012975, 0.060595979484});
    check("wide_q", y.template get<"wide_q">(), {-0.4472135955, -0.894427191, -0.894427191, 0.4472135955});
    check("wide_t", y.template get<"wide_t">(),
          {-2.2360679775, 0.894427191, -1.788854382, -1.3416407865, 0, -0.4472135955, -2.45967477525,
           -0.4472135955});
    check("of_wide_qr", y.template get<"of_wide_qr">(),
          {-1.632329623575, -0.301869176962, -0.4472135955, 0.782623792125, -0.559016994375, 0, 0.894427191,
           -2.683281573});
    check("w", y.template get<"w">(), {1.159928190836, 3.077063898618, 4.763007910546});
    check("of_w", y.template get<"of_w">(),
          {0.351941929742, -0.011597222916, 0.352214680887, -0.011597222916, -0.062232669807, -0.601879162908,
           0.352214680887, -0.601879162908, 0.460290740066});
    check("v", y.template get<"v">(),
          {0.433116131573, -0.227303784482, 0.872206057151, -0.447916420836, 0.785454865962, 0.42712004575,
           0.782164494539, 0.575667997283, -0.238380075483});
    check("svdvals", y.template get<"svdvals">(), {3.703145029466, 1.880616093395});
    check("of_svdvals", y.template get<"of_svdvals">(),
          {0.601107322273, -0.008994906354, -0.236975781698, 0.122985344026, 0.499955167481, 0.649434673081,
           0.364131540575, 0.113990437672});
    check("exp", y.template get<"exp">(),
          {0.794106794955, 3.956662144912, 4.156060156356, -4.769499279238, 3.316870138386, 10.22906707754,
           -5.183540390674, -1.08886454195, 5.226194358936});
    check("of_exp", y.template get<"of_exp">(),
          {0.110678415413, 0.924561492441, -4.874552159644, 4.136450903031, -2.681946153131, -2.658215239637,
           4.302114239476, -3.620721538994, 4.667240537564});
    check("pinv", y.template get<"pinv">(),
          {-0.056701030928, 0.092783505155, 0.340206185567, 0.036082474227, 0.360824742268, -0.226804123711,
           -0.164948453608, 0.134020618557});
    check("of_pinv", y.template get<"of_pinv">(),
          {-0.186603252205, 0.522292485918, 0.083935593581, -0.3134233181, -0.040174301201, -0.298703369115,
           0.253002444468, -0.327213306409});
    check("lstsq", y.template get<"lstsq">(), {0.05412371134, 0.701030927835});
    check("power", y.template get<"power">(),
          {0.1572265625, -0.048828125, -0.1025390625, 0.115234375, 0.11328125, -0.162109375, 0.07421875,
           0.0390625, 0.08203125});
  });
}

namespace {

constexpr auto n = tl::dyn<"n">, batch = tl::dyn<"batch">;

/// Of float, with extents that are known when the program runs.
struct of_any_size {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, batch, n, n>;
    auto s = tl::matmul(x, tl::transpose(x));
    const auto [p, l, u] = tl::lu(x);
    const auto [w, v] = tl::eigh(s);
    return tl::outputs(
        tl::named<"lu">(tl::matmul(p, tl::matmul(l, u)) - x),
        tl::named<"eigh">(tl::matmul(s, v) - tl::reshape<batch, 1, n>(w) * v),
        tl::named<"v">(tl::matmul(tl::transpose(v), v)), tl::named<"inverse">(tl::matmul(tl::inverse(x), x)),
        tl::named<"cholesky">(tl::matmul(tl::cholesky(s), tl::transpose(tl::cholesky(s))) - s),
        tl::named<"exp">(tl::matmul(tl::matrix_exp(x), tl::matrix_exp(-x))), tl::named<"det">(tl::det(x)));
  }
};

/// Of extents that are integers: tall, wide, and of columns that depend on one another.
struct of_known_size {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, 31, 17>;
    auto low = tl::matmul(tl::slice<1, 0, 3>(x), tl::slice<0, 0, 3>(x));
    const auto [q, r] = tl::qr(x);
    const auto [u, s, vt] = tl::svd(tl::transpose(x));
    const auto [low_u, low_s, low_vt] = tl::svd(low);
    const auto [p, l, t] = tl::lu(x);
    const auto [wide_p, wide_l, wide_t] = tl::lu(tl::transpose(x));
    const auto [low_p, low_l, low_t] = tl::lu(low);
    return tl::outputs(
        tl::named<"qr">(tl::matmul(q, r) - x), tl::named<"q">(tl::matmul(tl::transpose(q), q)),
        tl::named<"svd">(tl::matmul(u * s, vt) - tl::transpose(x)),
        tl::named<"u">(tl::matmul(tl::transpose(u), u)), tl::named<"vt">(tl::matmul(vt, tl::transpose(vt))),
        tl::named<"low">(tl::matmul(low_u * low_s, low_vt) - low),
        tl::named<"low_u">(tl::matmul(tl::transpose(low_u), low_u)), tl::named<"low_s">(low_s),
        tl::named<"pinv">(tl::matmul(low, tl::matmul(tl::pinv(low), low)) - low),
        tl::named<"lu">(tl::matmul(p, tl::matmul(l, t)) - x), tl::named<"l">(l),
        tl::named<"wide_lu">(tl::matmul(wide_p, tl::matmul(wide_l, wide_t)) - tl::transpose(x)),
        tl::named<"low_lu">(tl::matmul(low_p, tl::matmul(low_l, low_t)) - low),
        tl::named<"norms">(tl::stack<0>(tl::matrix_norm(low, tl::order<2>) - tl::max(low_s),
                                        tl::matrix_norm(low, tl::nuclear) - tl::sum(low_s))));
  }
};

template <class View>
void require_zero(const View& x, double margin) {
  for (std::size_t i = 0; i < x.size(); ++i) REQUIRE(std::abs(double(x[i])) <= margin);
}
template <class View>
void require_identity(const View& x, std::size_t size, double margin) {
  for (std::size_t i = 0; i < x.size(); ++i)
    REQUIRE(std::abs(double(x[i]) - (i % (size * size) % (size + 1) == 0 ? 1 : 0)) <= margin);
}

}  // namespace

TEST_CASE("factors of larger matrices, of batches and of nothing") {
  test::on_each_policy([]<class Policy>() {
    tl::function<of_any_size, Policy> f{of_any_size{}};
    const auto [batches, size] = GENERATE(std::pair{3, 1}, std::pair{2, 2}, std::pair{2, 12},
                                          std::pair{1, 40}, std::pair{0, 3}, std::pair{2, 0});
    const auto count = static_cast<std::size_t>(batches * size * size),
               width = static_cast<std::size_t>(size);
    std::vector<float> x = test::numbers().vector<float>(count, -0.3, 0.3);
    for (std::size_t i = 0; i < count; ++i)
      if (i % (width * width) % (width + 1) == 0) x[i] += 1;
    auto y = f("x"_t = x, "batch"_t = std::int64_t{batches}, "n"_t = std::int64_t{size});
    require_zero(y.template get<"lu">(), 2e-6);
    require_zero(y.template get<"eigh">(), 2e-5);
    require_zero(y.template get<"cholesky">(), 1e-5);
    require_identity(y.template get<"v">(), width, 1e-5);
    require_identity(y.template get<"inverse">(), width, 1e-4);
    require_identity(y.template get<"exp">(), width, 2e-4);
    REQUIRE(y.template get<"det">().size() == static_cast<std::size_t>(batches));
    if (size == 0) CHECK(y.template get<"det">()[0] == 1);
  });
}

TEST_CASE("factors of tall and wide matrices, and of dependent columns") {
  test::on_each_policy([]<class Policy>() {
    tl::function<of_known_size, Policy> f{of_known_size{}};
    const std::vector<double> x = test::numbers().vector(31 * 17);
    auto y = f("x"_t = x);
    require_zero(y.template get<"qr">(), 1e-13);
    require_identity(y.template get<"q">(), 17, 1e-13);
    require_zero(y.template get<"svd">(), 1e-13);
    require_identity(y.template get<"u">(), 17, 1e-13);
    require_identity(y.template get<"vt">(), 17, 1e-13);
    require_zero(y.template get<"low">(), 1e-13);
    require_identity(y.template get<"low_u">(), 17, 1e-13);
    auto low = y.template get<"low_s">();
    for (std::size_t i = 1; i < 17; ++i) CHECK(low[i] <= low[i - 1]);
    CHECK(low[2] > 0.1);
    CHECK(low[3] < 1e-13);
    require_zero(y.template get<"pinv">(), 1e-12);
    require_zero(y.template get<"lu">(), 1e-13);
    require_zero(y.template get<"wide_lu">(), 1e-13);
    require_zero(y.template get<"low_lu">(), 1e-13);
    require_zero(y.template get<"norms">(), 1e-13);
    auto l = y.template get<"l">();
    for (std::size_t i = 0; i < l.size(); ++i)
      CHECK((i % 17 > i / 17 ? l[i] == 0 : i % 17 == i / 17 ? l[i] == 1 : std::abs(l[i]) <= 1));
  });
}

namespace {

/// The derivative of e^a along s e, and its gradient by a, both divided by s.
template <class T>
struct along_large {
  constexpr auto operator()() const {
    auto a = tl::input<"a", T, 2, 2>;
    auto e = tl::input<"e", T, 2, 2>;
    auto s = tl::input<"s", T>;
    auto along = tl::vjp(tl::matrix_exp(a), a, s * e);
    auto curvature = tl::vjp(along, a, tl::constant<T(1)> + 0_c * e);
    return tl::outputs(tl::named<"along">(along / s), tl::named<"curvature">(curvature / s),
                       tl::named<"third">(tl::vjp(curvature, a, e) / s));
  }
};

template <class T>
void check_along_large(double largest) {
  tl::function f{along_large<T>{}};
  const std::vector<T> a{T(0.3), T(-0.2), T(0.1), T(0.4)}, e{1, 1, 1, 1};
  const auto right = f("a"_t = a, "e"_t = e, "s"_t = T(1));
  const std::vector<double> known{1.2664, 1.5541, 1.1367, 1.4055};
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(right.template get<"along">()[i] == test::Approx(known[i]).epsilon(1e-4));
  const auto first = test::elements(right.template get<"along">()),
             second = test::elements(right.template get<"curvature">()),
             third = test::elements(right.template get<"third">());
  for (const double s : {65536.0, 1e6, 1e15, largest}) {
    const auto found = f("a"_t = a, "e"_t = e, "s"_t = static_cast<T>(s));
    const double bound = 100 * static_cast<double>(std::numeric_limits<T>::epsilon());
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(found.template get<"along">()[i] == test::Approx(first[i]).epsilon(bound));
      CHECK(found.template get<"curvature">()[i] == test::Approx(second[i]).epsilon(bound));
      CHECK(found.template get<"third">()[i] == test::Approx(third[i]).epsilon(bound));
    }
  }
}

constexpr auto vectors_and_matrices = [] {
  auto a = tl::input<"a", double, 1, 2, 2>;
  auto b = tl::input<"b", double, 2, 2>;
  return tl::outputs(tl::named<"solve">(tl::solve(a, b)), tl::named<"lstsq">(tl::lstsq(a, b)),
                     tl::named<"vector">(tl::lstsq(a, tl::reshape<2>(tl::slice<0, 0, 1>(b)))));
};

struct of_singular {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, 3, 2, 2>;
    const auto [w, v] = tl::eigh(x);
    const auto [u, s, vt] = tl::svd(x);
    const auto [sign, size] = tl::slogdet(x);
    return tl::outputs(tl::named<"cholesky">(tl::cholesky(x)), tl::named<"inverse">(tl::inverse(x)),
                       tl::named<"det">(tl::det(x)), tl::named<"sign">(sign), tl::named<"size">(size),
                       tl::named<"logdet">(tl::logdet(x)), tl::named<"w">(w), tl::named<"u">(u),
                       tl::named<"s">(s), tl::named<"exp">(tl::matrix_exp(x)), tl::named<"pinv">(tl::pinv(x)),
                       tl::named<"cond">(tl::cond(x, tl::order<1>)), tl::named<"cond_2">(tl::cond(x)),
                       tl::named<"of_w">(tl::grad(tl::sum(w), x)),
                       tl::named<"of_s">(tl::grad(tl::sum(s), x)));
  }
};

}  // namespace

TEST_CASE("the exponential's derivative along large matrices is that along small ones") {
  check_along_large<float>(1e30);
  check_along_large<double>(1e300);
}

TEST_CASE("lstsq and solve agree on what vectors are") {
  tl::function f{vectors_and_matrices};
  const auto y = f("a"_t = std::vector<double>{2, 1, 1, 3}, "b"_t = std::vector<double>{1, 2, 3, 5});
  const std::vector<double> expected{0, 0.2, 1, 1.6};
  REQUIRE(y.get<"lstsq">().size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(y.get<"solve">()[i] == test::Approx(expected[i]).margin(1e-12));
    CHECK(y.get<"lstsq">()[i] == test::Approx(expected[i]).margin(1e-12));
  }
  CHECK(y.get<"vector">()[0] == test::Approx(0.2));
  CHECK(y.get<"vector">()[1] == test::Approx(0.6));
}

TEST_CASE("matrices that are singular, negative or not finite make no exception, and spoil no neighbour") {
  test::on_each_policy([]<class Policy>() {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                     inf = std::numeric_limits<double>::infinity();
    tl::function<of_singular, Policy> f{of_singular{}};
    const std::vector<double> x{1, 2, 2, 4, 0, 1, 1, 0, nan, 0, 0, 1};
    auto y = f("x"_t = x);
    auto cholesky = y.template get<"cholesky">();
    for (std::size_t i = 4; i < 12; ++i) CHECK(std::isnan(cholesky[i]));
    auto inverse = y.template get<"inverse">();
    for (std::size_t i = 0; i < 4; ++i) CHECK(!std::isfinite(inverse[i]));
    CHECK(inverse[4] == 0);
    CHECK(inverse[5] == 1);
    auto det = y.template get<"det">();
    auto sign = y.template get<"sign">();
    auto size = y.template get<"size">();
    CHECK((det[0] == 0 && sign[0] == 0 && size[0] == -inf));
    CHECK((det[1] == -1 && sign[1] == -1 && size[1] == 0));
    auto logdet = y.template get<"logdet">();
    CHECK((logdet[0] == -inf && std::isnan(logdet[1])));
    auto cond = y.template get<"cond">();
    auto cond_2 = y.template get<"cond_2">();
    CHECK((cond[0] == inf && cond[1] == 1 && std::isnan(cond[2])));
    CHECK((cond_2[0] > 1e15 && cond_2[1] == test::Approx(1)));
    auto w = y.template get<"w">();
    auto s = y.template get<"s">();
    auto exp = y.template get<"exp">();
    CHECK(w[0] == test::Approx(0).margin(1e-15));
    CHECK(w[1] == test::Approx(5));
    CHECK((w[2] == test::Approx(-1) && w[3] == test::Approx(1)));
    CHECK((s[2] == test::Approx(1) && s[3] == test::Approx(1)));
    CHECK(exp[4] == test::Approx(std::cosh(1.0)));
    CHECK(y.template get<"pinv">()[3] == test::Approx(4.0 / 25));
    // equal and zero values have right first derivatives, along which the trace and the norm change
    auto of_w = y.template get<"of_w">();
    auto of_s = y.template get<"of_s">();
    CHECK((of_w[0] == test::Approx(1) && of_w[1] == test::Approx(0).margin(1e-15)));
    CHECK((of_s[4] == test::Approx(0).margin(1e-15) && of_s[5] == test::Approx(1)));
    for (std::size_t i = 4; i < 6; ++i) CHECK((std::isnan(w[i]) && std::isnan(s[i])));
    for (std::size_t i = 8; i < 12; ++i) CHECK((std::isnan(exp[i]) && std::isnan(y.template get<"u">()[i])));
    // NaN below a zero
    y = f("x"_t = std::vector<double>{0, 1, nan, 1, 0, 1, nan, 1, 1, 0, 0, 1});
    CHECK(std::isnan(y.template get<"det">()[0]));
    CHECK(std::isnan(y.template get<"sign">()[0]));
    CHECK(std::isnan(y.template get<"size">()[0]));
    CHECK(std::isnan(y.template get<"cond">()[0]));
    CHECK(y.template get<"det">()[2] == 1);
  });
}

namespace {

template <class T>
constexpr auto nearest_rotation = [] {
  auto a = tl::input<"a", T, 3, 3>;
  const auto [u, s, vt] = tl::svd(a);
  auto loss = tl::sum(tl::matmul(u, vt) * tl::input<"w", T, 3, 3>);
  return tl::named<"g">(tl::grad(loss, a));
};

// Of a multiple of a rotation: about the axis (1, 2, 2) / 3, Rodrigues' formula.
template <class T>
void check_nearest_rotation(double angle, double scale, double margin) {
  const double axis[] = {1 / 3.0, 2 / 3.0, 2 / 3.0}, c = std::cos(angle), s = std::sin(angle);
  const double w[3][3] = {{1, 2, 3}, {4, 5, 7}, {6, 8, 10}};
  double r[3][3];
  std::vector<T> a, w_elements;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t k = 3 - i - j;  // the third one, where i and j are not the same
      const double crossed = i == j ? 0 : ((j + 3 - i) % 3 == 1 ? -axis[k] : axis[k]);
      r[i][j] = (i == j ? c : 0) + (1 - c) * axis[i] * axis[j] + s * crossed;
      a.push_back(static_cast<T>(scale * r[i][j]));
      w_elements.push_back(static_cast<T>(w[i][j]));
    }
  static const tl::function f{nearest_rotation<T>};
  const auto g = f("a"_t = a, "w"_t = w_elements).template get<"g">();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double turned = 0;  // r w^T r
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) turned += r[i][k] * w[l][k] * r[l][j];
      INFO("angle " << angle << ", scale " << scale << ", element " << i << ", " << j);
      CHECK(static_cast<double>(g[3 * i + j]) ==
            test::Approx((w[i][j] - turned) / (2 * scale)).epsilon(margin).margin(margin / scale));
    }
}

}  // namespace

TEST_CASE("the nearest rotation has a gradient at rotations, whose singular values are equal") {
  for (const double angle : {0.0, 0.1, 1.0, 2.5})
    for (const double scale : {1.0, 2.0, 1e-3, 300.0}) {
      check_nearest_rotation<double>(angle, scale, 1e-12);
      check_nearest_rotation<float>(angle, scale, 1e-4);
    }
}

namespace {

// Of matrices with the eigenvalues 2, 2 and 5, but for rounding.
template <class T>
constexpr auto of_eigenspaces = [] {
  auto a = tl::input<"a", T, 3, 3>;
  const auto [w, v] = tl::eigh(a);
  const auto plane = tl::slice<1, 0, 2>(v);
  const auto cube = tl::matmul(v * tl::reshape<1, 3>(w * w * w), tl::transpose(v));
  const auto projected = tl::matmul(plane, tl::transpose(plane)) * tl::input<"g", T, 3, 3>;
  const auto of_trace = tl::grad(tl::trace(cube), a);
  return tl::outputs(tl::named<"trace">(of_trace), tl::named<"projection">(tl::grad(tl::sum(projected), a)),
                     tl::named<"norm">(tl::grad(tl::max(tl::abs(w)), a)),
                     tl::named<"second">(tl::grad(tl::sum(of_trace * of_trace), a)));
};

// Of a = 2 + 3 u u^T and p = 1 - u u^T: the slopes are 3 a^2, -(p g u u^T + u u^T g p) / 3 and u u^T.
template <class T>
void check_eigenspaces(const std::array<double, 3>& direction, double margin) {
  const double g[3][3] = {{1, 2, 3}, {2, -5, 7}, {3, 7, 10}};
  const double size = std::hypot(direction[0], direction[1], direction[2]);
  double uu[3][3], a[3][3];
  std::vector<T> elements, weights;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      uu[i][j] = direction[i] * direction[j] / (size * size);
      a[i][j] = 3 * uu[i][j] + (i == j ? 2 : 0);
      elements.push_back(static_cast<T>(a[i][j]));
      weights.push_back(static_cast<T>(g[i][j]));
    }
  static const tl::function f{of_eigenspaces<T>};
  const auto r = f("a"_t = elements, "g"_t = weights);
  const auto near = [&](const auto& view, std::size_t at, double expected) {
    CHECK(static_cast<double>(view[at]) == test::Approx(expected).epsilon(margin).margin(10 * margin));
  };
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double of_trace = 0, of_projection = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        of_trace += 3 * a[i][k] * a[k][j];
        for (std::size_t l = 0; l < 3; ++l) {
          const double left = (i == k ? 1 : 0) - uu[i][k], right = (l == j ? 1 : 0) - uu[l][j];
          of_projection -= (left * g[k][l] * uu[l][j] + uu[i][k] * g[k][l] * right) / 3;
        }
      }
      INFO("direction " << direction[0] << ", element " << i << ", " << j);
      near(r.template get<"trace">(), 3 * i + j, of_trace);
      near(r.template get<"projection">(), 3 * i + j, of_projection);
      near(r.template get<"norm">(), 3 * i + j, uu[i][j]);
      CHECK(std::isfinite(r.template get<"second">()[3 * i + j]));
    }
}

}  // namespace

TEST_CASE("what depends on no basis of an eigenspace has a gradient where eigenvalues are equal") {
  test::numbers random;
  for (int i = 0; i < 20; ++i) {
    const std::vector<double> u = random.vector(3);
    check_eigenspaces<double>({u[0], u[1], u[2]}, 1e-12);
    check_eigenspaces<float>({u[0], u[1], u[2]}, 1e-4);
  }
  check_eigenspaces<double>({0, 0, 1}, 1e-12);  // exactly equal
}
