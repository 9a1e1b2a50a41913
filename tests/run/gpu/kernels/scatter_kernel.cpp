// SPDX-License-Identifier: BSL-1.0
// What an index adds up is what the CPU adds up: along short axes and long ones, in any shape.
#include <tapeless/ops/indexing/scatter_reduce.hpp>
#include <tapeless/run/gpu/kernels/scatter_kernel.hpp>

#include "run/gpu/both.hpp"

namespace {

constexpr auto count = tl::dyn<"count">;

/// Rows of a table that are seen under one index each, as an embedding's gradient has them.
template <class T>
struct rows {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, count, 3>;
    auto index = tl::input<"index", std::int32_t, count>;
    auto start = tl::input<"start", T, 50, 3>;
    return tl::outputs(
        tl::named<"y">(tl::scatter_add<0>(start, tl::expand<count, 3>(tl::reshape<count, 1>(index)), x)));
  }
};

/// Each element has an index of its own, along a middle axis.
struct elements {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, 2, count, 3>;
    auto index = tl::input<"index", std::int64_t, 2, count, 3>;
    return tl::outputs(tl::named<"y">(tl::scatter_add<1>(tl::input<"start", double, 2, 7, 3>, index, x)));
  }
};

/// Of rows that one index each brings to a table, and of elements that each have one.
template <class T, tl::reduce By>
struct extremes {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, count, 3>;
    auto index = tl::input<"index", std::int32_t, count>;
    auto start = tl::input<"start", T, 50, 3>;
    auto rows = tl::expand<count, 3>(tl::reshape<count, 1>(index));
    return tl::outputs(
        tl::named<"y">(tl::scatter_reduce<0, By>(start, rows, x)),
        tl::named<"line">(tl::scatter_reduce<0, By>(tl::reshape<150>(start), tl::reshape<-1>(rows + 9_c),
                                                    tl::reshape<-1>(x), tl::exclude_self)));
  }
};

/// Only indices that are computed are not checked before the run.
struct computed {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, count, 3>;
    auto index = tl::cast<std::int32_t>(tl::input<"index", float, count>);
    auto start = tl::input<"start", float, 50, 3>;
    return tl::outputs(
        tl::named<"y">(tl::scatter_add<0>(start, tl::expand<count, 3>(tl::reshape<count, 1>(index)), x)));
  }
};

template <class T>
struct added {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, 6, 4>;
    auto index = tl::input<"index", std::int64_t, 6>;
    auto start = tl::input<"start", T, 3, 4>;
    return tl::outputs(
        tl::named<"y">(tl::scatter_add<0>(start, tl::expand<6, 4>(tl::reshape<6, 1>(index)), x)));
  }
};

std::vector<std::int32_t> indices(int n, int different) {
  std::vector<std::int32_t> all;
  test::numbers random(3);
  for (int i = 0; i < n; ++i) all.push_back(static_cast<std::int32_t>(random(0, different)));
  return all;
}

template <class T>
double rows_differ(int n, int different) {
  static test::both<rows<T>> f;
  const auto x = test::numbers(4).vector<T>(test::count(n, 3), -9, 9);
  return f.template differ<"y">("x"_t = x, "index"_t = indices(n, different),
                                "start"_t = std::vector<T>(150, T(1)));
}

template <class T>
void check_added() {
  test::both<added<T>> f;
  std::vector<T> x, start(12, T(1));
  for (int i = 0; i < 24; ++i) x.push_back(static_cast<T>(i));
  const std::vector<std::int64_t> index{2, 0, 2, 2, 0, 2};
  CHECK(f.template differ<"y">("x"_t = x, "start"_t = start, "index"_t = index) == 0);
}

constexpr int counts[] = {1, 2, 64, 65, 100, 128, 129, 1000, 1024, 1025, 5000};

}  // namespace

TEST_CASE("scatter_add: several elements are added to one, in all types") {
  check_added<float>();
  check_added<double>();
  check_added<tl::bf16>();
  check_added<std::int32_t>();
}

TEST_CASE("scatter_add: few and many rows go to one place, or to many") {
  for (const int n : counts)
    for (const int different : {1, 2, 50}) {
      INFO(n << " rows to " << different);
      CHECK(rows_differ<double>(n, different) <= 1e-15 * 9 * n);
      CHECK(rows_differ<std::int32_t>(n, different) == 0);
    }
}

TEST_CASE("scatter_reduce: the largest and the smallest of few and of many") {
  test::both<extremes<float, tl::reduce::amax>> largest;
  test::both<extremes<std::int32_t, tl::reduce::amin>> smallest;
  for (const int n : counts)
    for (const int different : {1, 2, 50}) {
      INFO(n << " rows to " << different);
      const auto check = [&]<class T>(auto& f, T start) {
        const auto x = test::numbers(4).vector<T>(test::count(n, 3), -9, 9);
        const std::vector<T> table(150, start);
        const auto index = indices(n, different);
        CHECK(f.template differ<"y">("x"_t = x, "index"_t = index, "start"_t = table) == 0);
        CHECK(f.template differ<"line">("x"_t = x, "index"_t = index, "start"_t = table) == 0);
      };
      check(largest, 8.5f);
      check(smallest, -8);
    }
}

TEST_CASE("scatter_add: a long sum of float loses less than one element after the other would") {
  tl::function<rows<float>, tl::thrust_host> f{rows<float>{}};
  const std::vector<float> x(3 * 1000000, 0.1f), start(150);
  const auto r = f("x"_t = x, "index"_t = std::vector<std::int32_t>(1000000, 7), "start"_t = start);
  CHECK(r.get<"y">()[7 * 3] == test::Approx(100000).epsilon(5e-5));
}

TEST_CASE("scatter_add: elements with an index each") {
  test::both<elements> f;
  for (const int n : counts) {
    INFO(n << " along the axis");
    const auto size = test::count(n, 6);
    std::vector<std::int64_t> index;
    for (const std::int32_t i : indices(static_cast<int>(size), 7)) index.push_back(i);
    CHECK(f.differ<"y">("x"_t = test::numbers(5).vector(size), "index"_t = index,
                        "start"_t = std::vector<double>(42)) <= 1e-15 * n);
  }
}

TEST_CASE("scatter_add: an index out of range is reported, along short axes and long ones") {
  tl::function<computed, tl::thrust_host> f{computed{}};
  for (const std::size_t n : {std::size_t{10}, std::size_t{2000}}) {
    const std::vector<float> x(3 * n, 1), start(150);
    std::vector<float> index(n, 3);
    CHECK(f("x"_t = x, "index"_t = index, "start"_t = start).get<"y">()[9] == static_cast<float>(n));
    index[n / 2] = 50;
    CHECK_THROWS_WITH(f("x"_t = x, "index"_t = index, "start"_t = start),
                      "tapeless: an index is 50, but must be from 0 to below 50");
    index[n / 2] = -1;
    CHECK_THROWS_WITH(f("x"_t = x, "index"_t = index, "start"_t = start), test::contains("an index is -1"));
    index[n / 2] = 4;
    CHECK(f("x"_t = x, "index"_t = index, "start"_t = start).get<"y">()[9] == static_cast<float>(n - 1));
  }
}
