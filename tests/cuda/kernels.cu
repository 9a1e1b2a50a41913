// SPDX-License-Identifier: BSL-1.0
// Every family of kernels on the GPU, in all element types that it takes; attention in 16 bits. Compiled and
// linked where there is no GPU; where there is one, its results are compared with the CPU's.
#include <tapeless/tapeless.hpp>

#include <tapeless/ops/spectral.hpp>
#include <tapeless/run/cuda/cuda.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto rows = tl::dyn<"rows">;
constexpr auto length = tl::dyn<"length">;

/// A user's own operation, with a derivative of its own.
struct binarize : tl::custom_op {
  static constexpr auto forward(auto x) { return tl::sign(x); }
  static constexpr auto backward(auto g, auto x, auto /*y*/) {
    return tl::where(tl::abs(x) <= 1.0, g, 0.0 * g);
  }
};

/// Maps, a user's own operation and its derivative, reductions of rows, columns and all, rows in one launch,
/// indices, products, padding, windows, convolutions and Fourier transforms.
template <class T>
struct families {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, rows, 24>;
    auto weight = tl::input<"weight", T, 24, 24>;
    auto index = tl::input<"index", std::int32_t, rows>;
    auto map = tl::tanh(x) * x;
    auto normal = tl::layer_norm<"norm">(x);
    auto picked = tl::gather<0>(weight, tl::expand<rows, 24>(tl::reshape<rows, 1>(index)));
    auto added = tl::grad(tl::sum(tl::square(picked)), weight);
    auto image = tl::reshape<rows, 1, 4, 6>(x);
    auto pooled = tl::max_pool2d<tl::pool{.kernel = 2}>(image);
    constexpr tl::pool overlapping{.kernel = {2, 3}, .stride = 1, .padding = {1, 1}};
    auto largest_seen = tl::max_pool2d<overlapping>(image);
    auto mean_seen = tl::avg_pool2d<overlapping>(image);
    auto activated = tl::gelu<tl::approximation::tanh>(tl::matmul(x, weight));
    auto filter = tl::reshape<24, 1, 4, 6>(weight);
    auto seen = tl::conv2d<tl::conv{.padding = {2, 3}}>(image, filter);
    auto seen_slope = tl::sum(tl::square(seen));
    auto complex = tl::reshape<rows, 12, 2>(x);
    auto sign = tl::apply<binarize>(x - 0.5_c);
    return tl::outputs(
        tl::named<"map">(map), tl::named<"sign">(sign),
        tl::named<"sign_slope">(tl::grad(tl::sum(sign * x), x)), tl::named<"by_row">(tl::sum<-1>(map)),
        tl::named<"by_column">(tl::mean<0>(map)), tl::named<"largest">(tl::max(map)),
        tl::named<"softmax">(tl::softmax(x)), tl::named<"norm">(normal), tl::named<"picked">(picked),
        tl::named<"added">(added), tl::named<"flipped">(tl::flip<1>(x)),
        tl::named<"summed">(tl::cumsum<1>(x)), tl::named<"summed_down">(tl::cumsum<0>(x)),
        tl::named<"product">(tl::matmul(x, weight)), tl::named<"activated">(activated),
        tl::named<"activated_slope">(tl::grad(tl::sum(tl::square(tl::matmul(activated, weight))), x)),
        tl::named<"pooled">(pooled), tl::named<"slope">(tl::grad(tl::sum(tl::square(pooled)), x)),
        tl::named<"largest_seen">(largest_seen), tl::named<"mean_seen">(mean_seen),
        tl::named<"largest_slope">(tl::grad(tl::sum(tl::square(largest_seen)), x)),
        tl::named<"mean_slope">(tl::grad(tl::sum(tl::square(mean_seen)), x)), tl::named<"seen">(seen),
        tl::named<"spectrum">(tl::fft(complex)), tl::named<"signal">(tl::ifft(complex)),
        tl::named<"half_spectrum">(tl::rfft(x)), tl::named<"real_signal">(tl::irfft(complex)),
        tl::named<"image">(tl::grad(seen_slope, x)), tl::named<"filter">(tl::grad(seen_slope, weight)));
  }
};

/// How far the outputs of a run are from those of another: the largest difference by 1 + the largest number
/// that is expected, and whether it may be.
class comparison {
 public:
  explicit comparison(const char* type, double tolerance) : type_(type), tolerance_(tolerance) {}

  template <tl::name... Name, class A, class B>
  void add(const A& a, const B& b) {
    (add_one<Name>(a, b), ...);
  }
  int wrong() const { return wrong_; }

 private:
  const char* type_;
  double tolerance_;
  int wrong_ = 0;

  template <tl::name Name, class A, class B>
  void add_one(const A& a, const B& b) {
    const auto x = a.template get<Name>();
    const auto y = b.template get<Name>();
    double most = x.size() == y.size() ? 0 : INFINITY, scale = 1;
    for (const auto& q : y) scale = std::max(scale, 1 + std::abs(static_cast<double>(q)));
    for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) {
      const double p = static_cast<double>(x[i]), q = static_cast<double>(y[i]);
      const double error = std::abs(p - q) / scale;
      if (!(error <= most)) most = std::isnan(error) ? INFINITY : error;
    }
    const bool is_right = most <= tolerance_;
    wrong_ += is_right ? 0 : 1;
    std::printf("%s %s: largest error %.2g%s\n", type_, Name.view().data(), most,
                is_right ? "" : ", too large");
  }
};

template <class A, class B>
int all_differences(const char* type, double tolerance, const A& a, const B& b) {
  comparison c(type, tolerance);
  c.add<"activated_slope", "map", "sign", "sign_slope", "by_row", "by_column", "largest", "softmax", "norm",
        "picked", "added", "flipped", "summed", "summed_down", "product", "activated", "pooled", "slope",
        "largest_seen", "mean_seen", "largest_slope", "mean_slope", "seen", "spectrum", "signal",
        "half_spectrum", "real_signal", "image", "filter">(a, b);
  return c.wrong();
}

/// With the CPU, within the tolerance; and a second run with the first, bit for bit.
template <class T>
int compare(const char* type, std::size_t n, double tolerance) {
  std::vector<T> x(n * 24), weight(24 * 24);
  std::vector<std::int32_t> index(n);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = T(std::sin(0.7f * static_cast<float>(i)));
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = T(std::cos(0.3f * static_cast<float>(i)));
  for (std::size_t i = 0; i < n; ++i) index[i] = static_cast<std::int32_t>(i * 7 % 24);
  tl::function<families<T>, tl::cpu> here{families<T>{}};
  tl::function<families<T>, tl::cuda> there{families<T>{}}, again{families<T>{}};
  const auto a = here("x"_t = x, "weight"_t = weight, "index"_t = index);
  const auto b = there("x"_t = x, "weight"_t = weight, "index"_t = index);
  const auto c = again("x"_t = x, "weight"_t = weight, "index"_t = index);
  std::printf("%zu rows of %s, against the CPU:\n", n, type);
  const int wrong = all_differences(type, tolerance, b, a);
  std::printf("the same once more:\n");
  return wrong + all_differences(type, 0, c, b);
}

/// An attention with its gradients, by heads of 64 columns that lie side by side.
template <class T, bool Causal>
struct attention {
  constexpr auto operator()() const {
    const auto heads = [](auto x) { return tl::permute<0, 2, 1, 3>(tl::reshape<2, length, 3, 64>(x)); };
    auto qkv = tl::input<"qkv", T, 2, length, 576>;
    auto q = heads(tl::slice<2, 0, 192>(qkv));
    auto k = heads(tl::slice<2, 192, 384>(qkv));
    auto v = heads(tl::slice<2, 384, 576>(qkv));
    auto y = tl::scaled_dot_product_attention<tl::attention_options{.causal = Causal}>(q, k, v);
    return tl::outputs(tl::named<"attended">(y),
                       tl::named<"attended_slope">(tl::grad(tl::sum(tl::sin(y)), qkv)));
  }
};

/// With the CPU in float, within what 16 bits can hold; and a second run with the first, bit for bit.
template <class T, bool Causal>
int compare_attention(const char* type, std::size_t positions, double tolerance) {
  std::vector<T> qkv(2 * positions * 576);
  std::vector<float> numbers;
  for (std::size_t i = 0; i < qkv.size(); ++i) {
    qkv[i] = T(std::sin(0.7f * static_cast<float>(i)) + std::cos(0.011f * static_cast<float>(i)));
    numbers.push_back(static_cast<float>(qkv[i]));
  }
  tl::function<attention<float, Causal>, tl::cpu> here{attention<float, Causal>{}};
  tl::function<attention<T, Causal>, tl::cuda> there{attention<T, Causal>{}}, again{attention<T, Causal>{}};
  const auto a = here("qkv"_t = numbers);
  const auto b = there("qkv"_t = qkv);
  const auto c = again("qkv"_t = qkv);
  std::printf("%s attention of %zu in %s, against the CPU in float, and once more:\n",
              Causal ? "causal" : "whole", positions, type);
  comparison values(type, tolerance), bits(type, 0);
  values.add<"attended", "attended_slope">(b, a);
  bits.add<"attended", "attended_slope">(c, b);
  return values.wrong() + bits.wrong();
}
int compare_attentions() {
  int wrong = 0;
  for (const std::size_t positions : {std::size_t{1}, std::size_t{100}, std::size_t{513}}) {
    wrong += compare_attention<tl::bf16, true>("bf16", positions, 2e-2);
    wrong += compare_attention<tl::bf16, false>("bf16", positions, 2e-2);
    wrong += compare_attention<tl::f16, true>("f16", positions, 3e-3);
  }
  return wrong;
}

/// What becomes of products: a GELU by tanh with its gradient, and two ReLUs. `one` is the identity, so that
/// products are exact.
struct behind_products {
  constexpr auto operator()() const {
    auto one = tl::input<"one", float, 8, 8>;
    auto x = tl::input<"x", float, rows, 8>;
    auto smooth = tl::gelu<tl::approximation::tanh>(tl::matmul(x, one));
    auto y = tl::matmul(tl::input<"y", float, rows, 8>, one);
    auto z = tl::matmul(tl::input<"z", float, rows, 8>, one) + tl::input<"bias", float, 8>;
    return tl::outputs(tl::named<"smooth">(smooth),
                       tl::named<"smooth_slope">(tl::grad(tl::sum(tl::square(tl::matmul(smooth, one))), x)),
                       tl::named<"positive">(tl::relu(y)), tl::named<"positive_biased">(tl::relu(z)));
  }
};

/// With the CPU: near -3, where 1 + tanh is small, each element by itself; a row that is no number stays so.
int compare_behind_products() {
  constexpr std::size_t count = 64 * 8;
  std::vector<float> x(count), one(8 * 8), bias(8);
  for (std::size_t i = 0; i < count; ++i) x[i] = -3.25f + 0.001f * static_cast<float>(i);
  for (std::size_t i = 0; i < 8; ++i) one[9 * i] = 1;
  std::vector<float> y = x;
  y[5] = NAN;
  tl::function<behind_products, tl::cpu> here{behind_products{}};
  tl::function<behind_products, tl::cuda> there{behind_products{}};
  const auto a = here("x"_t = x, "y"_t = y, "z"_t = y, "one"_t = one, "bias"_t = bias);
  const auto b = there("x"_t = x, "y"_t = y, "z"_t = y, "one"_t = one, "bias"_t = bias);
  const auto wrong = [](const char* what, bool is_right) {
    std::printf("%s behind a product: %s\n", what, is_right ? "right" : "wrong");
    return is_right ? 0 : 1;
  };
  const auto is_near = [](const auto& p, const auto& q, float tolerance) {
    for (std::size_t i = 0; i < count; ++i)
      if (!(std::abs(p[i] - q[i]) <= tolerance * std::abs(q[i]))) return false;
    return true;
  };
  const auto has_first_row_of_nan = [](const auto& p) {
    for (std::size_t i = 0; i < count; ++i)
      if (std::isnan(p[i]) != (i < 8)) return false;
    return true;
  };
  return wrong("a GELU", is_near(b.get<"smooth">(), a.get<"smooth">(), 1e-5f)) +
         wrong("a GELU's gradient", is_near(b.get<"smooth_slope">(), a.get<"smooth_slope">(), 1e-3f)) +
         wrong("a ReLU of NaN", has_first_row_of_nan(b.get<"positive">())) +
         wrong("a ReLU of NaN and a bias", has_first_row_of_nan(b.get<"positive_biased">()));
}

struct smooth {
  constexpr auto operator()() const {
    return tl::named<"smooth">(tl::gelu<tl::approximation::tanh>(tl::input<"x", float, rows>));
  }
};

/// A GELU by tanh where it is nearly 0: within 8 units in the last place of what double makes of it.
int compare_small_gelus() {
  std::vector<float> x(8001);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = -9 + 0.001f * static_cast<float>(i);
  const tl::function<smooth, tl::cuda> there{smooth{}};
  const auto y = there("x"_t = x).get<"smooth">();
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = tl::gelu_tanh_operation::apply(static_cast<double>(x[i]));
    const float end = std::nextafter(static_cast<float>(expected), -1.0f);
    const double unit =
        std::abs(static_cast<double>(end) - static_cast<double>(static_cast<float>(expected)));
    const double error = std::abs(static_cast<double>(y[i]) - expected) / unit;
    if (!(error <= most)) most = std::isnan(error) ? INFINITY : error;
  }
  std::printf("float GELU below -1: largest error %.2g units%s\n", most, most <= 8 ? "" : ", too large");
  return most <= 8 ? 0 : 1;
}

}  // namespace

/// kernels [float|double|attention|all] [ROWS]
int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "all";
  const auto rows_at_once = static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 5000);
  int wrong = 0;
  try {
    if (what == "float" || what == "all")
      wrong +=
          compare<float>("float", rows_at_once, 1e-4) + compare_behind_products() + compare_small_gelus();
    if (what == "double" || what == "all") wrong += compare<double>("double", rows_at_once, 1e-11);
    if (what == "attention" || what == "all") wrong += compare_attentions();
  } catch (const tl::error& e) {
    std::printf("%s\n", e.what());
    return 2;
  }
  std::printf(wrong == 0 ? "all is right\n" : "%d outputs are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
