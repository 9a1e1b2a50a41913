// SPDX-License-Identifier: BSL-1.0
// Sums along an axis are the CPU's: of short lines, of long ones, and of lines in pieces; from both ends.
#include <tapeless/run/gpu/kernels/prefix_scan_kernel.hpp>

#include "run/gpu/both.hpp"

namespace {

constexpr auto rows = tl::dyn<"rows">;
constexpr auto columns = tl::dyn<"columns">;

template <class T>
struct sums_so_far {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, rows, columns>;
    return tl::outputs(tl::named<"along">(tl::cumsum<1>(x)), tl::named<"down">(tl::cumsum<0>(x)));
  }
};

/// The gradient adds up from the end.
struct sums_from_the_end {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, rows, columns>;
    return tl::outputs(tl::named<"along">(tl::grad(tl::sum(tl::square(tl::cumsum<1>(x))), x)),
                       tl::named<"down">(tl::grad(tl::sum(tl::square(tl::cumsum<0>(x))), x)));
  }
};

template <class Model, class T>
double most_differing(int r, int c) {
  static test::both<Model> f;
  const auto x = test::numbers(4).vector<T>(test::count(r, c), -9, 9);
  return f.template differ<"along", "down">("x"_t = x, "rows"_t = std::int64_t{r},
                                            "columns"_t = std::int64_t{c});
}

}  // namespace

TEST_CASE("cumsum: lines of any length, along each axis") {
  for (const auto& [r, c] : {std::pair(0, 5), std::pair(1, 1), std::pair(3, 32), std::pair(3, 33),
                             std::pair(5, 255), std::pair(2, 256), std::pair(2, 257), std::pair(7, 4096),
                             std::pair(2, 4097), std::pair(1, 100000), std::pair(3, 20001)}) {
    INFO(r << " x " << c);
    CHECK(most_differing<sums_so_far<double>, double>(r, c) <= 1e-14 * 9 * (r + c));
    CHECK(most_differing<sums_so_far<double>, double>(c, r) <= 1e-14 * 9 * (r + c));
    CHECK(most_differing<sums_so_far<std::int32_t>, std::int32_t>(r, c) == 0);
    CHECK(most_differing<sums_from_the_end, double>(r, c) <= 1e-13 * 9 * (r + c) * (r + c));
  }
}

TEST_CASE("cumsum: lines without number are summed by one thread each") {
  CHECK(most_differing<sums_so_far<double>, double>(40, 70000) <= 1e-9);
}

TEST_CASE("cumsum: a long sum of float keeps its digits") {
  tl::function<sums_so_far<float>, tl::thrust_host> f{sums_so_far<float>{}};
  const std::vector<float> x(3000000, 0.1f);
  const auto r = f("x"_t = x, "rows"_t = 1, "columns"_t = 3000000);
  const auto y = r.get<"along">();
  for (const std::size_t i : {std::size_t{0}, std::size_t{5000}, std::size_t{1234567}, std::size_t{2999999}})
    CHECK(y[i] == test::Approx(static_cast<double>(0.1f) * static_cast<double>(i + 1)).epsilon(1e-7));
}

TEST_CASE("cumsum: what is infinite or no number stays behind where it is") {
  tl::function<sums_so_far<double>, tl::thrust_host> f{sums_so_far<double>{}};
  std::vector<double> x(10000, 1);
  x[5000] = tl::infinity;
  x[9000] = -tl::infinity;
  const auto r = f("x"_t = x, "rows"_t = 1, "columns"_t = 10000);
  const auto y = r.get<"along">();
  CHECK(y[4999] == 5000);
  CHECK(y[5000] == tl::infinity);
  CHECK(y[8999] == tl::infinity);
  CHECK(std::isnan(y[9000]));
}
