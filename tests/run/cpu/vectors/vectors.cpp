// SPDX-License-Identifier: BSL-1.0
// The vector functions against the standard library's, one number at a time, NaN and infinity included.
#include "catch.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <tapeless/ops/base/scalar.hpp>
#include <tapeless/run/cpu/vectors/conditions.hpp>
#include <tapeless/run/cpu/vectors/valid_lanes.hpp>
#include <tapeless/run/cpu/vectors/vectors.hpp>

namespace k = tapeless::cpu_kernels;

namespace {

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T nan = std::numeric_limits<T>::quiet_NaN();

// Ordinary numbers from small to large, and those that are none.
template <class T>
std::vector<T> numbers() {
  std::vector<T> all{T(0), -T(0), infinity<T>, -infinity<T>, nan<T>};
  for (double x = 1e-4; x < 900; x *= 1.37) {
    all.push_back(static_cast<T>(x));
    all.push_back(static_cast<T>(-x));
  }
  while (all.size() % k::packet_size<T> != 0) all.push_back(T(1));
  return all;
}

// Zeros of two signs differ, however many steps are allowed.
template <class T>
bool same(T a, T b, T tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return a != T(0) || std::signbit(a) == std::signbit(b);
  return b != T(0) && std::abs(a - b) <= tolerance * std::max(T(1e-30), std::abs(b));
}

template <class T, class Vector, class Scalar>
void compare(Vector vector, Scalar scalar, double steps) {
  const T tolerance = static_cast<T>(steps) * std::numeric_limits<T>::epsilon();
  const std::vector<T> all = numbers<T>();
  std::vector<T> result(all.size());
  for (std::size_t i = 0; i < all.size(); i += k::packet_size<T>)
    k::store(&result[i], vector(k::load(&all[i])));
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO("of " << all[i] << ": " << result[i] << ", expected " << scalar(all[i]));
    CHECK(same(result[i], scalar(all[i]), tolerance));
  }
}

template <class T, class Vector, class Scalar>
void compare_two(Vector vector, Scalar scalar, double steps = 0) {
  const T tolerance = static_cast<T>(steps) * std::numeric_limits<T>::epsilon();
  const std::vector<T> all = numbers<T>();
  std::array<T, k::packet_size<T>> result;
  for (std::size_t i = 0; i < all.size(); i += k::packet_size<T>)
    for (const T other : {all[i], T(0), -T(0), T(1), T(-3), nan<T>, infinity<T>, -infinity<T>}) {
      k::store(result.data(), vector(k::load(&all[i]), k::splat(other)));
      for (std::size_t j = 0; j < result.size(); ++j) {
        INFO(all[i + j] << " and " << other << ": " << result[j] << ", expected "
                        << scalar(all[i + j], other));
        CHECK(same(result[j], scalar(all[i + j], other), tolerance));
      }
    }
}

}  // namespace

#define COMPARE(F, SCALAR, STEPS)                                                            \
  SECTION(#F) {                                                                              \
    compare<TestType>([](auto x) { return F(x); }, [](auto x) { return SCALAR(x); }, STEPS); \
  }

TEMPLATE_TEST_CASE("vector functions are the standard library's", "", float, double) {
  using k::abs, k::sqrt, k::exp, k::log, k::tanh, k::sin, k::cos, k::tan, k::erf, k::floor, k::ceil, k::log1p,
      k::expm1;
  COMPARE(abs, std::abs, 0)
  COMPARE(sqrt, std::sqrt, 2)
  COMPARE(floor, std::floor, 0)
  COMPARE(ceil, std::ceil, 0)
  COMPARE(exp, std::exp, 4)
  COMPARE(log, std::log, 4)
  COMPARE(expm1, std::expm1, 4)
  COMPARE(log1p, std::log1p, 4)
  COMPARE(erf, std::erf, 4)
  COMPARE(k::erfc, std::erfc, 4)
  COMPARE(tan, std::tan, 4)
  COMPARE(k::exp2, std::exp2, 4)
  COMPARE(k::log2, std::log2, 4)
  COMPARE(k::asin, std::asin, 4)
  COMPARE(k::acos, std::acos, 4)
  COMPARE(k::atan, std::atan, 4)
  COMPARE(k::sinh, std::sinh, 4)
  COMPARE(k::cosh, std::cosh, 4)
  COMPARE(k::nearbyint, std::nearbyint, 0)
  COMPARE(k::trunc, std::trunc, 0)
  COMPARE(tanh, std::tanh, 4)
  COMPARE(k::positive_part, tapeless::positive_part, 0)
  COMPARE(k::sign_of, tapeless::sign_of, 0)
  COMPARE(-, -, 0)
}

// Near a zero far from the origin only the absolute error is small.
TEMPLATE_TEST_CASE("sine and cosine are the standard library's", "", float, double) {
  const TestType margin = 4 * std::numeric_limits<TestType>::epsilon();
  std::array<TestType, k::packet_size<TestType>> sine, cosine;
  for (const TestType x : numbers<TestType>()) {
    k::store(sine.data(), k::sin(k::splat(x)));
    k::store(cosine.data(), k::cos(k::splat(x)));
    INFO(x << ": " << sine[0] << " " << cosine[0]);
    CHECK((std::isnan(std::sin(x)) ? std::isnan(sine[0]) : std::abs(sine[0] - std::sin(x)) <= margin));
    CHECK((std::isnan(std::cos(x)) ? std::isnan(cosine[0]) : std::abs(cosine[0] - std::cos(x)) <= margin));
  }
}

TEMPLATE_TEST_CASE("vector arithmetic is the numbers' own", "", float, double) {
  compare_two<TestType>([](auto a, auto b) { return a + b; }, [](auto a, auto b) { return a + b; });
  compare_two<TestType>([](auto a, auto b) { return a - b; }, [](auto a, auto b) { return a - b; });
  compare_two<TestType>([](auto a, auto b) { return a * b; }, [](auto a, auto b) { return a * b; });
  compare_two<TestType>([](auto a, auto b) { return a / b; }, [](auto a, auto b) { return a / b; });
  compare_two<TestType>([](auto a, auto b) { return k::pow(a, b); },
                        [](auto a, auto b) { return std::pow(a, b); }, 4);
  compare_two<TestType>([](auto a, auto b) { return k::atan2(a, b); },
                        [](auto a, auto b) { return std::atan2(a, b); }, 4);
  compare_two<TestType>([](auto a, auto b) { return k::remainder_of(a, b); },
                        [](auto a, auto b) { return tapeless::remainder_of(a, b); });
}

// Whatever stands next to a number, and wherever it stands, it gives the same bits.
#define CHECK_PLACES(F)                                             \
  SECTION(#F) {                                                     \
    constexpr std::size_t width = k::packet_size<TestType>;         \
    const std::vector<TestType> all = numbers<TestType>();          \
    std::array<TestType, width> among, alone;                       \
    for (std::size_t i = 0; i < all.size(); i += width) {           \
      k::store(among.data(), F(k::load(&all[i])));                  \
      for (std::size_t j = 0; j < width; ++j) {                     \
        k::store(alone.data(), F(k::splat(all[i + j])));            \
        INFO(all[i + j]);                                           \
        CHECK(same(among[j], alone[(j + 1) % width], TestType(0))); \
      }                                                             \
    }                                                               \
  }

TEMPLATE_TEST_CASE("a number's result does not depend on its place", "", float, double) {
  const auto power = [](auto x) { return k::pow(x, k::splat(TestType(1.7))); };
  const auto rest = [](auto x) { return k::remainder_of(x, k::splat(TestType(1e-5))); };
  CHECK_PLACES(k::exp)
  CHECK_PLACES(k::log)
  CHECK_PLACES(k::log1p)
  CHECK_PLACES(k::sin)
  CHECK_PLACES(k::cos)
  CHECK_PLACES(k::tan)
  CHECK_PLACES(k::erf)
  CHECK_PLACES(power)
  CHECK_PLACES(rest)
}

TEMPLATE_TEST_CASE("the larger and the smaller one are as for numbers", "", float, double) {
  compare_two<TestType>([](auto a, auto b) { return k::larger(a, b); },
                        [](auto a, auto b) { return tapeless::larger(a, b); });
  compare_two<TestType>([](auto a, auto b) { return k::smaller(a, b); },
                        [](auto a, auto b) { return tapeless::smaller(a, b); });
}

TEMPLATE_TEST_CASE("numbers where others are equal", "", float, double) {
  compare_two<TestType>([](auto a, auto b) { return k::where_equal(a, b, k::splat(TestType(3))); },
                        [](auto a, auto b) { return a == b ? TestType(3) : TestType(0); });
}

#define COMPARE_CONDITION(...)                                                                        \
  {                                                                                                   \
    const auto condition = [](auto a, auto b) { return __VA_ARGS__; };                                \
    const auto as_number = [&](auto a, auto b) { return condition(a, b) ? one : zero; };              \
    compare_two<TestType>([&](auto a, auto b) { return k::as_numbers(condition(a, b)); }, as_number); \
    compare_two<TestType>(                                                                            \
        [&](auto a, auto b) { return k::choose(condition(a, b), k::splat(one), k::splat(zero)); },    \
        as_number);                                                                                   \
  }

TEMPLATE_TEST_CASE("conditions are as for numbers", "", float, double) {
  const TestType one = 1, zero = 0;
  COMPARE_CONDITION(a < b)
  COMPARE_CONDITION(a <= b)
  COMPARE_CONDITION(a > b)
  COMPARE_CONDITION(a >= b)
  COMPARE_CONDITION(a == b)
  COMPARE_CONDITION(a != b)
  COMPARE_CONDITION(!(a < b))
  COMPARE_CONDITION(a < b && a == a)
  COMPARE_CONDITION(a < b || b != b)
}

TEMPLATE_TEST_CASE("vectors are read and written contiguously and by a stride", "", float, double) {
  constexpr int width = k::packet_size<TestType>;
  std::vector<TestType> from(3 * width + 1), to(3 * width + 1, -1);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<TestType>(i);

  k::store(to.data() + 1, k::load(from.data() + 1));
  CHECK(to[0] == -1);
  CHECK(to[width] == width);
  CHECK(to[width + 1] == -1);

  k::store(to.data(), 3, k::load(from.data(), 3));
  for (std::size_t i = 0; i < width; ++i) CHECK(to[3 * i] == from[3 * i]);
}

TEMPLATE_TEST_CASE("of valid lanes nothing else is read or written, where memory can be masked", "", float,
                   double) {
  constexpr std::int64_t width = k::packet_size<TestType>;
  for (std::int64_t count = k::masks_memory<TestType> ? 1 : width; count <= width; ++count) {
    INFO(count);
    const k::valid_lanes<TestType> lanes(count);
    std::array<TestType, width> from, to, read;
    for (std::size_t i = 0; i < width; ++i) from[i] = static_cast<TestType>(i + 1), to[i] = -1;
    k::store(read.data(), k::load(from.data(), lanes));
    k::store(to.data(), k::load(from.data()), lanes);
    for (std::int64_t i = 0; i < width; ++i) {
      const auto j = static_cast<std::size_t>(i);
      CHECK(read[j] == (i < count ? from[j] : 0));
      CHECK(to[j] == (i < count ? from[j] : -1));
    }
  }
}

TEMPLATE_TEST_CASE("counted numbers are rounded once, on both sides of what is exact", "", float, double) {
  constexpr std::size_t width = k::packet_size<TestType>;
  constexpr std::int64_t exact = std::int64_t{1} << std::numeric_limits<TestType>::digits;
  for (const std::int64_t first : {std::int64_t{0}, std::int64_t{5}, exact - 3, exact + 1, 3 * exact + 7})
    for (const std::int64_t step : {0, 1, 3, -1}) {
      std::array<TestType, width> numbers;
      k::store(numbers.data(), k::counted<TestType>(first, step));
      for (std::size_t i = 0; i < width; ++i)
        CHECK(numbers[i] == static_cast<TestType>(first + static_cast<std::int64_t>(i) * step));
    }
}

TEMPLATE_TEST_CASE("conditions are read and written contiguously and by a stride", "", float, double) {
  constexpr std::size_t width = k::packet_size<TestType>;
  std::array<bool, 3 * width> from, to;
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = i % 3 == 1 || i % 4 == 0, to[i] = true;
  k::store(to.data() + 1, k::load_conditions<TestType>(from.data() + 1));
  for (std::size_t i = 0; i < to.size(); ++i) CHECK(to[i] == (i >= 1 && i <= width ? from[i] : true));
  to.fill(true);
  k::store(to.data(), 3, k::load_conditions<TestType>(from.data(), 3));
  for (std::size_t i = 0; i < to.size(); ++i) CHECK(to[i] == (i % 3 == 0 ? from[i] : true));
  for (const bool all : {false, true}) {
    std::array<TestType, width> numbers;
    k::store(numbers.data(), k::as_numbers(k::splat_condition<TestType>(all)));
    for (const TestType one : numbers) CHECK(one == (all ? 1 : 0));
  }
}
