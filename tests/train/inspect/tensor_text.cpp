// SPDX-License-Identifier: BSL-1.0
// What std::cout shows of results, parameters and copies.
#include <tapeless/tapeless.hpp>

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

namespace {

using namespace tl::literals;

template <class T>
std::string shown(const std::vector<T>& elements, const std::vector<std::int64_t>& shape) {
  return tl::to_text(tl::tensor_copy<T>(elements.data(), shape));
}

}  // namespace

TEST_CASE("a number, a row, a matrix, matrices") {
  CHECK(shown<float>({0.1f}, {}) == "0.1");
  CHECK(shown<float>({1, -0.25f, 1e-9f}, {3}) == "[    1, -0.25, 1e-09]");
  CHECK(shown<double>({1, 20, 300, 4.5, 0.001, -6}, {2, 3}) ==
        "[[    1,    20,   300],\n"
        " [  4.5, 0.001,    -6]]");
  CHECK(shown<std::int32_t>({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}) ==
        "[[[1, 2],\n"
        "  [3, 4]],\n"
        "\n"
        " [[5, 6],\n"
        "  [7, 8]]]");
}

TEST_CASE("elements of all kinds") {
  using limits = std::numeric_limits<float>;
  CHECK(shown<float>({limits::quiet_NaN(), -limits::infinity(), -0.0f}, {3}) == "[ nan, -inf,   -0]");
  CHECK(shown<std::int8_t>({-128, 65}, {2}) == "[-128,   65]");
  CHECK(shown<std::uint8_t>({255, 65}, {2}) == "[255,  65]");
  CHECK(shown<std::int64_t>({9007199254740993}, {1}) == "[9007199254740993]");
  CHECK(shown<tl::bf16>({tl::bf16(1.5f)}, {1, 1}) == "[[1.5]]");
  CHECK(shown<tl::f16>({tl::f16(0.5f)}, {}) == "0.5");
  const bool yes_and_no[] = {true, false};
  const std::int64_t two[] = {2};
  CHECK(tl::to_text(tl::tensor_copy<bool>(yes_and_no, two)) == "[ true, false]");
}

TEST_CASE("nothing at all") {
  CHECK(shown<float>({}, {0}) == "[]");
  CHECK(shown<float>({}, {2, 0}) == "[[],\n []]");
  CHECK(shown<float>({}, {0, 2}) == "[]");
}

TEST_CASE("of many elements long axes show their ends") {
  std::vector<std::int32_t> all(1001);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
  CHECK(shown(all, {1001}) == "[   0,    1,    2, ...,  998,  999, 1000]");
  CHECK(shown(all, {143, 7}) ==
        "[[   0,    1,    2, ...,    4,    5,    6],\n"
        " [   7,    8,    9, ...,   11,   12,   13],\n"
        " [  14,   15,   16, ...,   18,   19,   20],\n"
        " ...,\n"
        " [ 980,  981,  982, ...,  984,  985,  986],\n"
        " [ 987,  988,  989, ...,  991,  992,  993],\n"
        " [ 994,  995,  996, ...,  998,  999, 1000]]");
  const std::string sixes = shown(std::vector<std::int32_t>(1296, 5), {6, 6, 6, 6});  // no axis is long
  CHECK(sixes.find("...") == std::string::npos);
  all.resize(1000);
  CHECK(shown(all, {1000}).find("...") == std::string::npos);
}

TEST_CASE("views are shown by std::ostream") {
  tl::trainer net{[] {
                    auto x = tl::input<"x", float, 2, 3>;
                    auto w = tl::param<"w", float, 3>(tl::fill(0.5));
                    return tl::outputs(tl::mean(x * w), tl::named<"y">(2_c * x));
                  },
                  tl::sgd({.learning_rate = 0.1f})};
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  std::ostringstream text;
  const auto result = net.predict("x"_t = x);
  text << net.parameter<"w">() << " and " << result.get<"y">();
  for (const auto& p : net.parameters()) text << ", " << p.name() << ' ' << p << ' ' << p.copy();
  CHECK(text.str() ==
        "[0.5, 0.5, 0.5] and [[ 2,  4,  6],\n [ 8, 10, 12]], w [0.5, 0.5, 0.5] [0.5, 0.5, 0.5]");
  const auto stale = net.predict("x"_t = x);
  net.predict("x"_t = x);
  CHECK_THROWS_AS(text << stale.get<"y">(), tl::error);
}
