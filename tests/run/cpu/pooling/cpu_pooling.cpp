// SPDX-License-Identifier: BSL-1.0
// Poolings and what their gradients take, against plain loops: windows that overlap, leave gaps, or reach
// into the padding; ties and NaN; threads.
#include <tapeless/run/cpu/pooling/cpu_pooling.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "thread_shares.hpp"

namespace k = tapeless::cpu_kernels;
using tapeless::pooling_arguments;
using tapeless::pooling_kind;

namespace {

/// f(image's element, position) for all elements of windows that are inside the image.
template <class F>
void for_each_pair(const pooling_arguments& c, F f) {
  for (std::int64_t plane = 0; plane < c.batch * c.channels; ++plane)
    for (std::int64_t p = 0; p < c.positions[0]; ++p)
      for (std::int64_t q = 0; q < c.positions[1]; ++q)
        for (std::int64_t i = 0; i < c.kernel[0]; ++i)
          for (std::int64_t j = 0; j < c.kernel[1]; ++j) {
            const std::int64_t row = p * c.stride[0] + i - c.padding[0],
                               column = q * c.stride[1] + j - c.padding[1];
            if (row < 0 || row >= c.image[0] || column < 0 || column >= c.image[1]) continue;
            f(static_cast<std::size_t>((plane * c.image[0] + row) * c.image[1] + column),
              static_cast<std::size_t>((plane * c.positions[0] + p) * c.positions[1] + q));
          }
}

pooling_arguments any_pooling(std::mt19937& random) {
  const auto to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
  };
  pooling_arguments c{.counts_padding = to(2) == 0, .batch = 1 + to(3), .channels = 1 + to(4)};
  for (int d = 0; d < 2; ++d) {
    c.kernel[d] = 1 + to(4);
    c.stride[d] = 1 + to(4);
    c.padding[d] = to(c.kernel[d] / 2 + 1);
    c.image[d] = c.kernel[d] + to(60);
    c.positions[d] = (c.image[d] + 2 * c.padding[d] - c.kernel[d]) / c.stride[d] + 1;
  }
  return c;
}

template <class T>
std::byte* bytes(std::vector<T>& all) {
  return reinterpret_cast<std::byte*>(all.data());
}

template <class T>
class pooling {
 public:
  explicit pooling(const pooling_arguments& c) : c_(c) {
    std::mt19937 random(3);
    x_ = numbers(random, c.image[0] * c.image[1]);
    v_ = numbers(random, c.image[0] * c.image[1]);
    y_ = numbers(random, c.positions[0] * c.positions[1]);
    s_ = numbers(random, c.positions[0] * c.positions[1]);
  }

  void compare(int threads) {
    INFO("image " << c_.image[0] << " by " << c_.image[1] << ", kernel " << c_.kernel[0] << " by "
                  << c_.kernel[1] << ", stride " << c_.stride[0] << " by " << c_.stride[1] << ", padding "
                  << c_.padding[0] << " by " << c_.padding[1] << ", " << threads << " threads");
    threads_ = threads;
    const std::size_t images = x_.size(), positions = y_.size();

    std::vector<double> most(positions, -std::numeric_limits<double>::infinity()), sums(positions),
        counts(positions);
    for_each_pair(c_, [&](std::size_t x, std::size_t p) {
      most[p] = std::max(most[p], number(x_[x]));
      sums[p] += number(v_[x]);
      ++counts[p];
    });
    for (double& count : counts)
      if (c_.counts_padding) count = static_cast<double>(c_.kernel[0] * c_.kernel[1]);
    std::vector<T> largest = run<pooling_kind::largest>(positions, {&x_});
    CHECK(wrong(largest, most) == 0);

    std::vector<double> ties(positions), tied(positions), shared(images), spread(images);
    for_each_pair(c_, [&](std::size_t x, std::size_t p) {
      const bool ties_here = number(x_[x]) == number(largest[p]);
      ties[p] += ties_here;
      tied[p] += ties_here ? number(v_[x]) : 0;
      shared[x] += ties_here ? number(s_[p]) : 0;
      spread[x] += number(s_[p]) / counts[p];
    });
    for (std::size_t p = 0; p < positions; ++p) sums[p] /= counts[p];
    CHECK(wrong(run<pooling_kind::tied>(positions, {&x_, &largest}), ties) == 0);
    CHECK(wrong(run<pooling_kind::tied>(positions, {&x_, &largest, &v_}), tied) == 0);
    CHECK(wrong(run<pooling_kind::shared>(images, {&x_, &largest, &s_}), shared) == 0);
    CHECK(wrong(run<pooling_kind::mean>(positions, {&v_}), sums) == 0);
    CHECK(wrong(run<pooling_kind::spread>(images, {&s_}), spread) == 0);
  }

 private:
  pooling_arguments c_;
  int threads_ = 1;
  std::vector<T> x_, v_, y_, s_;

  std::vector<T> numbers(std::mt19937& random, std::int64_t of_plane) const {
    std::vector<T> all(static_cast<std::size_t>(c_.batch * c_.channels * of_plane));
    for (T& one : all) one = static_cast<T>(static_cast<float>(static_cast<int>(random() % 9) - 4));
    return all;
  }
  static constexpr bool is_half = sizeof(T) == 2;
  static double number(T x) {
    if constexpr (is_half) {
      return static_cast<double>(static_cast<float>(x));
    } else {
      return static_cast<double>(x);
    }
  }

  template <pooling_kind Computes>
  std::vector<T> run(std::size_t count, std::vector<std::vector<T>*> sources) {
    std::vector<T> target(count, static_cast<T>(NAN));
    pooling_arguments c = c_;
    c.computes = Computes;
    c.sources = static_cast<int>(sources.size());
    for (std::size_t s = 0; s < sources.size(); ++s) c.source[s] = bytes(*sources[s]);
    c.target = bytes(target);
    const test::smallest_shares shares;
    k::thread_team team(threads_);
    team.reserve_workspace(k::workspace_bytes<{Computes, tapeless::element_of<T>}>(c), threads_);
    k::pool<T, Computes>(c, team);
    return target;
  }
  static std::size_t wrong(const std::vector<T>& result, const std::vector<double>& expected) {
    std::size_t count = 0;
    const double bound = is_half ? 0x1p-7 : 4 * static_cast<double>(std::numeric_limits<T>::epsilon());
    for (std::size_t i = 0; i < result.size(); ++i)
      count += !(std::abs(number(result[i]) - expected[i]) <= bound * std::max(1.0, std::abs(expected[i])));
    return count;
  }
};

}  // namespace

TEST_CASE("poolings of any windows are what their definition says") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 60; ++trial) pooling<float>(any_pooling(random)).compare(1 + trial % 3);
}

TEST_CASE("poolings in double and in 16 bits are what their definition says") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 4; ++trial) {
    pooling<double>(any_pooling(random)).compare(1);
    pooling<tapeless::bf16>(any_pooling(random)).compare(2);
  }
}

TEST_CASE("poolings by tiles of 2 by 2 are what their definition says, whether rows fill vectors or not") {
  for (std::int64_t columns = 2; columns < 72; columns += columns < 20 ? 1 : 7)
    for (const std::int64_t rows : {4, 5}) {  // of the last one no window has an element
      pooling_arguments c{.batch = columns < 10 ? 12 : 2, .channels = 3};
      for (int d = 0; d < 2; ++d) {
        c.image[d] = d == 0 ? rows : columns;
        c.kernel[d] = c.stride[d] = 2;
        c.positions[d] = c.image[d] / 2;
      }
      pooling<float>(c).compare(1 + static_cast<int>(columns % 2));
      pooling<double>(c).compare(1);
    }
}

TEST_CASE("poolings by windows that share no element are what their definition says, with gaps and without") {
  std::mt19937 random(17);
  for (int trial = 0; trial < 40; ++trial) {
    pooling_arguments c = any_pooling(random);
    for (int d = 0; d < 2; ++d) {
      c.kernel[d] = 2 + d + static_cast<std::int64_t>(random() % (trial % 8 == 0 ? 40 : 6));
      c.stride[d] = c.kernel[d] + static_cast<std::int64_t>(random() % 3) / 2;
      c.padding[d] = 0;
      c.image[d] = c.kernel[d] + static_cast<std::int64_t>(random() % 90);
      c.positions[d] = (c.image[d] - c.kernel[d]) / c.stride[d] + 1;
    }
    REQUIRE(k::are_apart(c));
    pooling<float>(c).compare(1 + trial % 3);
    pooling<double>(c).compare(1);
  }
}

TEMPLATE_TEST_CASE("the largest element of a window with NaN is NaN, wherever it is", "", float, double) {
  const std::int64_t columns = 21;
  for (std::size_t nan = 0; nan < 4 * columns; ++nan) {
    std::vector<TestType> x(4 * columns, TestType(1)), y(columns);
    x[nan] = static_cast<TestType>(NAN);
    pooling_arguments c{.batch = 1, .channels = 1, .sources = 1};
    for (int d = 0; d < 2; ++d) {
      c.image[d] = d == 0 ? 2 : 2 * columns;
      c.kernel[d] = c.stride[d] = 2;
      c.positions[d] = c.image[d] / 2;
    }
    c.source[0] = bytes(x);
    c.target = bytes(y);
    k::thread_team team(1);
    team.reserve_workspace(k::workspace_bytes<{pooling_kind::largest, tapeless::element_of<TestType>}>(c), 1);
    k::pool<TestType, pooling_kind::largest>(c, team);
    for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::isnan(y[i]) == (i == nan % (2 * columns) / 2));
  }
}
