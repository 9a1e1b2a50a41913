// SPDX-License-Identifier: BSL-1.0
// save_onnx: windows, places and prefixes along axes, which tests/onnx/check.py runs by onnxruntime.
#include <tapeless/onnx.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "onnx/exported.hpp"
#include "onnx/read.hpp"
#include "program.hpp"

using test::exported;

namespace {

constexpr auto batch = tl::dyn<"batch">;

}  // namespace

TEST_CASE("a bias is in what an output_padding adds that ONNX does not take") {
  tl::function f{[] {
    constexpr tl::conv o{.kernel = 2, .stride = 1, .dilation = 2, .output_padding = 1};
    auto x = tl::input<"x", float, batch, 2, 5>;
    auto image = tl::input<"image", float, batch, 2, 3, 4>;
    return tl::outputs(tl::named<"y">(tl::conv_transpose1d<"up", 3, o>(x)),
                       tl::named<"z">(tl::conv_transpose2d<"wide", 2, o>(image)));
  }};
  for (float& b : f.parameter<"up.bias">()) b = 7;
  for (float& b : f.parameter<"wide.bias">()) b = -3;
  exported file("padded_with_a_bias");
  tl::save_onnx(f, file.path());
  CHECK(test::onnx_file(file.path()).count("Add") == 2);
  const auto x = test::numbers(1).vector<float>(2 * 2 * 5),
             image = test::numbers(2).vector<float>(2 * 2 * 12);
  file.input("x", x, {2, 2, 5});
  file.input("image", image, {2, 2, 3, 4});
  file.outputs(f, f("x"_t = x, "image"_t = image));
}

TEST_CASE("prefixes in the body of a loop") {
  const tl::function f{[] {
    auto x = tl::input<"x", float, 3, 4>;
    auto [last, all] = tl::scan(
        [](auto h, auto now) {
          auto products = tl::cumprod<0>(tl::tanh(h + now));
          auto least = tl::cummin<0>(tl::sin(products) + h).values;
          return tl::pack(least, tl::square(tl::logcumsumexp<0>(least)) + products);
        },
        tl::input<"z", float, 4>, x);
    return tl::outputs(tl::named<"last">(last), tl::named<"all">(all),
                       tl::named<"by_x">(tl::grad(tl::sum(all), x)));
  }};
  exported file("prefixes_in_a_loop");
  tl::save_onnx(f, file.path());
  const auto x = test::numbers(3).vector<float>(3 * 4), z = test::numbers(4).vector<float>(4);
  file.input("x", x, {3, 4});
  file.input("z", z, {4});
  file.outputs(f, f("x"_t = x, "z"_t = z));
}

TEST_CASE("places along an axis that an empty one follows") {
  const tl::function f{[] {
    auto x = tl::input<"x", float, 4, batch, tl::dyn<"length">>;
    return tl::named<"by_x">(tl::grad(tl::sum(tl::square(tl::slice<0, 1, tl::to_end, 2>(x))), x));
  }};
  for (const std::int64_t samples : {0, 3}) {
    exported file(samples == 0 ? "empty_rows" : "rows");
    tl::save_onnx(f, file.path());
    const auto x = test::numbers(5).vector<float>(static_cast<std::size_t>(4 * samples * 2));
    file.input("x", x, {4, samples, 2});
    file.outputs(f, f("x"_t = x, "length"_t = 2));
  }
}

TEST_CASE("zeros between transposes, which onnxruntime moves through them") {
  const tl::function f{[] {
    auto x = tl::permute<1, 0, 2>(tl::input<"x", float, 2, 3, batch>);
    auto y = tl::grad(tl::sum(tl::square(tl::slice<0, 0, tl::to_end, 2>(x))), x);
    return tl::outputs(tl::named<"padded">(tl::permute<1, 0, 2>(tl::pad<0, 1, 2>(x))),
                       tl::named<"between">(tl::permute<1, 0, 2>(y)),
                       tl::named<"cut">(tl::permute<2, 0, 1>(tl::pad<1, -1, 3>(tl::permute<1, 2, 0>(x)))));
  }};
  exported file("zeros_between_transposes");
  tl::save_onnx(f, file.path());
  const auto x = test::numbers(6).vector<float>(2 * 3 * 4);
  file.input("x", x, {2, 3, 4});
  file.outputs(f, f("x"_t = x));
}

TEST_CASE("prefixes of each row, of which there may be none") {
  const tl::function f{[] {
    auto x = tl::input<"x", float, batch, 5>;
    auto s = tl::input<"s", float, 2, 3, batch>;
    return tl::outputs(tl::named<"products">(tl::cumprod<1>(x)), tl::named<"most">(tl::cummax<1>(x).values),
                       tl::named<"least">(tl::cummin<-1>(x).values), tl::named<"log">(tl::logcumsumexp<1>(x)),
                       tl::named<"by_x">(tl::grad(tl::sum(tl::square(tl::cumprod<1>(x))), x)),
                       tl::named<"amid">(tl::cumprod<1>(s)), tl::named<"first">(tl::cumprod<0>(s)));
  }};
  for (const std::int64_t samples : {0, 3}) {
    exported file(samples == 0 ? "prefixes_of_none" : "prefixes_of_rows");
    tl::save_onnx(f, file.path());
    const auto x = test::numbers(6).vector<float>(static_cast<std::size_t>(samples * 5)),
               s = test::numbers(7).vector<float>(static_cast<std::size_t>(2 * 3 * samples));
    file.input("x", x, {samples, 5});
    file.input("s", s, {2, 3, samples});
    file.outputs(f, f("x"_t = x, "s"_t = s));
  }
}
