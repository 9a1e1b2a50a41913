// SPDX-License-Identifier: BSL-1.0
// The guide from PyTorch: a convolutional network, with the names and layouts that PyTorch's has.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 1, 12, 12>;
  auto y = tl::input<"y", std::int64_t, batch>;
  auto h = tl::conv2d<"conv", 8, tl::conv{.kernel = 3, .padding = 1}>(x);
  auto p = tl::max_pool2d<tl::pool{.kernel = 2}>(tl::relu(tl::batch_norm<"norm">(h)));
  auto logits = tl::linear<"head", 10>(tl::flatten(p));
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};

std::int64_t trained_elements(auto& net) {  // sum(p.numel() for p in net.parameters())
  std::int64_t count = 0;
  std::size_t i = 0;
  for (auto& p : net.parameters())
    if (!net.parameter_descriptions()[i++].is_buffer) count += std::int64_t(p.size());
  return count;
}

bool gradients_of_statistics_are_zeros(auto& net, const auto& x, const auto& y) {
  net.gradients("x"_t = x, "y"_t = y);
  bool are = true;
  std::size_t i = 0;
  for (auto& g : net.all_gradients()) {
    const auto& d = net.parameter_descriptions()[i++];
    are = are && g.name() == d.label->view();
    for (std::size_t k = 0; d.is_buffer && k < g.size(); ++k) are = are && g[k] == 0;
  }
  net.apply();
  return are && trained_elements(net) == 8 * 9 + 8 + 8 + 8 + 10 * 288 + 10;
}

constexpr auto fixed_model = [] {
  auto x = tl::input<"x", float, batch, 1, 12, 12>;
  auto y = tl::input<"y", std::int64_t, batch>;
  auto h = tl::conv2d<"conv", 8, tl::conv{.kernel = 3, .padding = 1}>(x);
  auto n = tl::batch_norm<"norm", tl::batch_norm_options{.frozen = true}>(h);
  auto p = tl::max_pool2d<tl::pool{.kernel = 2}>(tl::relu(n));
  auto logits = tl::linear<"head", 10>(tl::flatten(p));
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};

bool fine_tuned(auto& net, const auto& x, const auto& y) {
  tl::trainer fixed{fixed_model, tl::partition(tl::for_parameters(tl::names_like<"head.*">, tl::adam({})))};
  tl::copy_parameters(net, fixed);
  const float evaluated = net.evaluate("x"_t = x, "y"_t = y).loss();
  const float mean = net.template parameter<"norm.running_mean">()[0];
  const float stepped = fixed.step("x"_t = x, "y"_t = y).loss();
  fixed.step("x"_t = x, "y"_t = y);
  return std::abs(evaluated - stepped) < 1e-4f && fixed.template parameter<"norm.running_mean">()[0] == mean;
}

constexpr auto with_target = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto target = tl::stop_gradient(tl::linear<"target.fc", 2>(x));
  return tl::mse_loss(tl::linear<"online.fc", 2>(x), 1_c + 0.5_c * target);
};

bool follows() {
  tl::trainer net{with_target, tl::adam({}), tl::cpu{}, 3};
  net.step("x"_t = {1.f, 2.f, 3.f});

  const tl::load_options to_target{.names = {{"target.*", "old.*"}, {"online.*", "target.*"}},
                                   .only = {"target.*"}};
  tl::copy_parameters(net, net, to_target);

  return net.parameter<"target.fc.weight">()[0] == net.parameter<"online.fc.weight">()[0];
}

// Run-time extents that are multiples of 4.
constexpr auto height = tl::dyn<"height">;
constexpr auto width = tl::dyn<"width">;

constexpr auto u_net = [] {
  auto image = tl::input<"x", float, batch, 2, height, 4, width, 4>;
  auto x = tl::flatten<3, 4>(tl::flatten<2, 3>(image));  // [batch, 2, height * 4, width * 4]
  constexpr tl::conv same{.kernel = 3, .padding = 1};
  auto a = tl::relu(tl::conv2d<"a", 4, same>(x));
  auto b = tl::relu(tl::conv2d<"b", 8, same>(tl::max_pool2d<tl::pool{.kernel = 2}>(a)));
  auto c = tl::relu(tl::conv2d<"c", 8, same>(tl::max_pool2d<tl::pool{.kernel = 2}>(b)));
  auto d = tl::relu(tl::conv2d<"d", 4, same>(tl::concat<1>(tl::upsample_nearest2d<2>(c), b)));
  return tl::named<"y">(tl::conv2d<"e", 1, same>(tl::concat<1>(tl::upsample_nearest2d<2>(d), a)));
};

bool any_size() {
  tl::function f{u_net};
  const std::vector<float> image(2 * 8 * 12);
  auto y = f("x"_t = image, "height"_t = 2, "width"_t = 3).get<"y">();  // 8 by 12
  return y.shape()[2] == 8 && y.shape()[3] == 12;
}

int main() {
  tl::trainer net{model, tl::adamw({.learning_rate = 1e-2f})};

  std::vector<float> x(20 * 144);
  std::vector<std::int64_t> y(20);
  for (int i = 0; i < 20; ++i) {
    y[i] = i % 10;
    for (int k = 0; k < 144; ++k) x[i * 144 + k] = k % 10 == y[i] ? 1.0f : 0.0f;
  }
  float loss = 0;
  for (int epoch = 0; epoch < 60; ++epoch) loss = net.step("x"_t = x, "y"_t = y).loss();

  tl::save(net, "net.safetensors");  // torch: load_state_dict(safetensors.torch.load_file(...), strict=False)
  for (const auto& parameter : net.parameter_descriptions())
    std::printf("%s\n", std::string(parameter.label->view()).c_str());
  return loss < 0.5f && gradients_of_statistics_are_zeros(net, x, y) && fine_tuned(net, x, y) && follows() &&
                 any_size()
             ? 0
             : 1;
}
