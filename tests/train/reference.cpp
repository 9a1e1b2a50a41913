// SPDX-License-Identifier: BSL-1.0
// The MLP and the small CNN of the reference file, trained for five steps, follow the stored trajectories.
#include <tapeless/io/safetensors.hpp>
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdlib>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto mlp = [] {
  auto image = tl::input<"image", float, batch, 1, 28, 28>;
  auto label = tl::input<"label", std::int64_t, batch>;
  auto hidden = tl::relu(tl::linear<"fc1", 500>(tl::flatten(image)));
  return tl::cross_entropy(tl::linear<"fc2", 10>(hidden), label);
};

constexpr auto cnn = [] {
  auto image = tl::input<"image", float, batch, 1, 28, 28>;
  auto label = tl::input<"label", std::int64_t, batch>;
  auto a = tl::relu(tl::conv2d<"conv1", 4, tl::conv{.kernel = 5, .padding = 2}>(image));
  auto b = tl::relu(tl::conv2d<"conv2", 8, tl::conv{.kernel = 5}>(tl::max_pool2d<tl::pool{.kernel = 2}>(a)));
  auto features = tl::flatten(tl::max_pool2d<tl::pool{.kernel = 2}>(b));
  return tl::cross_entropy(tl::linear<"fc2", 10>(tl::relu(tl::linear<"fc1", 32>(features))), label);
};

/// Calls f with each parameter and its number, which is that of the stored one: both stand in the model's
/// order.
template <class Net, class F>
void for_each_parameter(Net& net, F f) {
  int number = 0;
  boost::hana::for_each(net.parameters(), [&](auto p) {
    INFO("parameter " << p.label());
    f(std::to_string(number++), p.values);
  });
}

/// Starts from the parameters that are stored for `model` and takes its five steps.
template <class Net>
void follow(Net& net, const std::string& model, std::size_t parameters) {
  const char* folder = std::getenv("TAPELESS_REFERENCE_DIR");
  if (folder == nullptr || *folder == 0) {
    WARN("SKIPPED: TAPELESS_REFERENCE_DIR is not set");
    return;
  }
  const auto file = tl::io::safetensors::read(std::string(folder) + "/train-mlp.safetensors");
  REQUIRE(net.parameter_descriptions().size() == parameters);
  for_each_parameter(net, [&](const std::string& number, auto to) {
    const auto from = file[model + ".param" + number].template as<float>();
    REQUIRE(to.size() == from.size());
    std::copy(from.begin(), from.end(), to.begin());
  });

  const auto pixels = file[model + ".x"].template as<unsigned char>();
  const auto labels = file[model + ".target"].template as<std::int64_t>();
  const auto losses = file[model + ".losses"].template as<float>();
  const std::size_t rows = labels.size() / 5, size = rows * 784;
  std::vector<float> image(size);
  for (std::size_t step = 0; step < 5; ++step) {
    INFO("step " << step + 1);
    for (std::size_t i = 0; i < size; ++i) image[i] = static_cast<float>(pixels[step * size + i]) / 255.0f;
    const float loss = net.step("image"_t = image, "label"_t = labels.subspan(step * rows, rows)).loss();
    CHECK(std::abs(loss - losses[step]) <= 1e-5f * losses[step]);
    const std::string after = model + ".after" + std::to_string(step + 1) + "_param";
    for_each_parameter(net, [&](const std::string& number, auto found) {
      const auto expected = file[after + number].template as<float>();
      REQUIRE(found.size() == expected.size());
      double largest = 0;
      for (std::size_t i = 0; i < found.size(); ++i)
        largest = std::max(largest, std::abs(double(found[i]) - double(expected[i])));
      CHECK(largest <= 2e-5);
    });
  }
}

}  // namespace

TEST_CASE("five Adam steps of the reference MLP") {
  tl::trainer net{mlp, tl::adam({.learning_rate = 1e-3})};
  follow(net, "mlp", 4);
}

TEST_CASE("five Adam steps of the reference CNN") {
  tl::trainer net{cnn, tl::adam({.learning_rate = 2e-3})};
  follow(net, "cnn", 8);
}
