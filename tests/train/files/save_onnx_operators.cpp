// SPDX-License-Identifier: BSL-1.0
// save_onnx: what ONNX calls otherwise, or has for other types, which tests/onnx/check.py runs by
// onnxruntime.
#include <tapeless/onnx.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "onnx/exported.hpp"
#include "onnx/read.hpp"
#include "program.hpp"

using test::exported;

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr auto length = tl::dyn<"length">;

// What ONNX has under another name, or for other types: orders, determinants, bits that are moved.
constexpr auto said_otherwise = [] {
  auto x = tl::input<"x", float, 3, 5>;
  auto i = tl::input<"i", std::int32_t, 8>;
  auto by = tl::input<"by", std::int32_t, 8>;
  auto l = tl::cast<std::int64_t>(i) * 3'000'000'000_c;
  auto far = tl::cast<std::int64_t>(by) * 2_c;
  auto u = tl::cast<std::uint8_t>(tl::bitwise_and(i, 255_c));
  auto v = tl::cast<std::uint8_t>(tl::abs(by));
  auto matrices = tl::reshape<2, 3, 3>(tl::input<"a", float, 18>);
  auto down = tl::sort<0>(x, tl::descending);
  return tl::outputs(
      tl::named<"order">(tl::argsort(x)), tl::named<"down">(down.values), tl::named<"from">(down.indices),
      tl::named<"whole">(tl::argsort(i)), tl::named<"half">(tl::argsort(tl::cast<tl::bf16>(x))),
      tl::named<"top">(tl::topk<2>(x).values), tl::named<"chosen">(tl::masked_select<6>(x, x > 0_c)),
      tl::named<"by_x">(tl::grad(tl::sum(tl::square(tl::sort(x).values)), x)),
      tl::named<"det">(tl::det(matrices)), tl::named<"left">(tl::bitwise_left_shift(i, by)),
      tl::named<"right">(tl::bitwise_right_shift(i, by)),
      tl::named<"far_left">(tl::bitwise_left_shift(l, far)),
      tl::named<"far_right">(tl::bitwise_right_shift(l, far)),
      tl::named<"bytes_left">(tl::bitwise_left_shift(u, v)),
      tl::named<"bytes_right">(tl::bitwise_right_shift(u, v)));
};

// Lines and signals of run-time extents.
constexpr auto of_any_length = [] {
  auto x = tl::input<"x", float, batch, length>;
  auto z = tl::rfft(x);
  return tl::outputs(tl::named<"order">(tl::argsort<0>(x)), tl::named<"back">(tl::irfft(z)));
};

// Elements of other types.
constexpr auto kinds = [] {
  auto i = tl::input<"i", std::int32_t, 2, 3>;
  auto l = tl::input<"l", std::int64_t, 2, 3>;
  auto b = tl::input<"b", bool, 2, 3>;
  auto d = tl::input<"d", double, 2, 3>;
  return tl::outputs(
      tl::named<"sum">(tl::sum<1>(i * i - 3_c)), tl::named<"quotient">(i / 2_c),
      tl::named<"mod">(tl::fmod(l, 3_c)), tl::named<"most">(tl::max<0>(l)), tl::named<"any">(tl::any<1>(b)),
      tl::named<"all">(tl::all<0>(b || i > 1_c)), tl::named<"chosen">(tl::where(b, i > 0_c, !b)),
      tl::named<"numbers">(tl::where(b, tl::cast<double>(i), d)), tl::named<"norm">(tl::layer_norm(d)),
      tl::named<"cast">(tl::cast<std::int64_t>(d * 2_c)), tl::named<"flag">(tl::cast<float>(b)),
      tl::named<"product">(tl::matmul(d, tl::transpose(d))),
      tl::named<"angle">(tl::atan2(tl::cast<float>(d), tl::sin(tl::cast<float>(d)))),
      tl::named<"truncated">(tl::trunc(3_c * d)), tl::named<"padded">(tl::pad<1, 1, 0>(l)),
      tl::named<"largest">(tl::scatter_reduce<1, tl::reduce::amax>(d, tl::remainder(i, 3_c), d)),
      tl::named<"smallest">(
          tl::scatter_reduce<0, tl::reduce::amin>(l, tl::remainder(i, 2_c), l, tl::exclude_self)));
};

// Divisors that processors end a program at.
template <class T>
constexpr auto divided = [] {
  auto a = tl::input<"a", T, 6>;
  auto b = tl::input<"b", T, 6>;
  return tl::outputs(tl::named<"quotient">(a / b), tl::named<"fmod">(tl::fmod(a, b)),
                     tl::named<"remainder">(tl::remainder(a, b)),
                     tl::named<"floor_divide">(tl::floor_divide(a, b)), tl::named<"by_none">(a / 0_c),
                     tl::named<"by_two">(a / 2_c), tl::named<"rest_of_two">(tl::fmod(a, 2_c)));
};

// Two extents that are joined.
constexpr auto of_two_lengths = [] {
  auto x = tl::input<"x", float, batch, length, 2>;
  return tl::outputs(tl::named<"flat">(tl::flatten(x)), tl::named<"lines">(tl::flatten<0, 1>(x)));
};

constexpr auto angles = [] {
  return tl::outputs(tl::named<"angle">(tl::atan2(tl::input<"y", float, 16>, tl::input<"x", float, 16>)));
};

// Derivatives by the largest of what the body makes, which is read again backwards.
constexpr auto largest_in_loop = [] {
  auto x = tl::input<"x", float, 3, 4>;
  auto [last, largest] = tl::scan(
      [](auto h, auto now) {
        auto p = tl::softmax(h + now);
        return tl::pack(p, tl::max<0>(p) + tl::max<0>(tl::layer_norm(now + p)));
      },
      tl::input<"z", float, 4>, x);
  return tl::outputs(tl::named<"gradient">(tl::grad(tl::sum(largest), x)));
};

}  // namespace

TEST_CASE("orders, determinants and shifts") {
  const tl::function f{said_otherwise};
  exported file("said_otherwise");
  tl::save_onnx(f, file.path());
  const test::onnx_file written(file.path());
  CHECK(written.count("Det") == 1);
  CHECK(written.count("TopK") == 6);  // equal orders are one
  CHECK(written.count("BitShift") == 6);
  const std::vector<float> x = {1, -2, 1, 0, 1, 2, 2, -2, 0, -3, 1, 1, 5, 0, 5};  // many are equal
  const std::vector<std::int32_t> i = {1, -1, 77, -78, 2'000'000'000, -2'147'483'648, 200, 5},
                                  by = {3, 5, 31, 1, 2, 31, -1, 40};
  const auto a = test::numbers(3).vector<float>(18);
  file.input("x", x, {3, 5});
  file.input("i", i, {8});
  file.input("by", by, {8});
  file.input("a", a, {18});
  file.outputs(f, f("x"_t = x, "i"_t = i, "by"_t = by, "a"_t = a));
}

namespace {

template <class T>
void divide(const std::string& name, const std::vector<T>& a, const std::vector<T>& b) {
  const tl::function f{divided<T>};
  exported file(name);
  tl::save_onnx(f, file.path());
  file.input("a", a, {6});
  file.input("b", b, {6});
  file.outputs(f, f("a"_t = a, "b"_t = b));
}

template <class T>
void divide_with_signs(const std::string& name) {
  const T least = std::numeric_limits<T>::min();
  divide<T>(name, {7, least, least, -7, 0, 5}, {0, -1, 0, 2, -1, -3});
}

}  // namespace

TEST_CASE("quotients and remainders by 0, and by -1") {
  divide_with_signs<std::int32_t>("divided_32");
  divide_with_signs<std::int64_t>("divided_64");
  divide_with_signs<std::int16_t>("divided_16");
  divide_with_signs<std::int8_t>("divided_8");
  divide<std::uint8_t>("divided_bytes", {7, 0, 255, 255, 3, 9}, {0, 0, 255, 2, 1, 4});
  divide<std::uint32_t>("divided_without_sign", {7, 0, 4294967295u, 255, 3, 9}, {0, 0, 4294967295u, 2, 1, 4});
}

TEST_CASE("empty batches take the shape that others take") {
  const tl::function f{of_two_lengths};
  for (const std::int64_t samples : {0, 2}) {
    exported file(samples == 0 ? "no_sample" : "two_samples");
    tl::save_onnx(f, file.path());
    const std::vector<float> x(static_cast<std::size_t>(samples * 3 * 2), 1);
    file.input("x", x, {samples, 3, 2});
    file.outputs(f, f("x"_t = x, "length"_t = 3));
  }
}

TEST_CASE("angles of infinities and of zeros") {
  const tl::function f{angles};
  exported file("angles_of_infinities");
  tl::save_onnx(f, file.path());
  constexpr float far = std::numeric_limits<float>::infinity();
  const std::vector<float> y = {far, far, -far, -far, far, -2, 0, 3, -0.f, 0, -0.f, 0, -0.f, 0, -3, -0.f},
                           x = {far, -far, far, -far, 1, -far, far, 0, -1, -1, -0.f, -0.f, 0, 0, -0.f, 2};
  file.input("y", y, {16});
  file.input("x", x, {16});
  file.outputs(f, f("y"_t = y, "x"_t = x));
}

TEST_CASE("logarithms and tails keep their digits") {
  const tl::function f{[] {
    auto x = tl::input<"x", float, 8>;
    return tl::outputs(tl::named<"log_probability">(tl::log(tl::normal_cdf(x))),
                       tl::named<"log1p">(tl::log1p(x)),
                       tl::named<"of_double">(tl::log1p(tl::input<"d", double, 8>)));
  }};
  exported file("tails");
  tl::save_onnx(f, file.path());
  const std::vector<float> x = {-14, -6, -0.75f, -1e-5f, 0, 1e-5f, 2, std::numeric_limits<float>::infinity()};
  const std::vector<double> d(x.begin(), x.end());
  file.input("x", x, {8});
  file.input("d", d, {8});
  file.outputs(f, f("x"_t = x, "d"_t = d));
}

TEST_CASE("derivatives by the largest of what a loop's body makes") {
  const tl::function f{largest_in_loop};
  exported file("largest_in_loop");
  tl::save_onnx(f, file.path());
  const auto x = test::numbers(5).vector<float>(3 * 4), z = test::numbers(6).vector<float>(4);
  file.input("x", x, {3, 4});
  file.input("z", z, {4});
  file.outputs(f, f("x"_t = x, "z"_t = z));
}

TEST_CASE("rows in the shape of an index of eight axes") {
  const tl::function f{[] {
    auto rows =
        tl::embedding<"t", 4, 2>(tl::flatten(tl::input<"index", std::int32_t, 1, 2, 1, 2, 1, 1, 1, 2>));
    return tl::outputs(tl::named<"rows">(tl::reshape<4, 4>(rows)));
  }};
  exported file("rows_by_all_axes");
  tl::save_onnx(f, file.path());
  const std::vector<std::int32_t> index = {0, 1, 2, 3, 3, 2, 1, 0};
  file.input("index", index, {1, 2, 1, 2, 1, 1, 1, 2});
  file.outputs(f, f("index"_t = index));
}

TEST_CASE("orders and signals of any length") {
  const tl::function f{of_any_length};
  exported file("of_any_length");
  tl::save_onnx(f, file.path());
  const auto x = test::numbers(4).vector<float>(3 * 8);
  file.input("x", x, {3, 8});
  file.outputs(f, f("x"_t = x, "length"_t = 8));
}

TEST_CASE("whole numbers, booleans, and double") {
  const tl::function f{kinds};
  exported file("kinds");
  tl::save_onnx(f, file.path());
  const std::vector<std::int32_t> i = {1, -2, 3, 5, 0, -7};
  const std::vector<std::int64_t> l = {1, -2, 4, 5, 0, -7};
  const std::array<bool, 6> flags = {true, false, false, true, true, false};
  const auto d = test::numbers(7).vector<double>(6);
  file.input("i", i, {2, 3});
  file.input("l", l, {2, 3});
  file.input("b", flags, {2, 3});
  file.input("d", d, {2, 3});
  file.outputs(f, f("i"_t = i, "l"_t = l, "b"_t = flags, "d"_t = d));
}

namespace {

constexpr auto a = tl::input<"a", float, 2, 2>;

template <class Model>
std::string refusal_of(Model) {
  return std::string(tl::detail::onnx_refusal<tl::lower_for_evaluation<Model>>.view());
}

}  // namespace

TEST_CASE("an output_padding that makes up for a padding of all that the windows reach") {
  const tl::function f{[] {
    auto x = tl::input<"x", float, batch, 2, 1>;
    return tl::outputs(tl::named<"y">(
        tl::conv_transpose1d<"up", 3, tl::conv{.kernel = 1, .stride = 3, .padding = 1, .output_padding = 2}>(
            x)));
  }};
  exported file("made_up_for");
  tl::save_onnx(f, file.path());
  CHECK(test::onnx_file(file.path()).operators == "ConvTranspose");
  const std::vector<float> x = {1, 2, 3, 4};
  file.input("x", x, {2, 2, 1});
  file.outputs(f, f("x"_t = x));
}

TEST_CASE("factors of matrices are refused; a determinant is not, its derivative is") {
  CHECK(refusal_of([] { return tl::det(a); }) == "");
  CHECK(refusal_of([] { return tl::grad(tl::det(a), a); }) == "save_onnx: ONNX has no operator for lu");
  CHECK(refusal_of([] { return tl::cholesky(a); }) == "save_onnx: ONNX has no operator for cholesky");
  CHECK(refusal_of([] { return tl::argsort(a); }) == "");
}
