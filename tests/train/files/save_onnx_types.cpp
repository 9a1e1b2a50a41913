// SPDX-License-Identifier: BSL-1.0
// save_onnx: elements of types that runtimes compute in wider ones, which tests/onnx/check.py runs by
// onnxruntime.
#include <tapeless/onnx.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catch.hpp"
#include "onnx/exported.hpp"
#include "onnx/read.hpp"
#include "program.hpp"

using test::exported;

namespace {

constexpr auto batch = tl::dyn<"batch">;

// Sums and products of integers that runtimes add up in wider ones.
constexpr auto of_integers = [] {
  auto b = tl::input<"b", std::int8_t, 2, 3>;
  auto s = tl::input<"s", std::int16_t, 2, 3>;
  auto u = tl::input<"u", std::uint32_t, 2, 3>;
  auto i = tl::input<"i", std::int32_t, 2, 3>;
  auto bytes = tl::input<"bytes", std::uint8_t, 2, 3>;
  return tl::outputs(tl::named<"b_sum">(tl::sum<1>(b)), tl::named<"b_most">(tl::max<0>(b)),
                     tl::named<"b_prefix">(tl::cumsum<1>(b)), tl::named<"s_sum">(tl::sum(s)),
                     tl::named<"s_product">(tl::prod<1>(s)), tl::named<"s_prefix">(tl::cumsum<0>(s)),
                     tl::named<"u_sum">(tl::sum<1>(u)), tl::named<"u_least">(tl::min<1>(u)),
                     tl::named<"u_prefix">(tl::cumsum<1>(u)), tl::named<"i_sum">(tl::sum<1>(i)),
                     tl::named<"i_sums">(tl::sum<0>(i)), tl::named<"i_all">(tl::sum(i)),
                     tl::named<"i_product">(tl::prod<0>(i)), tl::named<"i_prefix">(tl::cumsum<1>(i)),
                     tl::named<"s_products">(tl::prod<0>(s)), tl::named<"u_negative">(-u),
                     tl::named<"u_smallest">(tl::cummin<1>(u).values), tl::named<"bytes_negative">(-bytes),
                     tl::named<"bytes_smallest">(tl::cummin<1>(bytes).values),
                     tl::named<"bytes_prefix">(tl::cumsum<1>(bytes)));
};

template <class T>
constexpr auto ends = [] {
  auto x = tl::input<"x", T, batch, 2>;
  return tl::outputs(tl::named<"most">(tl::max<0>(x)), tl::named<"least">(tl::min<0>(x)));
};

template <class T>
void write_ends(const std::string& type) {
  const tl::function f{ends<T>};
  for (const std::int64_t samples : {0, 1}) {
    exported file((samples == 0 ? "ends_of_none_" : "ends_") + type);
    tl::save_onnx(f, file.path());
    const std::vector<T> x(static_cast<std::size_t>(samples * 2), T(3));
    file.input("x", x, {samples, 2});
    file.outputs(f, f("x"_t = x));
  }
}

template <class T>
constexpr auto line =
    [] { return tl::outputs(tl::named<"y">(tl::relu(tl::linear<"fc", 2>(tl::input<"x", T, batch, 3>)))); };

}  // namespace

TEST_CASE("sums of integers wrap as the library's do") {
  const tl::function f{of_integers};
  exported file("of_integers");
  tl::save_onnx(f, file.path());
  CHECK(test::onnx_file(file.path()).count("Cast") == 2 * 15);
  const std::vector<std::int8_t> b = {100, 100, 1, -128, -1, 5};
  const std::vector<std::int16_t> s = {300, 300, -2, 32767, 32767, 1};
  const std::vector<std::uint32_t> u = {4294967295u, 2, 7, 2147483648u, 2147483648u, 1};
  const std::vector<std::uint8_t> bytes = {200, 100, 1, 0, 255, 255};
  const std::vector<std::int32_t> i = {2147483647, 70001, -2147483647, 70001, 70001, -5};
  file.input("b", b, {2, 3});
  file.input("s", s, {2, 3});
  file.input("u", u, {2, 3});
  file.input("i", i, {2, 3});
  file.input("bytes", bytes, {2, 3});
  file.outputs(f, f("b"_t = b, "s"_t = s, "u"_t = u, "i"_t = i, "bytes"_t = bytes));
}

TEST_CASE("the largest and the smallest of nothing are the ends of a type") {
  write_ends<std::int8_t>("8");
  write_ends<std::int16_t>("16");
  write_ends<std::int32_t>("32");
  write_ends<std::uint8_t>("bytes");
  write_ends<std::uint32_t>("without_sign");

  const tl::function f{[] {
    auto x = tl::input<"x", bool, batch, 2>;
    return tl::outputs(tl::named<"any">(tl::any<0>(x)), tl::named<"all">(tl::all<0>(x)));
  }};
  for (const std::int64_t samples : {0, 2}) {
    exported file(samples == 0 ? "none_of_none" : "any_and_all");
    tl::save_onnx(f, file.path());
    const std::array<bool, 4> flags = {true, false, false, false};
    const std::span<const bool> x = std::span(flags).first(static_cast<std::size_t>(samples * 2));
    file.input("x", x, {samples, 2});
    file.outputs(f, f("x"_t = x));
  }
}

TEST_CASE("half numbers go through what only float holds") {
  const tl::function f{[] {
    auto x = tl::input<"x", tl::f16, 6>;
    return tl::outputs(
        tl::named<"erfinv">(tl::erfinv(x)),
        tl::named<"slope">(tl::grad(tl::sum(tl::cast<float>(tl::gelu<tl::approximation::tanh>(x))), x)));
  }};
  exported file("half");
  tl::save_onnx(f, file.path());
  const std::vector<tl::f16> x = {tl::f16(0), tl::f16(0.5f),   tl::f16(-0.25f),
                                  tl::f16(1), tl::f16(-0.95f), tl::f16(0.999f)};
  file.input("x", x, {6});
  file.outputs(f, f("x"_t = x));
}

TEST_CASE("weights of a type that runtimes lack are those of the same model in float") {
  const tl::function half{line<tl::bf16>};
  const test::temporary_folder folder;
  const std::string path = folder.path() + "/line.safetensors";
  tl::save(half, path);
  tl::function f{line<float>};
  tl::load(f, path, {.convert = true});
  exported file("line");
  tl::save_onnx(f, file.path());
  const std::vector<float> x = {1, -2, 3};
  file.input("x", x, {1, 3});
  file.outputs(f, f("x"_t = x));
  CHECK(f.parameter<"fc.weight">()[5] == static_cast<float>(half.parameter<"fc.weight">()[5]));
}
