// SPDX-License-Identifier: BSL-1.0
// How exact the element functions are, over all numbers of their type: the errors that docs/accuracy.md
// promises, in units of the last place (ulp) of the result, or of the smallest subnormal number where the
// result is smaller. Every 4,099th of all patterns of float is compared with double, some of double with long
// double; on the CPU by vectors and, next to integers, one by one, and on thrust_host.
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <tapeless/ops/activation/celu.hpp>
#include <tapeless/ops/pointwise/acosh.hpp>
#include <tapeless/ops/pointwise/asinh.hpp>
#include <tapeless/ops/pointwise/atanh.hpp>

namespace {

constexpr auto n = tl::dyn<"n">;

/// All functions of x, and of x and y, as outputs; next to integers where Mixed, so that the CPU computes
/// them one by one.
template <class T, bool Mixed>
struct element_functions {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n>;
    auto y = tl::input<"y", T, n>;
    auto zero = tl::input<"zero", std::int32_t, n>;
    const auto next_to_integers = [=](auto number, auto result) {
      if constexpr (Mixed) return tl::where(zero < number, result, x);
      if constexpr (!Mixed) return result;
    };
    return tl::outputs(
        tl::named<"exp">(next_to_integers(tl::constant<1>, tl::exp(x))),
        tl::named<"exp2">(next_to_integers(tl::constant<2>, tl::exp2(x))),
        tl::named<"expm1">(next_to_integers(tl::constant<3>, tl::expm1(x))),
        tl::named<"log">(next_to_integers(tl::constant<4>, tl::log(x))),
        tl::named<"log2">(next_to_integers(tl::constant<5>, tl::log2(x))),
        tl::named<"log1p">(next_to_integers(tl::constant<6>, tl::log1p(x))),
        tl::named<"sin">(next_to_integers(tl::constant<7>, tl::sin(x))),
        tl::named<"cos">(next_to_integers(tl::constant<8>, tl::cos(x))),
        tl::named<"tan">(next_to_integers(tl::constant<9>, tl::tan(x))),
        tl::named<"asin">(next_to_integers(tl::constant<10>, tl::asin(x))),
        tl::named<"acos">(next_to_integers(tl::constant<11>, tl::acos(x))),
        tl::named<"atan">(next_to_integers(tl::constant<12>, tl::atan(x))),
        tl::named<"sinh">(next_to_integers(tl::constant<13>, tl::sinh(x))),
        tl::named<"cosh">(next_to_integers(tl::constant<14>, tl::cosh(x))),
        tl::named<"tanh">(next_to_integers(tl::constant<15>, tl::tanh(x))),
        tl::named<"erf">(next_to_integers(tl::constant<16>, tl::erf(x))),
        tl::named<"normal_cdf">(next_to_integers(tl::constant<17>, tl::make<tl::normal_cdf_operation>(x))),
        tl::named<"sigmoid">(next_to_integers(tl::constant<18>, tl::sigmoid(x))),
        tl::named<"softplus">(next_to_integers(tl::constant<19>, tl::softplus(x))),
        tl::named<"silu">(next_to_integers(tl::constant<20>, tl::silu(x))),
        tl::named<"gelu">(next_to_integers(tl::constant<21>, tl::gelu(x))),
        tl::named<"gelu_tanh">(next_to_integers(tl::constant<22>, tl::gelu<tl::approximation::tanh>(x))),
        tl::named<"mish">(next_to_integers(tl::constant<23>, tl::mish(x))),
        tl::named<"elu">(next_to_integers(tl::constant<24>, tl::elu(x))),
        tl::named<"celu">(next_to_integers(tl::constant<25>, tl::celu(x))),
        tl::named<"selu">(next_to_integers(tl::constant<26>, tl::selu(x))),
        tl::named<"sqrt">(next_to_integers(tl::constant<27>, tl::sqrt(x))),
        tl::named<"rsqrt">(next_to_integers(tl::constant<28>, tl::rsqrt(x))),
        tl::named<"recip">(next_to_integers(tl::constant<29>, tl::recip(x))),
        tl::named<"pow">(next_to_integers(tl::constant<30>, tl::pow(x, y))),
        tl::named<"atan2">(next_to_integers(tl::constant<31>, tl::atan2(x, y))),
        tl::named<"fmod">(next_to_integers(tl::constant<32>, tl::fmod(x, y))),
        tl::named<"round">(next_to_integers(tl::constant<33>, tl::round(x))),
        tl::named<"asinh">(next_to_integers(tl::constant<34>, tl::asinh(x))),
        tl::named<"acosh">(next_to_integers(tl::constant<35>, tl::acosh(x))),
        tl::named<"atanh">(next_to_integers(tl::constant<36>, tl::atanh(x))));
  }
};

template <class R>
R logistic(R x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
/// x times a factor that is 0 at -infinity.
template <class R>
R gated(R x, R factor) {
  return factor == 0 ? R(0) : x * factor;
}
template <class R>
R gelu_tanh(R x) {
  const R root = std::sqrt(2 / std::acos(R(-1))), cubic = R(44715) / 1000000;
  return gated(x, logistic(2 * root * (x + cubic * x * x * x)));
}
template <class R>
R mish(R x) {
  const R power = std::exp(std::min(x, R(100))), product = power * (power + 2);
  return x != x ? x : gated(x, product / (product + 2));
}
template <class R>
R normal_cdf(R x) {
  return std::erfc(-x / std::sqrt(R(2))) / 2;
}
template <class R>
R elu(R x) {
  return x > 0 ? x : std::expm1(x);
}
template <class R>
R selu(R x) {
  const R scale = static_cast<R>(1.0507009873554804934193349852946L);
  const R alpha = static_cast<R>(1.6732632423543772848170429916717L);
  return x > 0 ? scale * x : scale * alpha * std::expm1(x);
}

/// A function's name, what it is, and its bounds for float and double.
template <class R>
struct reference {
  std::string_view name;
  R (*function)(R x, R y);
  double most_float, most_double;
};

// The 20 of gelu are units of the smallest subnormal number, where the probability alone is subnormal.
template <class R>
constexpr reference<R> references[] = {
    {"exp", [](R x, R) { return std::exp(x); }, 2, 2},
    {"exp2", [](R x, R) { return std::exp2(x); }, 2, 2},
    {"expm1", [](R x, R) { return std::expm1(x); }, 2, 2},
    {"log", [](R x, R) { return std::log(x); }, 2, 2},
    {"log2", [](R x, R) { return std::log2(x); }, 2, 2},
    {"log1p", [](R x, R) { return std::log1p(x); }, 2, 2},
    {"sin", [](R x, R) { return std::sin(x); }, 3, 1},
    {"cos", [](R x, R) { return std::cos(x); }, 3, 1},
    {"tan", [](R x, R) { return std::tan(x); }, 3, 3},
    {"asin", [](R x, R) { return std::asin(x); }, 3, 3},
    {"acos", [](R x, R) { return std::acos(x); }, 2, 2},
    {"atan", [](R x, R) { return std::atan(x); }, 3, 3},
    {"sinh", [](R x, R) { return std::sinh(x); }, 2, 2},
    {"cosh", [](R x, R) { return std::cosh(x); }, 2, 2},
    {"tanh", [](R x, R) { return std::tanh(x); }, 4, 3},
    {"erf", [](R x, R) { return std::erf(x); }, 3, 2},
    {"normal_cdf", [](R x, R) { return normal_cdf(x); }, 4, 5},
    {"sigmoid", [](R x, R) { return logistic(x); }, 3, 3},
    {"softplus", [](R x, R) { return std::max(x, R(0)) + std::log1p(std::exp(-std::abs(x))); }, 2, 3},
    {"silu", [](R x, R) { return gated(x, logistic(x)); }, 4, 4},
    {"gelu", [](R x, R) { return gated(x, normal_cdf(x)); }, 4, 20},
    {"gelu_tanh", [](R x, R) { return gelu_tanh(x); }, 4, 4},
    {"mish", [](R x, R) { return mish(x); }, 4, 4},
    {"elu", [](R x, R) { return elu(x); }, 1, 2},
    {"celu", [](R x, R) { return elu(x); }, 1, 2},
    {"selu", [](R x, R) { return selu(x); }, 3, 3},
    {"sqrt", [](R x, R) { return std::sqrt(x); }, 1, 1},
    {"rsqrt", [](R x, R) { return 1 / std::sqrt(x); }, 2, 2},
    {"recip", [](R x, R) { return 1 / x; }, 1, 1},
    {"pow", [](R x, R y) { return std::pow(x, y); }, 2, 2},
    {"atan2", [](R x, R y) { return std::atan2(x, y); }, 2, 3},
    {"fmod", [](R x, R y) { return std::fmod(x, y); }, 0, 0},
    {"round", [](R x, R) { return std::nearbyint(x); }, 0, 0},
    {"asinh", [](R x, R) { return std::asinh(x); }, 2, 2},
    {"acosh", [](R x, R) { return std::acosh(x); }, 2, 3},
    {"atanh", [](R x, R) { return std::atanh(x); }, 3, 3},
};

/// How far off a result is, in units of its last place; infinity counts as the first power of 2 that is too
/// large.
template <class T, class R>
double error_of(T found, R expected) {
  if (std::isnan(found) || std::isnan(expected))
    return std::isnan(found) && std::isnan(expected) ? 0 : INFINITY;
  using limits = std::numeric_limits<T>;
  const R end = std::ldexp(R(1), limits::max_exponent);
  const R a = std::clamp<R>(found, -end, end), b = std::clamp<R>(expected, -end, end);
  int exponent = 0;
  std::frexp(b, &exponent);
  exponent = std::clamp(exponent, limits::min_exponent, limits::max_exponent) - limits::digits;
  return static_cast<double>(std::abs(a - b) / std::ldexp(R(1), exponent));
}

template <class T, class Bits>
T number_of_pattern(Bits pattern) {
  T x;
  static_assert(sizeof(x) == sizeof(pattern));
  std::memcpy(&x, &pattern, sizeof(x));
  return x;
}

std::vector<float> patterns_of_float() {
  std::vector<float> all;
  for (std::uint64_t i = 0; i < std::uint64_t{1} << 32; i += 4099)
    all.push_back(number_of_pattern<float>(static_cast<std::uint32_t>(i)));
  for (const float x :
       {0.f, 1.f, -1.f, FLT_MAX, -FLT_MAX, FLT_MIN, -FLT_MIN, 1e-45f, -1e-45f, INFINITY, -INFINITY})
    all.push_back(x);
  return all;
}
std::vector<double> patterns_of_double() {
  std::vector<double> all{0.,       1.,     -1.,     DBL_MAX,  -DBL_MAX, DBL_MIN,
                          -DBL_MIN, 5e-324, -5e-324, INFINITY, -INFINITY};
  for (std::uint64_t i = 0; i < 100000; ++i) all.push_back(number_of_pattern<double>(i * 184467440737095ull));
  test::numbers next;
  for (const double end : {750., 40., 2.})
    for (int i = 0; i < 50000; ++i) all.push_back(next(-end, end) * (1 + next(-1e-8, 1e-8)));
  return all;
}

constexpr std::size_t function_count = std::size(references<double>);
using errors = std::array<double, function_count>;

template <class R, bool Mixed, class Policy, class T>
errors measure(const std::vector<T>& x) {
  std::vector<T> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i * 7919 % x.size()];
  const std::vector<std::int32_t> zero(x.size());
  tl::function<element_functions<T, Mixed>, Policy> f{element_functions<T, Mixed>{}};
  auto r = [&] {
    if constexpr (Mixed) return f("x"_t = x, "y"_t = y, "zero"_t = zero);
    if constexpr (!Mixed) return f("x"_t = x, "y"_t = y);
  }();
  errors all{};
  std::size_t k = 0;
  const auto judge = [&](const auto& found) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const R a = x[i], b = y[i];
      const double error = error_of(static_cast<T>(found[i]), references<R>[k].function(a, b));
      if (error > all[k]) all[k] = error;
    }
    ++k;
  };
  judge(r.template get<"exp">()), judge(r.template get<"exp2">()), judge(r.template get<"expm1">());
  judge(r.template get<"log">()), judge(r.template get<"log2">()), judge(r.template get<"log1p">());
  judge(r.template get<"sin">()), judge(r.template get<"cos">()), judge(r.template get<"tan">());
  judge(r.template get<"asin">()), judge(r.template get<"acos">()), judge(r.template get<"atan">());
  judge(r.template get<"sinh">()), judge(r.template get<"cosh">()), judge(r.template get<"tanh">());
  judge(r.template get<"erf">()), judge(r.template get<"normal_cdf">()), judge(r.template get<"sigmoid">());
  judge(r.template get<"softplus">()), judge(r.template get<"silu">()), judge(r.template get<"gelu">());
  judge(r.template get<"gelu_tanh">()), judge(r.template get<"mish">()), judge(r.template get<"elu">());
  judge(r.template get<"celu">()), judge(r.template get<"selu">()), judge(r.template get<"sqrt">());
  judge(r.template get<"rsqrt">()), judge(r.template get<"recip">()), judge(r.template get<"pow">());
  judge(r.template get<"atan2">()), judge(r.template get<"fmod">()), judge(r.template get<"round">());
  judge(r.template get<"asinh">()), judge(r.template get<"acosh">()), judge(r.template get<"atanh">());
  CHECK(k == function_count);
  return all;
}

template <class R, class T>
void check_all(const std::vector<T>& x) {
  const errors vectors = measure<R, false, tl::cpu>(x), one_by_one = measure<R, true, tl::cpu>(x);
#ifdef TAPELESS_HAS_THRUST
  const errors kernels = measure<R, false, tl::thrust_host>(x);
#else
  const errors kernels{};
#endif
  constexpr bool is_float = std::is_same_v<T, float>;
  std::printf("%-12s %8s %8s %8s %8s\n", is_float ? "float" : "double", "vectors", "single", "kernels",
              "bound");
  for (std::size_t k = 0; k < function_count; ++k) {
    const double bound = is_float ? references<R>[k].most_float : references<R>[k].most_double;
    std::printf("%-12s %8.3g %8.3g %8.3g %8g\n", references<R>[k].name.data(), vectors[k], one_by_one[k],
                kernels[k], bound);
    INFO(references<R>[k].name);
    CHECK(vectors[k] <= bound);
    CHECK(one_by_one[k] <= bound);
    CHECK(kernels[k] <= bound);
  }
}

#ifdef TAPELESS_ACCURACY_TABLE
/// A row of the table in docs/accuracy.md.
std::string row_of(const reference<double>& f) {
  std::ostringstream row;
  row << "| `" << f.name << "` | " << f.most_float << " | " << f.most_double << " |";
  return row.str();
}
#endif

}  // namespace

TEST_CASE("functions of float are right within the bounds, from end to end") {
  check_all<double>(patterns_of_float());
}

#if LDBL_MANT_DIG >= 64
TEST_CASE("functions of double are right within the bounds, where they were looked at") {
  check_all<long double>(patterns_of_double());
}
#endif

#ifdef TAPELESS_ACCURACY_TABLE
TEST_CASE("docs/accuracy.md has these bounds") {
  std::ifstream file(TAPELESS_ACCURACY_TABLE);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const auto& f : references<double>) {
    INFO("expected " << row_of(f));
    CHECK(text.find(row_of(f) + "\n") != std::string::npos);
  }
}
#endif
