// SPDX-License-Identifier: BSL-1.0
// A program that is compiled with -ffast-math trains, and where all numbers are finite it computes what plain
// loops do: no number of the library's own depends on NaN or infinity.
#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

int failures = 0;

void expect_near(const char* what, double got, double expected, double tolerance = 1e-5) {
  // Compared as whole numbers, as NaN is beyond them, too, and compilers take it that there is none.
  const auto size = [](double x) { return std::bit_cast<std::uint64_t>(x) << 1; };
  if (size(got - expected) <= size(tolerance * (1 + std::fabs(expected)))) return;
  std::printf("%s: %g, not %g\n", what, got, expected);
  ++failures;
}
template <class All>
void expect_all_near(const char* what, const All& got, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    expect_near(what, static_cast<double>(got.data()[i]), expected[i]);
}

constexpr int rows = 5, classes = 6;

std::vector<float> scores() {
  std::vector<float> x(rows * classes);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 37 % 23) * 0.25f - 3;
  return x;
}

template <auto Rows>
constexpr auto extremes = [] {
  auto x = tl::input<"x", float, Rows, classes>;
  return tl::outputs(
      tl::named<"max">(tl::max<1>(x)), tl::named<"min">(tl::min<1>(x)), tl::named<"argmax">(tl::argmax<1>(x)),
      tl::named<"argmin">(tl::argmin<1>(x)), tl::named<"columns">(tl::max<0>(x)),
      tl::named<"all">(tl::max(x)), tl::named<"softmax">(tl::softmax(x)),
      tl::named<"log_softmax">(tl::log_softmax(x)), tl::named<"logsumexp">(tl::logsumexp<1>(x)),
      tl::named<"cummax">(tl::cummax<1>(x).values), tl::named<"logcumsumexp">(tl::logcumsumexp<1>(x)),
      tl::named<"erfinv">(tl::erf(tl::erfinv(0.25_c * x))));
};

template <auto Rows>
void compare_extremes() {
  const std::vector<float> x = scores();
  std::vector<double> most, least, most_at, least_at, columns, softmax, logs, sums, cummax, cumulative;
  double all = x[0];
  for (int i = 0; i < rows; ++i) {
    const float* row = x.data() + i * classes;
    int high = 0, low = 0;
    double total = 0, so_far = 0, highest = row[0];
    for (int j = 0; j < classes; ++j) {
      if (row[j] > row[high]) high = j;
      if (row[j] < row[low]) low = j;
      total += std::exp(double(row[j]));
    }
    for (int j = 0; j < classes; ++j) {
      softmax.push_back(std::exp(double(row[j])) / total);
      logs.push_back(double(row[j]) - std::log(total));
      so_far += std::exp(double(row[j]));
      cumulative.push_back(std::log(so_far));
      if (row[j] > highest) highest = row[j];
      cummax.push_back(highest);
    }
    most.push_back(row[high]);
    least.push_back(row[low]);
    most_at.push_back(high);
    least_at.push_back(low);
    sums.push_back(std::log(total));
    if (row[high] > all) all = row[high];
  }
  for (int j = 0; j < classes; ++j) {
    double high = x[static_cast<std::size_t>(j)];
    for (int i = 1; i < rows; ++i)
      if (x[static_cast<std::size_t>(i * classes + j)] > high)
        high = x[static_cast<std::size_t>(i * classes + j)];
    columns.push_back(high);
  }
  tl::function f{extremes<Rows>};
  const auto y = f("x"_t = x);
  expect_all_near("max", y.template get<"max">(), most);
  expect_all_near("min", y.template get<"min">(), least);
  expect_all_near("argmax", y.template get<"argmax">(), most_at);
  expect_all_near("argmin", y.template get<"argmin">(), least_at);
  expect_all_near("max of columns", y.template get<"columns">(), columns);
  expect_all_near("max of all", y.template get<"all">(), {all});
  expect_all_near("softmax", y.template get<"softmax">(), softmax);
  expect_all_near("log_softmax", y.template get<"log_softmax">(), logs);
  expect_all_near("logsumexp", y.template get<"logsumexp">(), sums);
  expect_all_near("cummax", y.template get<"cummax">(), cummax);
  std::vector<double> quarters;
  for (const float number : x) quarters.push_back(0.25 * double(number));
  expect_all_near("erfinv", y.template get<"erfinv">(), quarters);
  expect_all_near("logcumsumexp", y.template get<"logcumsumexp">(), cumulative);
}

constexpr int images = 3, side = 9, pooled = 5;

constexpr auto pools = [] {
  auto x = tl::input<"x", float, images, 1, side, side>;
  auto y = tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1}>(x);
  return tl::outputs(tl::named<"max">(y), tl::named<"gradient">(tl::grad(tl::sum(tl::square(y)), x)),
                     tl::named<"adaptive">(tl::adaptive_max_pool2d<2, 2>(x)));
};

void compare_pools() {
  std::vector<float> x(images * side * side);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 97 % x.size()) * -0.01f - 1.0f;
  std::vector<double> most, gradient(x.size()), adaptive;
  const auto largest_at = [&](int n, int top, int bottom, int left, int right) {
    int at = -1;
    for (int a = top < 0 ? 0 : top; a < bottom && a < side; ++a)
      for (int b = left < 0 ? 0 : left; b < right && b < side; ++b) {
        const int here = (n * side + a) * side + b;
        if (at < 0 || x[static_cast<std::size_t>(here)] > x[static_cast<std::size_t>(at)]) at = here;
      }
    return static_cast<std::size_t>(at);
  };
  for (int n = 0; n < images; ++n) {
    for (int i = 0; i < pooled; ++i)
      for (int j = 0; j < pooled; ++j) {
        const std::size_t at = largest_at(n, 2 * i - 1, 2 * i + 2, 2 * j - 1, 2 * j + 2);
        most.push_back(x[at]);
        gradient[at] += 2 * double(x[at]);
      }
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) adaptive.push_back(x[largest_at(n, 4 * i, 4 * i + 5, 4 * j, 4 * j + 5)]);
  }
  tl::function f{pools};
  const auto y = f("x"_t = x);
  expect_all_near("max_pool", y.get<"max">(), most);
  expect_all_near("gradient of max_pool", y.get<"gradient">(), gradient);
  expect_all_near("adaptive_max_pool", y.get<"adaptive">(), adaptive);
}

constexpr int length = 40, width = 8;

template <tl::attention_options Options>
constexpr auto attention = [] {
  auto q = tl::input<"q", float, 1, length, width>;
  auto k = tl::input<"k", float, 1, length, width>;
  auto v = tl::input<"v", float, 1, length, width>;
  auto y = tl::scaled_dot_product_attention<Options>(q, k, v);
  return tl::outputs(tl::named<"y">(y), tl::named<"gradient">(tl::grad(tl::sum(tl::square(y)), v)));
};
constexpr auto masked_attention = [] {
  auto q = tl::input<"q", float, 1, length, width>;
  auto k = tl::input<"k", float, 1, length, width>;
  auto v = tl::input<"v", float, 1, length, width>;
  auto y = tl::scaled_dot_product_attention(q, k, v, tl::input<"mask", bool, length, length>);
  return tl::outputs(tl::named<"y">(y), tl::named<"gradient">(tl::grad(tl::sum(tl::square(y)), v)));
};

void compare_attention() {
  std::vector<float> q(length * width), k(q), v(q);
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] = static_cast<float>(i * 31 % 17) * 0.2f - 1.5f;
    k[i] = static_cast<float>(i * 13 % 19) * 0.2f - 1.5f;
    v[i] = static_cast<float>(i * 7 % 11) * 0.2f - 1;
  }
  const std::unique_ptr<bool[]> mask(new bool[length * length]);
  for (int i = 0; i < length; ++i)
    for (int j = 0; j < length; ++j) mask[static_cast<std::size_t>(i * length + j)] = (i * 5 + j * 3) % 7 < 3;
  const auto at = [](const std::vector<float>& x, int i, int d) {
    return double(x[static_cast<std::size_t>(i * width + d)]);
  };
  for (const int kind : {0, 1, 2}) {
    std::vector<double> expected, gradient(v.size());
    for (int i = 0; i < length; ++i) {
      double weights[length], total = 0;
      for (int j = 0; j < length; ++j) {
        double score = 0;
        for (int d = 0; d < width; ++d) score += at(q, i, d) * at(k, j, d);
        const bool seen = kind == 0 || (kind == 1 ? j <= i : mask[static_cast<std::size_t>(i * length + j)]);
        weights[j] = seen ? std::exp(score / std::sqrt(double(width))) : 0;
        total += weights[j];
      }
      for (int d = 0; d < width; ++d) {
        double sum = 0;
        for (int j = 0; j < length; ++j) sum += weights[j] / total * at(v, j, d);
        expected.push_back(sum);
        for (int j = 0; j < length; ++j)
          gradient[static_cast<std::size_t>(j * width + d)] += 2 * sum * weights[j] / total;
      }
    }
    const auto compare = [&](const char* what, const auto& y) {
      expect_all_near(what, y.template get<"y">(), expected);
      expect_all_near((std::string("gradient of ") + what).c_str(), y.template get<"gradient">(), gradient);
    };
    if (kind == 0)
      compare("attention", tl::function{attention<tl::attention_options{}>}("q"_t = q, "k"_t = k, "v"_t = v));
    if (kind == 1)
      compare("causal attention", tl::function{attention<tl::attention_options{.causal = true}>}(
                                      "q"_t = q, "k"_t = k, "v"_t = v));
    if (kind == 2)
      compare("masked attention",
              tl::function{masked_attention}("q"_t = q, "k"_t = k, "v"_t = v,
                                             "mask"_t = std::span(mask.get(), length * length)));
  }
}

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  auto y = tl::input<"y", std::int32_t, tl::dyn<"batch">>;
  return tl::cross_entropy(tl::linear<"out", classes>(tl::tanh(tl::linear<"hidden", 16>(x))), y);
};

void train() {
  tl::trainer net{model, tl::adamw({.learning_rate = tl::cosine_schedule({.start = 2e-2, .steps = 1000})})};
  const std::vector<float> x{0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 0, 2};
  const std::vector<std::int32_t> y{0, 1, 2, 3, 4, 5};
  float loss = 0;
  for (int step = 0; step < 400; ++step) {
    if (step == 200) net.set<"weight_decay">(0.0);
    loss = net.step("x"_t = x, "y"_t = y).loss();
    if (step == 0) expect_near("first loss", loss, std::log(double(classes)), 0.4);
    if (!(loss >= 0)) {
      std::printf("loss %g in step %d\n", double(loss), step);
      ++failures;
      return;
    }
  }
  if (!(loss < 0.05f)) {
    std::printf("last loss %g\n", double(loss));
    ++failures;
  }
}

}  // namespace

int main() {
  compare_extremes<tl::dyn<"batch">>();
  compare_extremes<rows>();
  compare_pools();
  compare_attention();
  train();
  return failures == 0 ? 0 : 1;
}
