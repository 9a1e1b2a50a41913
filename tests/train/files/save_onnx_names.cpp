// SPDX-License-Identifier: BSL-1.0
// save_onnx: which inputs and outputs a file has, and which names they may have.
#include <tapeless/onnx.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

#include <string>
#include <vector>

#include "catch.hpp"
#include "onnx/exported.hpp"
#include "onnx/read.hpp"
#include "program.hpp"

using test::exported;

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr auto classes = tl::dyn<"classes">;

// The target stands before x in the graph, and has its run-time extent, too.
template <tl::name Output>
constexpr auto with_target = [] {
  auto target = tl::input<"target", float, batch, 8>;
  auto x = tl::input<"x", float, batch, 4>;
  auto y = tl::repeat_interleave<1, 2>(x * tl::param<"w", float, 4>(tl::fill(2)));
  auto smooth = tl::log(tl::clamp(tl::softmax(tl::square(tl::tanh(tl::sin(target)))), 0.1_c, 0.9_c));
  return tl::outputs(tl::mse_loss(y, smooth), tl::named<Output>(y));
};

// Only the target knows how many classes there are, which y may depend on.
template <tl::name Output, bool Depends>
constexpr auto of_classes = [] {
  auto target = tl::input<"target", float, batch, classes>;
  auto x = tl::input<"x", float, batch, 1>;
  if constexpr (Depends) {
    auto y = x * tl::iota<float, classes>();
    return tl::outputs(tl::mse_loss(y, target), tl::named<Output>(y));
  } else {
    return tl::outputs(tl::sum(x * target), tl::named<Output>(x * 2_c));
  }
};

template <class Model>
std::string refusal_of(Model) {
  return std::string(tl::detail::onnx_refusal<tl::lower_for_evaluation<Model>>.view());
}

}  // namespace

TEST_CASE("run-time extents are known from inputs that the outputs need, where one has them") {
  const tl::function f{with_target<"y">};
  exported file("with_target");
  tl::save_onnx(f, file.path());
  CHECK(test::onnx_file(file.path()).inputs == std::vector<std::string>{"x[batch, 4]"});
  const auto x = test::numbers(1).vector<float>(3 * 4), target = test::numbers(2).vector<float>(3 * 8);
  file.input("x", x, {3, 4});
  file.outputs(f, f("x"_t = x, "target"_t = target));
  CHECK(refusal_of(with_target<"target">) == "");
}

TEST_CASE("an input that extents are known from has no output's name") {
  const tl::function f{of_classes<"y", true>};
  exported file("of_classes");
  tl::save_onnx(f, file.path());
  CHECK(test::onnx_file(file.path()).inputs.size() == 2);
  const auto x = test::numbers(1).vector<float>(3), target = test::numbers(2).vector<float>(3 * 2);
  file.input("x", x, {3, 1});
  file.input("target", target, {3, 2});
  file.outputs(f, f("x"_t = x, "target"_t = target));

  CHECK(
      refusal_of(of_classes<"target", true>) ==
      "save_onnx: \"target\" is the name of an output and of an input, which ONNX does not tell apart; give "
      "one of them another");
  CHECK(refusal_of(of_classes<"target", false>) == "");
}

TEST_CASE("an empty name is refused, which ONNX takes for what is left out") {
  CHECK(refusal_of([] { return tl::outputs(tl::named<"">(tl::exp(tl::input<"x", float, 4>))); }) ==
        "save_onnx: the name of an output is empty, which ONNX takes for no output; give it another");
  CHECK(refusal_of([] { return tl::exp(tl::input<"", float, 4>); }) ==
        "save_onnx: the name of an input is empty, which ONNX takes for no input; give it another");
}
