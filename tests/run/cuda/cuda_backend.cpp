// SPDX-License-Identifier: BSL-1.0
// Indices and prefix sums on a device: the same bits whatever order its threads run in, in memory that is
// there before a step.
#include "models.hpp"

namespace {

/// Rows added to those of a table by their indices, and sums along an axis.
constexpr auto indexed = [] {
  auto x = tl::input<"x", float, test::batch, 3>;
  auto index = tl::input<"index", std::int32_t, test::batch>;
  auto rows = tl::expand<test::batch, 3>(tl::reshape<test::batch, 1>(index));
  return tl::outputs(tl::named<"added">(tl::scatter_add<0>(tl::input<"start", float, 5, 3>, rows, x)),
                     tl::named<"summed">(tl::cumsum<0>(x)));
};

constexpr std::size_t rows = 5000;

struct given {
  std::vector<float> x = test::numbers(2).vector<float>(3 * rows), start = std::vector<float>(15);
  std::vector<std::int32_t> index;
  given() {
    test::numbers random(3);
    for (std::size_t i = 0; i < rows; ++i) index.push_back(static_cast<std::int32_t>(random(0, 5)));
  }
};

template <class F>
std::vector<double> outcome(F& f, const given& g) {
  auto r = f("x"_t = g.x, "index"_t = g.index, "start"_t = g.start);
  std::vector<double> all = test::elements(r.template get<"added">());
  const auto summed = test::elements(r.template get<"summed">());
  all.insert(all.end(), summed.begin(), summed.end());
  return all;
}

}  // namespace

TEST_CASE("sums by an index and along an axis have the same bits in every order") {
  const given g;
  tl::function on_host{indexed, tl::thrust_host{}};
  const std::vector<double> expected = outcome(on_host, g);
  test::gpu gpu(test::each_order());
  tl::function f{indexed, tl::cuda{}};
  CHECK(outcome(f, g) == expected);
  const int before = gpu.calls("cudaMalloc");
  CHECK(outcome(f, g) == expected);
  CHECK(gpu.calls("cudaMalloc") == before);
}

TEST_CASE("a call that finds no memory on the device can be made again") {
  const given g;
  tl::function on_host{indexed, tl::thrust_host{}};
  const std::vector<double> expected = outcome(on_host, g);
  int failures = 0;
  for (bool fails = true; fails;) {
    test::gpu gpu;
    tl::function f{indexed, tl::cuda{}};
    gpu.fail("cudaMalloc", ++failures, cudaErrorMemoryAllocation);
    fails = false;
    try {
      outcome(f, g);
    } catch (const tl::error& e) {
      CHECK_THAT(e.what(), test::contains("out of memory"));
      fails = true;
    }
    CHECK(outcome(f, g) == expected);
  }
  CHECK(failures > 3);  // the arena, the memory for sorting, and two for inputs
}
