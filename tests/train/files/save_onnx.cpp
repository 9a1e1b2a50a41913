// SPDX-License-Identifier: BSL-1.0
// save_onnx: what stands in the files, which tests/onnx/check.py runs by onnxruntime.
#include <tapeless/onnx.hpp>
#include <tapeless/ops/reduction/cumprod.hpp>
#include <tapeless/tapeless.hpp>

#include <cstring>

#include "catch.hpp"
#include "onnx/exported.hpp"
#include "onnx/read.hpp"
#include "program.hpp"

using test::exported;

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr auto length = tl::dyn<"length">;

constexpr auto mlp = [] {
  auto x = tl::input<"x", float, batch, 8>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto h = tl::dropout<0.5>(tl::relu(tl::linear<"fc1", 16>(x)));
  auto logits = tl::linear<"fc2", 3>(h);
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits),
                     tl::named<"p">(tl::softmax(logits)));
};

constexpr auto images = [] {
  auto x = tl::input<"image", float, batch, 1, 12, 12>;
  auto a = tl::relu(tl::batch_norm<"bn1">(tl::conv2d<"c1", 4, tl::conv{.kernel = 3, .padding = 1}>(x)));
  auto b = tl::max_pool2d<tl::pool{.kernel = 2}>(a);
  auto c = tl::conv2d<"c2", 6, tl::conv{.kernel = 3, .stride = 2, .bias = false}>(b);
  auto d = tl::avg_pool2d<tl::pool{.kernel = 2, .stride = 1}>(tl::silu(c));
  return tl::outputs(tl::named<"scores">(tl::linear<"head", 5>(tl::flatten(d))));
};

constexpr auto sequences = [] {
  auto x = tl::input<"x", float, length, 2, 3>;
  auto [all, h, c] = tl::lstm<"lstm", 4, tl::recurrent{.layers = 2, .bidirectional = true}>(x);
  return tl::outputs(tl::named<"all">(all), tl::named<"h">(h), tl::named<"c">(c));
};

// Shapes of which two extents are known at run time only.
constexpr auto run_time = [] {
  auto x = tl::input<"x", float, batch, length, 6>;
  auto index = tl::input<"index", std::int64_t, batch, length>;
  auto parts = tl::reshape<batch, length, 2, 3>(x);
  auto every = tl::slice<1, 1, tl::to_end, 2>(x);
  auto padded = tl::pad<1, 2, 1>(x);
  auto twice = tl::concat<1>(x, tl::flip<1>(x));
  auto far = tl::where(tl::iota_like<1>(x) > 1_c, x, 0_c);
  auto steps = tl::permute<1, 0, 2>(x);
  auto [last, all] = tl::scan(
      [](auto h, auto now) {
        auto next = tl::tanh(h + now);
        return tl::pack(next, tl::square(next));
      },
      tl::sum<1>(x), steps);
  return tl::outputs(
      tl::named<"parts">(tl::permute<2, 0, 3, 1>(parts)), tl::named<"every">(every),
      tl::named<"padded">(padded),
      tl::named<"gradient">(tl::grad(tl::sum(tl::square(every)) + tl::sum(tl::square(padded)), x)),
      tl::named<"twice">(twice), tl::named<"sums">(tl::cumsum<1>(x)),
      tl::named<"products">(tl::cumprod<1>(x)),
      tl::named<"product_gradient">(tl::grad(tl::sum(tl::square(tl::cumprod<1>(x))), x)),
      tl::named<"mean">(tl::mean<0, 1>(x)), tl::named<"softmax">(tl::softmax<1>(x)),
      tl::named<"largest">(tl::argmax<1>(x)), tl::named<"far">(far),
      tl::named<"hot">(tl::one_hot<4, float>(index)), tl::named<"rows">(tl::embedding<"table", 4, 3>(index)),
      tl::named<"flat">(tl::flatten(x)), tl::named<"last">(last), tl::named<"all">(all));
};

// Images of run-time extents, with what is made of convolutions and pools by derivatives.
constexpr auto sliding = [] {
  auto x = tl::input<"x", float, batch, 2, tl::dyn<"height">, 7>;
  auto w = tl::param<"w", float, 4, 1, 3, 2>(tl::normal(1));
  auto y = tl::conv2d<tl::conv{.stride = 2, .padding = 1, .groups = 2}>(x, w);
  auto up = tl::conv_transpose2d<"up", 3, tl::conv{.kernel = 3, .stride = 2, .output_padding = 1}>(x);
  auto largest = tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1}>(x);
  auto mean = tl::avg_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1, .count_include_pad = false}>(x);
  auto loss = tl::sum(tl::square(y)) + tl::sum(tl::square(largest)) + tl::sum(tl::square(mean));
  auto g = tl::grad(loss, x);
  return tl::outputs(tl::named<"y">(y), tl::named<"up">(up), tl::named<"largest">(largest),
                     tl::named<"mean">(mean), tl::named<"by_x">(g), tl::named<"by_w">(tl::grad(loss, w)),
                     tl::named<"nearest">(tl::upsample_nearest2d<2>(x)),
                     tl::named<"bilinear">(tl::upsample_bilinear2d<2>(x)));
};

// As in tests/api/06_transformer.cpp.
constexpr int context = 8, width = 16, heads = 4, layers = 2, letters = 32;

template <tl::name Scope>
constexpr auto block(tl::expression auto h) {
  auto a = h + tl::attention<Scope + ".attn", tl::attention_options{.heads = heads, .causal = true}>(
                   tl::layer_norm<Scope + ".ln1">(h));
  return a + tl::linear<Scope + ".down", width>(
                 tl::gelu(tl::linear<Scope + ".up", 4 * width>(tl::layer_norm<Scope + ".ln2">(a))));
}

constexpr auto transformer = [] {
  auto text = tl::input<"text", std::int32_t, batch, context>;
  auto next = tl::input<"next", std::int32_t, batch, context>;
  auto h = tl::embedding<"token", letters, width>(text) +
           tl::param<"position", float, context, width>(tl::normal(0.02));
  auto out = tl::repeat<layers>(h, []<int I>(auto x) { return block<tl::name{"block"} + I>(x); });
  auto logits = tl::linear<"head", letters>(tl::layer_norm<"ln">(out));
  return tl::outputs(tl::cross_entropy(logits, next), tl::named<"logits">(logits));
};

}  // namespace

TEST_CASE("a trainer's predictions, as they are without dropout and loss") {
  tl::trainer net{mlp, tl::sgd({})};
  exported file("mlp");
  tl::save_onnx(net, file.path(), {.name = "mlp", .description = "three classes"});

  const test::onnx_file f(file.path());
  CHECK(f.opset == 20);
  CHECK(f.operators == "Gemm Relu Gemm Softmax");
  CHECK(f.inputs == std::vector<std::string>{"x[batch, 8]"});
  CHECK(f.outputs == std::vector<std::string>{"logits[batch, 3]", "p[batch, 3]"});
  REQUIRE(f.initializers == std::vector<std::string>{"fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"});
  const auto weight = net.parameter<"fc1.weight">();
  REQUIRE(f.elements[0].size() == weight.size() * sizeof(float));
  CHECK(std::memcmp(f.elements[0].data(), &*weight.begin(), f.elements[0].size()) == 0);

  const auto x = test::numbers(1).vector<float>(5 * 8);
  file.input("x", x, {5, 8});
  auto r = net.predict("x"_t = x);
  file.output("logits", r.get<"logits">());
  file.output("p", r.get<"p">());
}

TEST_CASE("what is stored in 16 bits is written as what the model says") {
  tl::trainer net{
      [] { return tl::outputs(tl::sum(tl::param<"w", float, 3>(tl::normal(1)) * tl::input<"x", float, 3>)); },
      tl::mixed_precision<tl::bf16>(tl::sgd({}))};
  exported file("mixed");
  tl::save_onnx(net, file.path());
  const test::onnx_file f(file.path());
  REQUIRE(f.elements.size() == 1);
  CHECK(f.elements[0].size() == 3 * sizeof(float));
  CHECK(std::memcmp(f.elements[0].data(), net.master<"w">().data(), f.elements[0].size()) == 0);
  const auto master = net.master<"w">();
  file.input("x", std::vector<float>{1, 2, 4}, {3});
  file.output("output", std::vector<float>{master[0] + 2 * master[1] + 4 * master[2]}, {});

  tl::trainer averaged{
      [] { return tl::outputs(tl::sum(tl::param<"w", float, 3>(tl::normal(1)) * tl::input<"x", float, 3>)); },
      tl::mixed_precision<tl::bf16>(tl::average(tl::sgd({.learning_rate = 1}), {.decay = 0.5}))};
  for (int i = 0; i < 3; ++i) averaged.step("x"_t = std::vector<float>{1, 2, 4});
  {
    const auto averages = averaged.averaged_weights();
    exported mean("mean");
    tl::save_onnx(averaged, mean.path());
    const test::onnx_file m(mean.path());
    float w[3];
    REQUIRE(m.elements.at(0).size() == sizeof w);
    std::memcpy(w, m.elements[0].data(), sizeof w);
    for (std::size_t i = 0; i < 3; ++i) CHECK(w[i] == static_cast<float>(averaged.parameter<"w">()[i]));
    mean.input("x", std::vector<float>{1, 2, 4}, {3});
    mean.output("output", std::vector<float>{w[0] + 2 * w[1] + 4 * w[2]}, {});
  }

  const tl::function shared{
      [] { return tl::outputs(tl::named<"y">(tl::sum(tl::param<"w", float, 3>(tl::normal(1))))); },
      tl::weights(net)};
  exported rounded("rounded");
  tl::save_onnx(shared, rounded.path());
  const test::onnx_file r(rounded.path());
  REQUIRE(r.elements.size() == 1);
  REQUIRE(r.elements[0].size() == 3 * sizeof(float));
  float w[3];
  std::memcpy(w, r.elements[0].data(), sizeof w);
  for (std::size_t i = 0; i < 3; ++i) CHECK(w[i] == static_cast<float>(net.parameter<"w">()[i]));
  rounded.output("y", std::vector<float>{w[0] + w[1] + w[2]}, {});
}

TEST_CASE("convolutions, normalized by running statistics, and pools") {
  tl::function f{images};
  test::numbers random(2);
  for (float& x : f.parameter<"bn1.running_mean">()) x = static_cast<float>(random());
  for (float& x : f.parameter<"bn1.running_var">()) x = static_cast<float>(random(0.5, 2));
  for (float& x : f.parameter<"bn1.weight">()) x = static_cast<float>(random());
  exported file("images");
  tl::save_onnx(f, file.path());

  const test::onnx_file written(file.path());
  CHECK(written.operators ==
        "Conv BatchNormalization Relu MaxPool Conv Sigmoid Mul AveragePool Reshape Gemm");
  CHECK(written.inputs == std::vector<std::string>{"image[batch, 1, 12, 12]"});
  CHECK(written.outputs == std::vector<std::string>{"scores[batch, 5]"});

  const auto x = random.vector<float>(3 * 144);
  file.input("image", x, {3, 1, 12, 12});
  const auto r = f("image"_t = x);
  file.output("scores", r.get<"scores">());
}

TEST_CASE("a frozen batch_norm is written as one") {
  tl::function f{[] {
    constexpr tl::batch_norm_options o{.frozen = true};
    return tl::named<"y">(tl::batch_norm<"bn", o>(tl::input<"x", float, 2, 3, 4>));
  }};
  exported file("frozen");
  tl::save_onnx(f, file.path());
  CHECK(test::onnx_file(file.path()).operators == "BatchNormalization");
  const auto x = test::numbers(3).vector<float>(2 * 3 * 4);
  file.input("x", x, {2, 3, 4});
  file.output("y", f("x"_t = x).get<"y">());
}

TEST_CASE("recurrent networks are loops") {
  const tl::function f{sequences};
  exported file("lstm");
  tl::save_onnx(f, file.path());
  const test::onnx_file written(file.path());
  CHECK(written.inputs == std::vector<std::string>{"x[length, 2, 3]"});
  CHECK(written.count("Scan") == 4);

  const auto x = test::numbers(3).vector<float>(7 * 2 * 3);
  file.input("x", x, {7, 2, 3});
  const auto r = f("x"_t = x);
  file.outputs(f, r);
}

TEST_CASE("a transformer") {
  const tl::function f{transformer};
  exported file("transformer");
  tl::save_onnx(f, file.path());
  const test::onnx_file written(file.path());
  CHECK(written.inputs == std::vector<std::string>{"text[batch, 8]"});
  CHECK(written.count("Gather") == 1);
  CHECK(written.count("LayerNormalization") == 2 * layers + 1);
  CHECK(written.count("Softmax") == layers);
  CHECK(written.count("Gelu") == layers);
  CHECK(written.count("ReduceSum") == 0);

  std::vector<std::int32_t> text;
  test::numbers random(4);
  for (int i = 0; i < 3 * context; ++i) text.push_back(static_cast<std::int32_t>(random(0, letters)));
  file.input("text", text, {3, context});
  const auto r = f("text"_t = text, "next"_t = text);
  file.output("logits", r.get<"logits">());
}

TEST_CASE("extents that are known at run time") {
  const tl::function f{run_time};
  exported file("run_time");
  tl::save_onnx(f, file.path());
  const test::onnx_file written(file.path());
  CHECK(written.inputs == std::vector<std::string>{"x[batch, length, 6]", "index[batch, length]"});

  const auto x = test::numbers(5).vector<float>(2 * 5 * 6);
  const std::vector<std::int64_t> index = {0, 3, 1, 1, 2, 3, 0, 0, 2, 1};
  file.input("x", x, {2, 5, 6});
  file.input("index", index, {2, 5});
  file.outputs(f, f("x"_t = x, "index"_t = index, "length"_t = 5));
}

TEST_CASE("windows over images of run-time extents, and their derivatives") {
  const tl::function f{sliding};
  exported file("sliding");
  tl::save_onnx(f, file.path());
  const auto x = test::numbers(6).vector<float>(2 * 2 * 6 * 7);
  file.input("x", x, {2, 2, 6, 7});
  file.outputs(f, f("x"_t = x, "height"_t = 6));
}

TEST_CASE("a value without a name is the output; what is an input, a parameter or a constant stays one") {
  const tl::function f{[] {
    auto x = tl::input<"x", float, batch>;
    return tl::sum(x * tl::param<"w", float>(tl::fill(3)));
  }};
  exported file("unnamed");
  tl::save_onnx(f, file.path());
  const test::onnx_file written(file.path());
  CHECK(written.operators == "Mul ReduceSum");
  CHECK(written.outputs == std::vector<std::string>{"output[]"});

  const tl::function g{[] {
    auto x = tl::input<"x", float, batch>;
    auto w = tl::param<"w", float, 2>(tl::fill(3));
    return tl::outputs(tl::named<"same">(x), tl::named<"again">(x), tl::named<"weight">(w),
                       tl::named<"double">(x + x), tl::named<"twice">(tl::stop_gradient(x + x)));
  }};
  exported leaves("leaves");
  tl::save_onnx(g, leaves.path());
  const test::onnx_file kept(leaves.path());
  CHECK(kept.operators == "Add Identity Identity Identity Identity");
  const std::vector<float> x = {1, 2, 3};
  leaves.input("x", x, {3});
  const auto r = g("x"_t = x);
  leaves.outputs(g, r);
  file.input("x", x, {3});
  file.output("output", tl::function{[] {
                          return tl::outputs(tl::named<"y">(tl::sum(3_c * tl::input<"x", float, 3>)));
                        }}("x"_t = x)
                            .get<"y">());
}

namespace {

template <class Net>
using builder_of = typename tl::detail::exported<Net>::builder;

template <class Model>
std::string refusal_of(Model) {
  return std::string(tl::detail::onnx_refusal<tl::lower_for_evaluation<Model>>.view());
}

}  // namespace

TEST_CASE("what ONNX cannot say is known while compiling") {
  CHECK(refusal_of(mlp) == "");
  CHECK(refusal_of([] { return tl::normal_like<"noise">(tl::input<"x", float, 4>); }) ==
        "save_onnx: the outputs depend on random numbers, and ONNX would draw others; make an input of them");
  CHECK(refusal_of([] { return tl::outputs(tl::named<"x">(tl::exp(tl::input<"x", float, 4>))); }) ==
        "save_onnx: \"x\" is the name of an output and of an input, which ONNX does not tell apart; give one "
        "of "
        "them another");
  CHECK(refusal_of([] { return tl::sum(tl::reshape<batch>(tl::input<"x", float, tl::dyn<"batch">>)); }) ==
        "");
}

TEST_CASE("of several objectives, what is no objective's loss") {
  constexpr auto model = [] {
    auto x = tl::input<"x", float, 3>;
    auto y = x * tl::param<"w", float, 3>(tl::fill(2)) + tl::param<"v", float, 3>(tl::fill(1));
    return tl::outputs(tl::named<"first">(tl::sum(y)), tl::named<"second">(tl::mean(y)), tl::named<"y">(y));
  };
  using net = decltype(tl::trainer{
      model, tl::in_turn(tl::objective<"first">(tl::names_like<"w">, tl::sgd({.learning_rate = 0.1f})),
                         tl::objective<"second">(tl::names_like<"v">, tl::sgd({.learning_rate = 0.1f})))});
  constexpr tl::onnx::graph_view g = tl::onnx::view_of(tl::constant_graph_of<builder_of<net>>);
  REQUIRE(g.exported().size() == 1);
  CHECK(g.exported()[0].label->view() == "y");
}
