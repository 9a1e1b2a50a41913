// SPDX-License-Identifier: BSL-1.0
// tl::bare trains as tl::cpu does, and refuses what does not fit without changing anything.
#include <tapeless/bare.hpp>
#include <tapeless/bytes.hpp>
#include <tapeless/ops/indexing.hpp>
#include <tapeless/ops/reduction/cumprod.hpp>
#include <tapeless/optim/wrappers/masked.hpp>
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"

namespace {

using namespace tl::literals;

// Losses of some steps, and a parameter after them, on both policies.
template <class Model, class Rule, class... Bindings>
void check_same_losses(Model model, Rule rule, double most, const Bindings&... bindings) {
  tl::trainer usual{model, rule, tl::cpu{.threads = 1}, 5};
  tl::trainer net{model, rule, tl::bare{}, 5};
  for (int step = 0; step < 20; ++step) {
    const double wanted = static_cast<double>(usual.step(bindings...).loss());
    const auto result = net.step(bindings...);
    REQUIRE(result.is_valid());
    INFO("step " << step);
    REQUIRE(std::fabs(static_cast<double>(result.loss()) - wanted) <= most * (1 + std::fabs(wanted)));
  }
  CHECK(net.steps() == 20);
}

std::vector<float> numbers(std::size_t count) {
  std::vector<float> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = std::sin(0.7f * static_cast<float>(i) + 1);
  return all;
}

constexpr auto regression = [] {
  auto x = tl::input<"x", float, 6, 4>;
  auto y = tl::input<"y", float, 6, 2>;
  return tl::mse_loss(tl::linear<"b", 2>(tl::tanh(tl::linear<"a", 12>(x))), y);
};

// Labels, a table of vectors, dropout, normalization: gathers, scatters, random numbers, reductions of rows.
constexpr auto classes = [] {
  auto words = tl::input<"words", std::int32_t, 3, 4>;
  auto y = tl::input<"y", std::int64_t, 3>;
  auto h = tl::layer_norm<"norm">(tl::mean<1>(tl::dropout<0.25>(tl::embedding<"table", 10, 8>(words))));
  auto logits = tl::linear<"out", 5>(tl::gelu(h));
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};

// Products with few and many rows, columns and terms, and their derivatives' products.
constexpr auto products = [] {
  const auto by = [](auto x, auto w) { return tl::mean(tl::square(tl::matmul(x, w) - 0.5_c)); };
  return by(tl::input<"a", float, 5, 9>, tl::param<"u", float, 9, 3>) +
         by(tl::input<"b", float, 3, 17>, tl::transpose<0, 1>(tl::param<"v", float, 7, 17>)) +
         by(tl::input<"c", float, 6, 33>, tl::param<"w", float, 33, 5>) +
         by(tl::input<"d", float, 20, 3>, tl::param<"x", float, 3, 2>) +
         by(tl::input<"e", float, 18, 40>, tl::transpose<0, 1>(tl::param<"y", float, 4, 40>)) +
         by(tl::input<"f", float, 2, 70>, tl::transpose<0, 1>(tl::param<"z", float, 13, 70>));
};

// Sums, products, largest elements and orders along an axis.
constexpr auto prefix_sums = [] {
  auto x = tl::input<"x", float, 3, 5>;
  auto y = tl::input<"y", float, 3, 5>;
  const auto h = tl::linear<"a", 5>(x);
  const auto products = tl::cumprod<0>(tl::cumsum<1>(h));
  return tl::mse_loss(products + tl::cummax<0>(h).values * tl::sort(h, tl::descending).values, y);
};

// A loop, and its derivative's, which runs backwards.
constexpr auto sequence = [] {
  auto x = tl::input<"x", float, 5, 2, 3>;
  auto y = tl::input<"y", float, 2, 4>;
  auto [h, last_h, last_c] = tl::lstm<"lstm", 4>(x);
  return tl::mse_loss(tl::at<-1>(h), y);
};

// Windows, and a convolution made of them.
constexpr auto image = [] {
  auto x = tl::input<"x", float, 2, 1, 6, 6>;
  auto y = tl::input<"y", float, 2, 2>;
  auto h = tl::max_pool2d<tl::pool{.kernel = 2}>(
      tl::relu(tl::conv2d<"c", 3, tl::conv{.kernel = 3, .padding = 1}>(x)));
  return tl::mse_loss(tl::linear<"out", 2>(tl::flatten(h)), y);
};

// A batch of one: the sum over it is a sum of one element, in the bias's gradient.
constexpr auto one_sample = [] {
  auto x = tl::input<"x", float, 1, 4>;
  auto y = tl::input<"y", float, 1, 12>;
  return tl::mse_loss(tl::linear<"b", 12>(tl::tanh(tl::linear<"a", 9>(x))), y);
};

// Three layers, of which a rule may train some.
constexpr auto layers = [] {
  auto x = tl::input<"x", float, 2, 6>;
  auto y = tl::input<"y", float, 2, 3>;
  auto h = tl::tanh(tl::linear<"b", 24>(tl::tanh(tl::linear<"a", 20>(x))));
  return tl::mse_loss(tl::linear<"c", 3>(h), y);
};
template <tl::name... Patterns>
auto only() {
  return tl::partition(tl::for_parameters(tl::names_like<Patterns...>, tl::adam({.learning_rate = 0.1})));
}
// What a step that trains some layers has in its plan, all of it known while compiling.
template <class Rule>
struct step_of {
  using program = tl::detail::bare_step_of<std::remove_const_t<decltype(layers)>, Rule, false>;
  using net = tl::trainer<std::remove_const_t<decltype(layers)>, Rule, tl::bare, tl::deferred_updates_t>;
  static constexpr std::size_t products = tl::plan_of<program>.products.size();
  static constexpr std::int64_t arena = tl::bare_kernels::arena_bytes_of<program>;
  // Whether a product gives a matrix of the shape of that layer's weight.
  static constexpr bool has_gradient(std::int64_t out, std::int64_t in) {
    for (const auto& p : tl::plan_of<program>.products)
      if ((p.m == out && p.n == in) || (p.m == in && p.n == out)) return true;
    return false;
  }
};
using all_layers = step_of<decltype(tl::adam({.learning_rate = 0.1}))>;
using last_layer = step_of<decltype(only<"c.*">())>;
using last_two = step_of<decltype(only<"b.*", "c.*">())>;
using biases = step_of<decltype(only<"*.bias">())>;

}  // namespace

TEST_CASE("frozen layers are not in the plan") {
  // forward 3; a weight's gradient each; and what leads from a layer's output to its input
  STATIC_REQUIRE(all_layers::products == 3 + 3 + 2);
  STATIC_REQUIRE(last_two::products == 3 + 2 + 1);
  STATIC_REQUIRE(last_layer::products == 3 + 1);
  STATIC_REQUIRE(biases::products == 3 + 2);
  STATIC_REQUIRE(all_layers::has_gradient(20, 6));
  STATIC_REQUIRE(all_layers::has_gradient(24, 20));
  STATIC_REQUIRE_FALSE(last_two::has_gradient(20, 6));
  STATIC_REQUIRE(last_two::has_gradient(24, 20));
  STATIC_REQUIRE_FALSE(last_layer::has_gradient(24, 20));
  STATIC_REQUIRE(last_layer::has_gradient(3, 24));
  STATIC_REQUIRE_FALSE(biases::has_gradient(3, 24));
  // so there is less memory, of a step and of the rule's moments
  STATIC_REQUIRE(last_two::arena < all_layers::arena);
  STATIC_REQUIRE(last_layer::arena < last_two::arena);
  STATIC_REQUIRE(biases::arena < all_layers::arena);
  constexpr std::size_t frozen = 2 * sizeof(float) * (6 * 20 + 20 + 20 * 24 + 24);
  STATIC_REQUIRE(sizeof(last_layer::net) + frozen <= sizeof(all_layers::net));

  tl::trainer net{layers, only<"c.*">(), tl::bare{}};
  const float before = net.parameter<"b.weight">()[3], trained = net.parameter<"c.weight">()[3];
  check_same_losses(layers, only<"c.*">(), 1e-5, "x"_t = numbers(12), "y"_t = numbers(6));
  check_same_losses(layers, only<"*.bias">(), 1e-5, "x"_t = numbers(12), "y"_t = numbers(6));
  CHECK(net.step("x"_t = numbers(12), "y"_t = numbers(6)).is_valid());
  CHECK(net.parameter<"b.weight">()[3] == before);
  CHECK(net.parameter<"c.weight">()[3] != trained);
}

TEST_CASE("a regression") {
  check_same_losses(regression, tl::sgd({.learning_rate = 0.1, .momentum = 0.9}), 1e-5, "x"_t = numbers(24),
                    "y"_t = numbers(12));
  check_same_losses(
      regression,
      tl::adamw({.learning_rate = tl::warmup_cosine({.peak = 0.01, .warmup_steps = 5, .steps = 20})}), 1e-5,
      "x"_t = numbers(24), "y"_t = numbers(12));
}

// Adam's moments in 16 bits: a decay of 0.99 fades in bf16, too.
TEST_CASE("hyperparameters are set and read as on tl::cpu") {
  const std::vector<float> x = numbers(24), y = numbers(12);
  const auto rule = [] {
    return tl::partition(
        tl::for_parameters<"first">(tl::names_like<"a.*">, tl::adam({.learning_rate = 1e-2})),
        tl::for_parameters<"rest">(
            tl::names_like<"b.*">,
            tl::sgd({.learning_rate = tl::exponential_schedule({.start = 0.1, .factor = 0.9})})));
  };
  tl::trainer usual{regression, rule(), tl::cpu{.threads = 1}, 5};
  tl::trainer net{regression, rule(), tl::bare{}, 5};
  const auto check_steps = [&] {
    for (int step = 0; step < 5; ++step) {
      CHECK(net.get<"first.learning_rate">() == usual.get<"first.learning_rate">());
      CHECK(net.get<"rest.learning_rate">() == usual.get<"rest.learning_rate">());
      const float wanted = usual.step("x"_t = x, "y"_t = y).loss();
      CHECK(std::fabs(net.step("x"_t = x, "y"_t = y).loss() - wanted) <= 1e-5f * wanted);
    }
  };
  check_steps();
  CHECK(std::isnan(net.get<"learning_rate">()));  // there are two
  usual.set<"first.learning_rate">(3e-3);
  CHECK(net.set<"first.learning_rate">(3e-3));
  check_steps();
  usual.set<"learning_rate">(2e-3);  // also in place of the schedule
  CHECK(net.set<"learning_rate">(2e-3));
  CHECK(net.get<"learning_rate">() == 2e-3);
  check_steps();
  CHECK(!net.set<"learning_rate">(-1));
  CHECK(!net.set<"beta1">(1));
  CHECK(!net.set<"weight_decay">(std::nan("")));
  check_steps();
  const auto linear = [] { return tl::linear_schedule({.start = 1e-2, .end = 0, .steps = 30}); };
  usual.set<"learning_rate">(linear());
  CHECK(net.set<"learning_rate">(linear()));
  check_steps();
}

TEST_CASE("states in 16 bits") {
  const auto adam = [] { return tl::adam({.learning_rate = 0.01, .beta2 = 0.99}); };
  const auto both = [&] { return tl::states_as<tl::bf16>(adam()); };
  const auto means = [&] { return tl::states_as<tl::f16, "adam.mu">(adam()); };
  const auto size_with = [](auto rule) {
    return sizeof(
        tl::trainer<std::remove_const_t<decltype(layers)>, decltype(rule), tl::bare, tl::deferred_updates_t>);
  };
  // but for what alignment takes of each of the six parameters' moments
  const std::size_t moment = (6 * 20 + 20 + 20 * 24 + 24 + 24 * 3 + 3) * sizeof(float), room = 6 * 64;
  CHECK(size_with(both()) < size_with(adam()) - moment + 2 * room);
  CHECK(size_with(means()) < size_with(adam()) - moment / 2 + room);

  const std::vector<float> x = numbers(24), y = numbers(12);
  check_same_losses(regression, both(), 2e-3, "x"_t = x, "y"_t = y);
  check_same_losses(regression, means(), 2e-4, "x"_t = x, "y"_t = y);
  tl::trainer exact{regression, adam(), tl::bare{}};
  tl::trainer rounded{regression, both(), tl::bare{}};
  float wanted = 0, given = 0, first = 0;
  for (int step = 0; step < 200; ++step) {
    wanted = exact.step("x"_t = x, "y"_t = y).loss();
    given = rounded.step("x"_t = x, "y"_t = y).loss();
    if (step == 0) first = given;
  }
  CHECK(wanted < 0.1f * first);
  CHECK(given < 0.1f * first);
}

TEST_CASE("one sample") {
  check_same_losses(one_sample, tl::sgd({.learning_rate = 0.5}), 1e-5, "x"_t = numbers(4),
                    "y"_t = numbers(12));
}

TEST_CASE("classes of words") {
  const std::vector<std::int32_t> words{1, 2, 3, 4, 4, 4, 0, 9, 9, 8, 1, 1};
  const std::vector<std::int64_t> y{0, 4, 2};
  check_same_losses(classes, tl::adam({.learning_rate = 0.01}), 1e-5, "words"_t = words, "y"_t = y);
}

TEST_CASE("prefix sums") {
  check_same_losses(prefix_sums, tl::sgd({.learning_rate = 0.01}), 1e-5, "x"_t = numbers(15),
                    "y"_t = numbers(15));
}

TEST_CASE("products of many shapes") {
  check_same_losses(products, tl::sgd({.learning_rate = 0.02}), 1e-5, "a"_t = numbers(45),
                    "b"_t = numbers(51), "c"_t = numbers(198), "d"_t = numbers(60), "e"_t = numbers(720),
                    "f"_t = numbers(140));
}

TEST_CASE("a sequence") {
  check_same_losses(sequence, tl::sgd({.learning_rate = 0.1}), 1e-5, "x"_t = numbers(30), "y"_t = numbers(8));
}

TEST_CASE("images") {
  check_same_losses(image, tl::sgd({.learning_rate = 0.1}), 1e-5, "x"_t = numbers(72), "y"_t = numbers(4));
}

TEST_CASE("what does not fit changes nothing") {
  tl::trainer net{classes, tl::sgd({.learning_rate = 0.1}), tl::bare{}};
  const std::vector<std::int32_t> words(12, 3);
  const std::vector<std::int64_t> y{0, 4, 2};
  const float before = net.parameter<"out.weight">()[0];
  const auto refused = [&](const auto& result) {
    CHECK_FALSE(result.is_valid());
    CHECK(std::isnan(result.loss()));
    CHECK(result.template get<"logits">().size() == 0);
    CHECK(net.parameter<"out.weight">()[0] == before);
    CHECK(net.steps() == 0);
  };
  refused(net.step("words"_t = std::vector<std::int32_t>(11, 3), "y"_t = y));
  refused(net.step("words"_t = words, "y"_t = std::vector<std::int64_t>{0, 5, 2}));
  refused(net.step("words"_t = std::vector<std::int32_t>(12, 10), "y"_t = y));
  CHECK(net.step("words"_t = words, "y"_t = y).is_valid());
  CHECK(net.parameter<"out.weight">()[0] != before);
  CHECK(net.predict("words"_t = words).get<"logits">().size() == 15);
}

TEST_CASE("saved bytes are a safetensors file") {
  tl::trainer net{regression, tl::sgd({.learning_rate = 0.1}), tl::bare{}, 1};
  std::vector<unsigned char> bytes(decltype(net)::saved_bytes());
  CHECK(net.save(bytes.data(), bytes.size() - 1) == 0);
  REQUIRE(net.save(bytes.data(), bytes.size()) == static_cast<long>(bytes.size()));

  const test::temporary_folder folder;
  const std::string path = folder.write("bare.safetensors", std::string(bytes.begin(), bytes.end()));
  tl::trainer usual{regression, tl::sgd({.learning_rate = 0.1}), tl::cpu{.threads = 1}, 2};
  tl::load(usual, path);
  const auto weight = usual.parameter<"a.weight">();
  for (std::size_t i = 0; i < weight.size(); ++i) REQUIRE(weight[i] == net.parameter<"a.weight">()[i]);

  tl::trainer other{regression, tl::sgd({.learning_rate = 0.1}), tl::bare{}, 3};
  CHECK_FALSE(other.load(bytes.data(), bytes.size() - 1));
  CHECK(other.load(bytes.data(), bytes.size()));
  CHECK(other.parameter<"b.bias">()[1] == net.parameter<"b.bias">()[1]);
  bytes[20] ^= 1;
  CHECK_FALSE(other.load(bytes.data(), bytes.size()));
}

TEST_CASE("names with quotes, backslashes and other characters are those of tl::save") {
  constexpr auto model = [] {
    auto x = tl::input<"x", float, 1, 3>;
    return tl::mean(tl::square(tl::matmul(x, tl::param<"a\"b\\c\n\x1f\xc3\xbc", float, 3, 2>)));
  };
  const auto rule = tl::adam({.learning_rate = 0.1f});
  tl::trainer usual{model, rule, tl::cpu{.threads = 1}, 1};
  tl::trainer net{model, rule, tl::bare{}, 2};
  const std::vector<std::byte> saved = tl::save_bytes(usual);
  REQUIRE(net.load(saved.data(), saved.size()));
  std::vector<std::byte> bytes(decltype(net)::saved_bytes());
  REQUIRE(net.save(bytes.data(), bytes.size()) == static_cast<long>(bytes.size()));
  CHECK(bytes == saved);
  tl::load_bytes(usual, bytes);
  bytes.resize(decltype(net)::checkpoint_bytes());
  REQUIRE(net.save_checkpoint(bytes.data(), bytes.size()) == static_cast<long>(bytes.size()));
  tl::load_bytes(usual, bytes);
}
