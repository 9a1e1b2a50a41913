// SPDX-License-Identifier: BSL-1.0
// A bit of everything, small: layers, loops, derivatives, 16 bits, threads, files, Eigen's matrices, errors.
// What it returns is the line of the check that failed.
#include <tapeless/ops/linalg/einsum.hpp>
#include <tapeless/tapeless.hpp>

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto picture_model = [] {
  auto image = tl::input<"image", float, batch, 1, 6, 6>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto features = tl::relu(tl::batch_norm<"bn">(tl::conv2d<"conv", 4, tl::conv{.kernel = 3}>(image)));
  auto pooled = tl::dropout<0.1>(tl::flatten(tl::max_pool2d<tl::pool{.kernel = 2}>(features)));
  auto logits = tl::linear<"fc", 2>(tl::gelu(tl::layer_norm<"ln">(pooled)));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

constexpr auto sequence_model = [] {
  auto token = tl::input<"token", std::int32_t, batch, 5>;
  auto h = tl::embedding<"embed", 7, 8>(token);
  auto mixed = tl::attention<"attn", tl::attention_options{.heads = 2, .causal = true}>(h);
  auto low = tl::cast<float>(tl::cast<tl::f16>(tl::einsum<"bte->bet">(h + mixed)));
  auto summed = tl::cumsum<2>(tl::softmax(low));
  return tl::outputs(tl::mean(tl::square(summed - 0.5_c)), tl::named<"summed">(summed));
};

constexpr auto derivatives = [] {
  auto x = tl::input<"x", double, 3>;
  auto y = tl::sum(tl::exp(tl::sin(x)) * tl::erf(x) + tl::log1p(tl::square(x)));
  auto powers = tl::scan<4>(x, [](auto h) { return tl::tanh(h * 1.5_c) + 0.1_c; });
  return tl::outputs(tl::named<"y">(y), tl::named<"dy">(tl::grad(y, x)),
                     tl::named<"hessian">(tl::hessian(y, x)), tl::named<"powers">(powers));
};

double value_at(const std::vector<double>& x) {
  double y = 0;
  for (double v : x) y += std::exp(std::sin(v)) * std::erf(v) + std::log1p(v * v);
  return y;
}

bool trains_pictures() {
  std::vector<float> images(8 * 36);
  std::vector<std::int32_t> labels(8);
  for (std::size_t i = 0; i < images.size(); ++i) images[i] = std::sin(static_cast<float>(i * i));
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i % 2);
  tl::trainer net{picture_model, tl::adamw({.learning_rate = 1e-2f}), tl::cpu{.threads = 2}};
  const float before = net.step("image"_t = images, "label"_t = labels).loss();
  float loss = before;
  for (int step = 0; step < 60; ++step) loss = net.step("image"_t = images, "label"_t = labels).loss();
  tl::save(net, "matrix.safetensors");
  tl::trainer other{picture_model, tl::sgd({.learning_rate = 0.1f})};
  tl::load(other, "matrix.safetensors");
  const float kept = other.evaluate("image"_t = images, "label"_t = labels).loss();
  return loss < 0.5f * before && kept < 0.5f * before;
}

// A model whose extents are all known is straight-line code, with the bits of tables.
bool trains_in_line() {
  constexpr auto model = [] {
    auto x = tl::input<"x", float, 3, 7>;
    auto y = tl::input<"y", float, 3, 2>;
    auto h = tl::layer_norm<"norm">(tl::gelu(tl::linear<"a", 21>(x)));
    return tl::mse_loss(tl::linear<"b", 2>(tl::tanh(h)), y);
  };
  std::vector<float> x(21), y(6);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i * i));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::cos(static_cast<float>(i));
  const auto rule = tl::adamw({.learning_rate = 1e-2f});
  tl::trainer in_line{model, rule, tl::cpu{}};
  tl::trainer by_tables{model, rule, tl::cpu_by_tables{}};
  bool same = true;
  for (int step = 0; step < 20; ++step)
    same = same && in_line.step("x"_t = x, "y"_t = y).loss() == by_tables.step("x"_t = x, "y"_t = y).loss();
  return same;
}

bool trains_sequences() {
  const std::vector<std::int32_t> tokens{0, 1, 2, 3, 4, 5, 6, 0, 2, 4};
  tl::trainer net{sequence_model, tl::chain(tl::clip_by_global_norm(1), tl::lion({.learning_rate = 1e-2f}))};
  const float before = net.step("token"_t = tokens).loss();
  float loss = before;
  for (int step = 0; step < 30; ++step) loss = net.step("token"_t = tokens).loss();
  return loss < before;
}

bool derives() {
  tl::function f{derivatives};
  const std::vector<double> x{-0.7, 0.2, 1.1};
  auto r = f("x"_t = x);
  auto dy = r.get<"dy">(), hessian = r.get<"hessian">();
  bool right = std::abs(r.get<"y">()[0] - value_at(x)) < 1e-12;
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<double> above = x, below = x;
    above[i] += 1e-4;
    below[i] -= 1e-4;
    const double y = value_at(x), up = value_at(above), down = value_at(below);
    right = right && std::abs(dy[i] - (up - down) / 2e-4) < 1e-6;
    right = right && std::abs(hessian[4 * i] - (up - 2 * y + down) / 1e-8) < 1e-5;
  }
  double h = x[0];
  for (int step = 0; step < 4; ++step) h = std::tanh(h * 1.5) + 0.1;
  return right && std::abs(r.get<"powers">()[0] - h) < 1e-12;
}

bool takes_eigen() {
  tl::function f{derivatives};
  const Eigen::Vector3d x(-0.7, 0.2, 1.1);
  return std::abs(f("x"_t = x).get<"y">().as_matrix()(0, 0) - value_at({-0.7, 0.2, 1.1})) < 1e-12;
}

bool throws() {
  tl::function f{derivatives};
  try {
    f("x"_t = std::vector<double>(4));
  } catch (const tl::error&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  if (!trains_pictures()) return __LINE__;
  if (!trains_in_line()) return __LINE__;
  if (!trains_sequences()) return __LINE__;
  if (!derives()) return __LINE__;
  if (!takes_eigen()) return __LINE__;
  if (!throws()) return __LINE__;
}
