// SPDX-License-Identifier: BSL-1.0
// Convolutions and their transposes against plain loops: strides, dilations, paddings, groups, blocks of
// images and of rows, threads.
#include <tapeless/run/cpu/convolution/cpu_convolution.hpp>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "catch.hpp"
#include "convolution_sums.hpp"
#include "thread_shares.hpp"

namespace k = tapeless::cpu_kernels;
using tapeless::convolution_arguments;
using tapeless::convolution_part;

namespace {

using extents = test::convolution_extents;
template <class T>
using tensors = test::convolution_tensors<T>;
using test::arguments_of;
using test::for_each_product;
using test::text_of;

/// On so many threads, however small it is, in workspaces that are full of NaN.
template <class T, convolution_part Part>
void convolve(const convolution_arguments& c, int threads) {
  const test::smallest_shares shares;
  k::thread_team team(threads);
  const std::int64_t bytes = k::workspace_bytes<{Part, tapeless::element_of<T>}>(c, team);
  team.reserve_workspace(bytes, k::threads_of(c, team));
  for (int part = 0; part < k::threads_of(c, team); ++part)
    std::memset(team.workspace(part), 0xff, static_cast<std::size_t>(bytes));
  k::convolve<T, Part>(c, team);
}

/// Whole numbers: sums are exact, whatever their order.
template <class T, convolution_part Part>
void compare(convolution_arguments c, int threads) {
  INFO(text_of(c) << ", part " << static_cast<int>(Part) << ", " << threads << " threads");
  c.computes = Part;
  tensors<T> all(c);
  auto& result = Part == convolution_part::x ? all.x : Part == convolution_part::y ? all.y : all.weight;
  // By pointers, and converted before: under sanitizers millions of products are most of what this test
  // takes.
  std::vector<double> expected(result.size(), 0.0);
  const auto converted = [](const std::vector<T>& v) {
    std::vector<double> all_of_it;
    for (const T& one : v) all_of_it.push_back(static_cast<double>(static_cast<float>(one)));
    return all_of_it;
  };
  const std::vector<double> xs = converted(all.x), weights = converted(all.weight), ys = converted(all.y);
  for_each_product(c, [x = xs.data(), weight = weights.data(), y = ys.data(), sum = expected.data()](
                          std::int64_t at_x, std::int64_t at_weight, std::int64_t at_y) {
    if constexpr (Part == convolution_part::y) sum[at_y] += x[at_x] * weight[at_weight];
    if constexpr (Part == convolution_part::x) sum[at_x] += y[at_y] * weight[at_weight];
    if constexpr (Part == convolution_part::weight) sum[at_weight] += x[at_x] * y[at_y];
  });
  std::fill(result.begin(), result.end(), static_cast<T>(NAN));
  c.x = reinterpret_cast<std::byte*>(all.x.data());
  c.weight = reinterpret_cast<std::byte*>(all.weight.data());
  c.y = reinterpret_cast<std::byte*>(all.y.data());
  convolve<T, Part>(c, threads);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < result.size(); ++i)
    wrong +=
        static_cast<float>(result[i]) != static_cast<float>(static_cast<T>(static_cast<float>(expected[i])));
  CHECK(wrong == 0);
}

template <class T>
void compare_all(const convolution_arguments& c, int threads) {
  compare<T, convolution_part::y>(c, threads);
  compare<T, convolution_part::x>(c, threads);
  compare<T, convolution_part::weight>(c, threads);
}

/// Numbers whose sums are rounded: only the same order of additions gives the same bits.
template <class T, convolution_part Part>
void compare_threads(convolution_arguments c) {
  c.computes = Part;
  tensors<T> all(c);
  for (std::vector<T>* v : {&all.x, &all.weight, &all.y})
    for (T& number : *v) number = static_cast<T>(static_cast<float>(number) / 3);
  auto& result = Part == convolution_part::x ? all.x : Part == convolution_part::y ? all.y : all.weight;
  c.x = reinterpret_cast<std::byte*>(all.x.data());
  c.weight = reinterpret_cast<std::byte*>(all.weight.data());
  c.y = reinterpret_cast<std::byte*>(all.y.data());
  convolve<T, Part>(c, 1);
  const std::vector<T> expected = result;
  for (const int threads : {2, 3, 5, 16}) {
    INFO(text_of(c) << ", part " << static_cast<int>(Part) << ", " << threads << " threads");
    std::fill(result.begin(), result.end(), static_cast<T>(NAN));
    convolve<T, Part>(c, threads);
    CHECK(std::memcmp(result.data(), expected.data(), result.size() * sizeof(T)) == 0);
  }
}

template <convolution_part Part>
void check_workspace_is_of_blocks() {
  const k::thread_team team(1);
  const auto bytes_of = [&](int batch) {
    auto c = arguments_of({batch, 1, 1, 8, {28, 28}, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
    c.computes = Part;
    return k::workspace_bytes<{Part, tapeless::element::f32}>(c, team);
  };
  CHECK(bytes_of(4000) <= bytes_of(500));
}

}  // namespace

TEST_CASE("convolutions give the same bits on any number of threads") {
  const auto compare = [](const extents& e) {
    const convolution_arguments c = arguments_of(e);
    compare_threads<float, convolution_part::y>(c);
    compare_threads<float, convolution_part::x>(c);
    compare_threads<float, convolution_part::weight>(c);
  };
  compare({7, 1, 1, 6, {28, 28}, {5, 5}, {1, 1}, {1, 1}, {2, 2}});
  compare({33, 1, 6, 16, {14, 14}, {5, 5}, {1, 1}, {1, 1}, {0, 0}});
  compare({1, 1, 16, 13, {30, 50}, {3, 3}, {2, 2}, {1, 1}, {1, 1}});
  compare({2, 5, 10, 15, {9, 8}, {3, 2}, {1, 2}, {2, 1}, {1, 1}});
  compare({3, 1, 37, 48, {11, 9}, {3, 3}, {2, 1}, {1, 1}, {1, 1}});
  compare({1, 1, 80, 16, {2, 3}, {2, 2}, {1, 1}, {1, 1}, {0, 0}});
  compare({45, 1, 8, 16, {14, 14}, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  compare({6, 3, 24, 36, {9, 8}, {3, 2}, {1, 1}, {1, 1}, {1, 0}});
  compare({2, 40, 160, 160, {6, 5}, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  compare({9, 1, 1, 40, {20, 21}, {3, 5}, {1, 2}, {1, 1}, {1, 1}});
  compare({4, 1, 3, 40, {20, 41}, {3, 7}, {1, 2}, {1, 1}, {1, 1}});
}

TEST_CASE("convolutions of any windows are their sums") {
  std::mt19937 random(7);
  const auto to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
  };
  for (int trial = 0; trial < 150; ++trial) {
    const std::int64_t groups = 1 + to(3);
    extents e{1 + to(4), groups, groups * (1 + to(4)), groups * (1 + to(11)), {}, {}, {}, {}, {}};
    for (int d = 0; d < 2; ++d) {
      e.kernel[d] = 1 + to(4);
      e.stride[d] = 1 + to(3);
      e.dilation[d] = 1 + to(3);
      e.padding[d] = to(4);
      e.image[d] =
          std::max<std::int64_t>(1, e.dilation[d] * (e.kernel[d] - 1) + 1 - 2 * e.padding[d]) + to(20);
    }
    compare_all<float>(arguments_of(e), 1 + trial % 3);
  }
}

TEST_CASE("convolutions of many channels are their sums, whether these fill vectors or not") {
  std::mt19937 random(11);
  const auto to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
  };
  for (int trial = 0; trial < 40; ++trial) {
    const std::int64_t groups = 1 + trial / 30;
    extents e{1 + to(3), groups, groups * (4 + to(36)), groups * (4 + to(46)), {}, {}, {}, {}, {}};
    for (int d = 0; d < 2; ++d) {
      e.kernel[d] = 1 + to(3);
      e.stride[d] = 1 + to(2);
      e.dilation[d] = 1 + to(2);
      e.padding[d] = to(3);
      e.image[d] =
          std::max<std::int64_t>(1, e.dilation[d] * (e.kernel[d] - 1) + 1 - 2 * e.padding[d]) + to(9);
    }
    compare_all<float>(arguments_of(e), 1 + trial % 7);
  }
  compare_all<double>(arguments_of({2, 1, 12, 24, {7, 6}, {3, 3}, {1, 2}, {1, 1}, {1, 1}}), 2);
  compare_all<tapeless::bf16>(arguments_of({2, 1, 20, 32, {7, 6}, {3, 3}, {1, 2}, {1, 1}, {1, 1}}), 1);
}

// Rows of windows, of less channels than a run has numbers.
TEST_CASE("weights of few channels get their gradients") {
  std::mt19937 random(13);
  const auto to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
  };
  int in_rows = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const std::int64_t groups = 1 + trial / 30;
    extents e{2 + to(3), groups, groups * (1 + to(3)), groups * (8 + to(40)), {}, {}, {}, {}, {}};
    for (int d = 0; d < 2; ++d) {
      e.kernel[d] = 1 + to(d == 0 ? 4 : 8);
      e.stride[d] = 1 + to(4);
      e.dilation[d] = d == 0 ? 1 + to(2) : 1;
      e.padding[d] = to(4);
      e.image[d] =
          std::max<std::int64_t>(1, e.dilation[d] * (e.kernel[d] - 1) + 1 - 2 * e.padding[d]) + 8 + to(24);
    }
    convolution_arguments c = arguments_of(e);
    compare<float, convolution_part::weight>(c, 1 + trial % 7);
    c.computes = convolution_part::weight;
    const k::convolution_geometry g(c);
    in_rows += k::suits_channel_lanes<float>(g, c.computes) && k::packed_source::packs_rows(g) ? 1 : 0;
  }
  CHECK(in_rows >= (k::packet_size<float> > 1 ? 5 : 0));
  compare<double, convolution_part::weight>(
      arguments_of({2, 1, 1, 24, {17, 26}, {3, 3}, {1, 2}, {1, 1}, {1, 1}}), 2);
  compare<tapeless::bf16, convolution_part::weight>(
      arguments_of({2, 1, 1, 32, {17, 26}, {3, 3}, {1, 2}, {1, 1}, {1, 1}}), 1);
}

TEST_CASE("images that are larger than a block, and many small ones, are convolved in blocks") {
  compare_all<float>(arguments_of({2, 1, 40, 3, {60, 50}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}), 2);
  compare_all<float>(arguments_of({2, 1, 60, 2, {70, 40}, {3, 2}, {2, 2}, {1, 1}, {1, 0}}), 1);
  compare_all<float>(arguments_of({90, 1, 16, 20, {7, 7}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}), 2);
  compare_all<float>(arguments_of({1, 1, 8, 24, {30, 30}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}), 3);
  compare_all<float>(arguments_of({1, 1, 1, 24, {170, 150}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}), 3);
  compare_all<float>(arguments_of({70, 1, 1, 24, {17, 15}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}), 3);
  compare_all<float>(arguments_of({1, 1, 50, 16, {60, 49}, {2, 2}, {1, 1}, {1, 1}, {0, 0}}), 1);
}

TEST_CASE("convolutions in double and in 16 bits are their sums") {
  const extents e{3, 1, 4, 9, {13, 11}, {3, 3}, {1, 2}, {1, 1}, {1, 1}};
  compare_all<double>(arguments_of(e), 1);
  compare_all<tapeless::bf16>(arguments_of(e), 1);
  compare_all<tapeless::f16>(arguments_of({2, 4, 4, 4, {9, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}), 1);
}

TEST_CASE("a batch of no images gives no elements, and weights no gradient") {
  compare_all<float>(arguments_of({0, 1, 2, 3, {5, 5}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}), 2);
  compare_all<float>(arguments_of({0, 1, 16, 16, {5, 5}, {3, 3}, {1, 1}, {1, 1}, {1, 1}}), 2);
}

TEST_CASE("a workspace has room for a block, however many images there are") {
  check_workspace_is_of_blocks<convolution_part::x>();
  check_workspace_is_of_blocks<convolution_part::y>();
  check_workspace_is_of_blocks<convolution_part::weight>();
}
