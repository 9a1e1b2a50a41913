// SPDX-License-Identifier: BSL-1.0
// Every family of kernels on the GPU, in all element types that it takes. Compiled and linked where there is
// no GPU; where there is one, its results are compared with the CPU's.
#include <tapeless/tapeless.hpp>

#include <tapeless/run/cuda/cuda.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto rows = tl::dyn<"rows">;

/// Maps, reductions of rows, columns and all, rows in one launch, walks, products, padding, windows and
/// convolutions.
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
    return tl::outputs(
        tl::named<"map">(map), tl::named<"by_row">(tl::sum<-1>(map)),
        tl::named<"by_column">(tl::mean<0>(map)), tl::named<"largest">(tl::max(map)),
        tl::named<"softmax">(tl::softmax(x)), tl::named<"norm">(normal), tl::named<"picked">(picked),
        tl::named<"added">(added), tl::named<"flipped">(tl::flip<1>(x)),
        tl::named<"summed">(tl::cumsum<1>(x)), tl::named<"product">(tl::matmul(x, weight)),
        tl::named<"activated">(activated),
        tl::named<"activated_slope">(tl::grad(tl::sum(tl::square(tl::matmul(activated, weight))), x)),
        tl::named<"pooled">(pooled), tl::named<"slope">(tl::grad(tl::sum(tl::square(pooled)), x)),
        tl::named<"largest_seen">(largest_seen), tl::named<"mean_seen">(mean_seen),
        tl::named<"largest_slope">(tl::grad(tl::sum(tl::square(largest_seen)), x)),
        tl::named<"mean_slope">(tl::grad(tl::sum(tl::square(mean_seen)), x)), tl::named<"seen">(seen),
        tl::named<"image">(tl::grad(seen_slope, x)), tl::named<"filter">(tl::grad(seen_slope, weight)));
  }
};

template <tl::name Name, class A, class B>
int differences(const A& a, const B& b) {
  const auto x = a.template get<Name>();
  const auto y = b.template get<Name>();
  int count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = static_cast<double>(x[i]), q = static_cast<double>(y[i]);
    count += !(std::abs(p - q) <= 1e-3 * (1 + std::abs(q)));
  }
  if (count > 0) std::printf("%s: %d of %zu elements differ\n", Name.view().data(), count, x.size());
  return count;
}

template <class T>
int compare() {
  constexpr std::size_t n = 100;
  std::vector<T> x(n * 24), weight(24 * 24);
  std::vector<std::int32_t> index(n);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = T(std::sin(0.7f * static_cast<float>(i)));
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = T(std::cos(0.3f * static_cast<float>(i)));
  for (std::size_t i = 0; i < n; ++i) index[i] = static_cast<std::int32_t>(i * 7 % 24);
  tl::function<families<T>, tl::cpu> here{families<T>{}};
  tl::function<families<T>, tl::cuda> there{families<T>{}};
  const auto a = here("x"_t = x, "weight"_t = weight, "index"_t = index);
  const auto b = there("x"_t = x, "weight"_t = weight, "index"_t = index);
  return differences<"map">(b, a) + differences<"by_row">(b, a) + differences<"by_column">(b, a) +
         differences<"largest">(b, a) + differences<"softmax">(b, a) + differences<"norm">(b, a) +
         differences<"picked">(b, a) + differences<"added">(b, a) + differences<"flipped">(b, a) +
         differences<"summed">(b, a) + differences<"product">(b, a) + differences<"pooled">(b, a) +
         differences<"activated">(b, a) + differences<"activated_slope">(b, a) + differences<"slope">(b, a) +
         differences<"largest_seen">(b, a) + differences<"mean_seen">(b, a) +
         differences<"largest_slope">(b, a) + differences<"mean_slope">(b, a) + differences<"seen">(b, a) +
         differences<"image">(b, a) + differences<"filter">(b, a);
}

}  // namespace

int main() {
  try {
    return compare<float>() + compare<double>() == 0 ? 0 : 1;
  } catch (const tl::error& e) {
    std::printf("%s\n", e.what());
    return 2;
  }
}
