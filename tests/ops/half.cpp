// SPDX-License-Identifier: BSL-1.0
// bf16 and f16: models in 16 bits agree with those in float as far as 16 bits go; sums and products are added
// up in float; casts, comparisons and fused kernels that mix types; inputs, numbers, parameters and results.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <limits>
#include <span>

#include <tapeless/io/safetensors.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/files/save.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "io/temporary_folder.hpp"
#include "value_graph.hpp"

namespace {

constexpr auto n = tl::dyn<"n">, m = tl::dyn<"m">;

// Places are numbers that 16 bits do not hold.
constexpr int counted_in_16_bits() {
  tl::graph g;
  const auto half = [&]<tl::name Name>(std::initializer_list<std::int64_t> shape) {
    return test::input<Name>(g, shape, tl::element::bf16);
  };
  const tl::value image = half.template operator()<"image">({1, 1, 8, 8});
  const tl::value heads = half.template operator()<"heads">({1, 2, 8, 4});
  const tl::value theta = half.template operator()<"theta">({1, 2, 3});
  tl::grid_sample(image, tl::affine_grid<4, 4>(theta));
  tl::upsample_bilinear2d<2>(image);
  tl::avg_pool2d<tl::pool{.kernel = 3, .padding = 1, .ceil_mode = true, .count_include_pad = false}>(image);
  tl::scaled_dot_product_attention<tl::attention_options{.alibi = true}>(heads, heads, heads);
  int count = 0;
  for (const tl::node& one : g.nodes)
    count += one.op->kind == tl::family::iota && tl::is_half(one.type) ? 1 : 0;
  return count;
}
static_assert(counted_in_16_bits() == 0);

template <class T>
struct operations {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n, m>;
    auto w = tl::input<"w", T, m, 5>;
    auto y = tl::matmul(x, w);
    auto normal = tl::layer_norm<1, 1e-5>(x);
    return tl::outputs(tl::named<"product">(y), tl::named<"softmax">(tl::softmax(x)),
                       tl::named<"normal">(normal), tl::named<"columns">(tl::sum<0>(x)),
                       tl::named<"largest">(tl::max<0>(x)), tl::named<"rows">(tl::sum<1>(x)),
                       tl::named<"so far">(tl::cumsum<0>(x)),
                       tl::named<"transposed">(tl::permute<1, 0>(x) * 2_c),
                       tl::named<"w'">(tl::grad(tl::mean(tl::square(y)), w)));
  }
};

template <class T>
struct sums {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n, m>;
    return tl::outputs(tl::named<"all">(tl::sum(x)), tl::named<"rows">(tl::sum<1>(x)),
                       tl::named<"columns">(tl::sum<0>(x)), tl::named<"so far">(tl::cumsum<1>(x)),
                       tl::named<"scaled">(tl::sum(x * tl::input<"column", T, n, 1>)),
                       tl::named<"picked">(tl::scatter_add<0>(tl::input<"zero", T, 1>,
                                                              tl::input<"index", int, m>, tl::max<0>(x))));
  }
};

template <class T>
std::vector<T> rounded(const std::vector<double>& x) {
  std::vector<T> result;
  for (double one : x) result.push_back(T(one));
  return result;
}

void require_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (double x : b) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("element " << i);
    CHECK(a[i] == test::Approx(b[i]).epsilon(tolerance).margin(tolerance * largest));
  }
}

template <class T>
void compare_with_float(double unit) {
  tl::function half{operations<T>{}};
  tl::function single{operations<float>{}};
  for (const std::size_t rows : {1u, 3u, 300u})
    for (const std::size_t columns : {1u, 4u, 7u, 33u}) {
      INFO(rows << " x " << columns);
      test::numbers random;
      const auto x = rounded<T>(random.vector(rows * columns)), w = rounded<T>(random.vector(columns * 5));
      const std::vector<float> long_x(x.begin(), x.end()), long_w(w.begin(), w.end());
      const int count = static_cast<int>(rows);
      auto a = half("x"_t = x, "w"_t = std::span<const T>(w), "n"_t = count);
      auto b = single("x"_t = long_x, "w"_t = long_w, "n"_t = count);
      // `roundings`: how many results in memory one result goes through.
      const auto near = [&](const auto& one, const auto& other, int roundings) {
        require_near(test::elements(one), test::elements(other), roundings * unit);
      };
      near(a.template get<"product">(), b.template get<"product">(), 1);
      near(a.template get<"softmax">(), b.template get<"softmax">(), 4);
      if (columns > 1) near(a.template get<"normal">(), b.template get<"normal">(), 4);
      near(a.template get<"columns">(), b.template get<"columns">(), 1);
      near(a.template get<"rows">(), b.template get<"rows">(), 1);
      near(a.template get<"so far">(), b.template get<"so far">(), 1);
      near(a.template get<"w'">(), b.template get<"w'">(), 3);
      CHECK(test::elements(a.template get<"largest">()) == test::elements(b.template get<"largest">()));
      CHECK(test::elements(a.template get<"transposed">()) == test::elements(b.template get<"transposed">()));
    }
}

}  // namespace

TEST_CASE("operations in bf16 agree with float") { compare_with_float<tl::bf16>(0x1p-8); }
TEST_CASE("operations in f16 agree with float") { compare_with_float<tl::f16>(0x1p-11); }

TEST_CASE("long sums in bf16 are added up in float") {
  tl::function f{sums<tl::bf16>{}};
  constexpr std::size_t count = 10000;
  const std::vector<tl::bf16> ones(count, tl::bf16(1));
  const std::vector<int> index(count);
  for (const std::size_t rows : {1u, 100u, 2500u, 10000u}) {
    const std::size_t columns = count / rows;
    INFO(rows << " x " << columns);
    auto r = f("x"_t = ones, "column"_t = std::vector<tl::bf16>(rows, tl::bf16(1)),
               "zero"_t = std::vector<tl::bf16>(1, tl::bf16(0)), "index"_t = std::span(index).first(columns),
               "n"_t = static_cast<int>(rows));
    const auto is = [](const auto& view, std::size_t i, std::size_t expected) {
      CHECK(view[i].bits == tl::bf16(expected).bits);
    };
    is(r.get<"all">(), 0, count);
    is(r.get<"scaled">(), 0, count);
    is(r.get<"rows">(), rows - 1, columns);
    is(r.get<"columns">(), columns - 1, rows);
    is(r.get<"so far">(), columns - 1, columns);
    is(r.get<"picked">(), 0, columns);
  }
}

namespace {

/// Of values whose sums, and sums of squares, f16 cannot hold.
template <class T>
struct statistics {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, 4, 1024>;
    auto images = tl::reshape<4, 2, 16, 32>(x);
    auto rms = tl::rms_norm(x);
    constexpr tl::batch_norm_options of_the_batch{.affine = false, .track_running_stats = false};
    return tl::outputs(
        tl::named<"mean">(tl::mean<1>(x)), tl::named<"var">(tl::var<1>(x / 4_c)),
        tl::named<"std">(tl::std<1>(x)), tl::named<"norm">(tl::norm<1>(x)),
        tl::named<"norm_3">(tl::norm<1>(x, tl::order<3>)), tl::named<"layer">(tl::layer_norm(x)),
        tl::named<"rms">(rms), tl::named<"rms'">(tl::grad(tl::mean(tl::square(tl::square(rms))) * 1000_c, x)),
        tl::named<"group">(tl::group_norm<1>(images)), tl::named<"instance">(tl::instance_norm(images)),
        tl::named<"batch">(tl::batch_norm<"bn", of_the_batch>(x)), tl::named<"unit">(tl::normalize(x)),
        tl::named<"no direction">(tl::normalize(x * 0_c)), tl::named<"mse">(tl::mse_loss(x / 4_c, 0_c)),
        tl::named<"weighted">(tl::mse_loss(x / 4_c, 0_c, tl::sample_weights(tl::abs(tl::slice<1, 0, 1>(x))))),
        tl::named<"smoothed">(tl::cross_entropy<tl::loss{.label_smoothing = 0.5}>(x, tl::argmin<1>(x))),
        tl::named<"dice">(
            tl::dice_loss<tl::loss{.reduce = tl::reduction::none}>(tl::abs(x), tl::abs(x) * 0.5_c)));
  }
};

template <class T>
struct followed_batch {
  constexpr auto operator()() const {
    return tl::mean(tl::batch_norm<"bn">(tl::input<"x", T, n, 1>) * tl::param<"w", T, 1>(tl::fill(1)));
  }
};

template <class T>
void compare_statistics(double unit) {
  tl::function half{statistics<T>{}};
  tl::function single{statistics<float>{}};
  for (const double offset : {0.0, 66.0, 500.0}) {
    INFO("around " << offset);
    std::vector<double> numbers = test::numbers().vector(4096);
    for (double& number : numbers) number = 300 * number + offset;
    const auto x = rounded<T>(numbers);
    auto a = half("x"_t = x);
    auto b = single("x"_t = std::vector<float>(x.begin(), x.end()));
    const auto near = [&](const auto& one, const auto& other, int roundings = 2) {
      require_near(test::elements(one), test::elements(other), roundings * unit);
    };
    near(a.template get<"mean">(), b.template get<"mean">());
    near(a.template get<"var">(), b.template get<"var">(), 3);  // the quarter is rounded, too
    near(a.template get<"std">(), b.template get<"std">());
    near(a.template get<"norm">(), b.template get<"norm">());
    near(a.template get<"norm_3">(), b.template get<"norm_3">());
    near(a.template get<"layer">(), b.template get<"layer">());
    near(a.template get<"rms">(), b.template get<"rms">());
    near(a.template get<"rms'">(), b.template get<"rms'">(), 12);
    near(a.template get<"group">(), b.template get<"group">());
    near(a.template get<"instance">(), b.template get<"instance">());
    near(a.template get<"batch">(), b.template get<"batch">());
    near(a.template get<"unit">(), b.template get<"unit">());
    near(a.template get<"no direction">(), b.template get<"no direction">());
    near(a.template get<"mse">(), b.template get<"mse">());
    near(a.template get<"weighted">(), b.template get<"weighted">());
    near(a.template get<"smoothed">(), b.template get<"smoothed">(), 4);
    near(a.template get<"dice">(), b.template get<"dice">());
  }
}

}  // namespace

TEST_CASE("what is made of sums in bf16 is computed in float") { compare_statistics<tl::bf16>(0x1p-8); }
TEST_CASE("what is made of sums in f16 is computed in float") { compare_statistics<tl::f16>(0x1p-11); }

TEST_CASE("running statistics in f16 follow sums that f16 cannot hold") {
  tl::trainer net{followed_batch<tl::f16>{}, tl::sgd({.learning_rate = 0.1f})};
  std::vector<tl::f16> x;
  for (int i = 0; i < 1024; ++i) x.push_back(tl::f16(i % 2 == 0 ? 300 : 100));
  net.step("x"_t = x);
  CHECK(net.parameter<"bn.running_mean">()[0] == test::Approx(20).epsilon(0.002));
  CHECK(net.parameter<"bn.running_var">()[0] == test::Approx(0.9 + 1000 * 1024.0 / 1023).epsilon(0.002));
}

namespace {

constexpr auto conversions = [] {
  auto x = tl::input<"x", float, 11>;
  auto b = tl::cast<tl::bf16>(x);
  auto h = tl::cast<tl::f16>(x);
  auto i = tl::cast<int>(x);
  auto half = tl::input<"half", tl::f16>;
  return tl::outputs(
      tl::named<"b">(b), tl::named<"h">(h), tl::named<"from integers">(tl::cast<tl::f16>(i)),
      tl::named<"to integers">(tl::cast<std::int64_t>(tl::input<"y", tl::bf16, 11>)),
      tl::named<"to doubles">(tl::cast<double>(tl::input<"y", tl::bf16, 11>)),
      tl::named<"positive">(tl::cast<tl::bf16>(x > 0_c)),
      tl::named<"mixed">(tl::cast<float>(tl::input<"y", tl::bf16, 11>) * x +
                         tl::cast<float>(tl::input<"z", tl::f16, 11>)),
      tl::named<"picked">(tl::where(tl::input<"y", tl::bf16, 11> < 0_c, 0.5_c, tl::input<"y", tl::bf16, 11>)),
      tl::named<"scaled">(half * tl::input<"z", tl::f16, 11>));
};

template <class T>
struct line {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n, 4>;
    auto y = tl::linear<"fc", 3>(x) * tl::param<"scale", T, 3>(tl::fill(1));
    return tl::mean(tl::square(y - tl::input<"y", T, n, 3>));
  }
};

}  // namespace

TEST_CASE("constants that are cast to 16 bits have their digits, others keep their own") {
  tl::function f{[] {
    auto x = tl::input<"x", float, 1>;
    auto h = tl::input<"h", tl::f16, 1>;
    const auto in_float = [](auto y) { return tl::cast<float>(y); };
    return tl::outputs(tl::named<"f16">(x * in_float(tl::cast<tl::f16>(0.1_c))),
                       tl::named<"bf16">(x * in_float(tl::cast<tl::bf16>(0.1_c))),
                       tl::named<"full">(x * in_float(tl::full<tl::f16, 1>(0.1_c))),
                       tl::named<"full_like">(x * in_float(tl::full_like(h, 0.1_c))),
                       tl::named<"large">(x * in_float(tl::cast<tl::f16>(-1e5_c))),
                       tl::named<"beyond float">(x * in_float(tl::cast<tl::bf16>(1e300_c))),
                       tl::named<"met">(in_float(h * 0.1_c)));
  }};
  const std::vector<float> x{1};
  const std::vector<tl::f16> h{tl::f16(1)};
  const auto r = f("x"_t = x, "h"_t = h);
  const float tenth = tl::f16(0.1f), infinity = std::numeric_limits<float>::infinity();
  CHECK(r.get<"f16">()[0] == tenth);
  CHECK(r.get<"bf16">()[0] == float(tl::bf16(0.1f)));
  CHECK(r.get<"full">()[0] == tenth);
  CHECK(r.get<"full_like">()[0] == tenth);
  CHECK(r.get<"large">()[0] == -infinity);
  CHECK(r.get<"beyond float">()[0] == infinity);
  CHECK(r.get<"met">()[0] == 0.1f);  // as PyTorch's numbers next to tensors of 16 bits
}

TEST_CASE("casts between all types, in fused kernels that mix them") {
  tl::function f{conversions};
  std::vector<float> x;
  std::vector<tl::bf16> y;
  std::vector<tl::f16> z;
  for (int i = 0; i < 11; ++i) {
    x.push_back(static_cast<float>(i) * 1.37f - 5.1f);
    y.push_back(tl::bf16(i * 100 - 300));
    z.push_back(tl::f16(i * 0.1));
  }
  auto r = f("x"_t = x, "y"_t = y, "z"_t = z, "half"_t = tl::f16(0.5));
  for (std::size_t i = 0; i < 11; ++i) {
    INFO("element " << i);
    CHECK(r.get<"b">()[i].bits == tl::bf16(x[i]).bits);
    CHECK(r.get<"h">()[i].bits == tl::f16(x[i]).bits);
    CHECK(r.get<"from integers">()[i].bits == tl::f16(static_cast<int>(x[i])).bits);
    CHECK(r.get<"to integers">()[i] == static_cast<std::int64_t>(float(y[i])));
    CHECK(r.get<"to doubles">()[i] == double(float(y[i])));
    CHECK(r.get<"positive">()[i] == (x[i] > 0 ? 1.0f : 0.0f));
    CHECK(r.get<"mixed">()[i] == test::Approx(float(y[i]) * x[i] + float(z[i])).epsilon(1e-6));
    CHECK(r.get<"picked">()[i] == (y[i] < 0 ? 0.5f : float(y[i])));
    CHECK(r.get<"scaled">()[i].bits == tl::f16(0.5f * float(z[i])).bits);
  }
}

TEST_CASE("parameters of 16 bits start, learn, and come back from a file") {
  tl::trainer net{line<tl::bf16>{}, tl::sgd({.learning_rate = 0.1f})};
  tl::trainer single{line<float>{}, tl::sgd({.learning_rate = 0.1f})};
  CHECK(net.parameter<"scale">()[2] == 1.0f);
  for (std::size_t i = 0; i < 12; ++i)
    CHECK(net.parameter<"fc.weight">()[i].bits == tl::bf16(single.parameter<"fc.weight">()[i]).bits);
  const auto x = rounded<tl::bf16>(test::numbers(1).vector(80)),
             y = rounded<tl::bf16>(test::numbers(2).vector(60));
  const double before = net.evaluate("x"_t = x, "y"_t = y).loss();
  for (int i = 0; i < 20; ++i) net.step("x"_t = x, "y"_t = y);
  const double after = net.evaluate("x"_t = x, "y"_t = y).loss();
  CHECK(after < 0.9 * before);

  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors");
  tl::save(net, path);
  tl::trainer other{line<tl::bf16>{}, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}, 5};
  tl::load(other, path);
  CHECK(other.evaluate("x"_t = x, "y"_t = y).loss() == net.evaluate("x"_t = x, "y"_t = y).loss());
  const auto file = tl::io::safetensors::read(path);
  CHECK(file["fc.bias"].as<tl::bf16>()[1].bits == net.parameter<"fc.bias">()[1].bits);
}
