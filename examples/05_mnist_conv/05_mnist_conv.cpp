// SPDX-License-Identifier: BSL-1.0
// 05  Handwritten digits with convolutions: over 98.5 % right.
//
// Problem   The same digits. A layer that has a weight for each pixel must learn each stroke anew at each
//           place.
// Idea      Learn a small filter once and slide it over the picture; then keep the strongest answer of each 2
//           x 2 places (LeCun et al., 1989).
// Formula   y[c, i, j] = relu(sum over a, b of w[c, a, b] x[i + a, j + b] + bias[c]),   then max over 2 x 2
// Here      A loop of one's own around step: the learning rate falls along a cosine, and each picture is
//           shifted by up to a pixel, which costs nothing and is worth more than many weights.
// Picture   The digits of the test that it reads wrong. Some of them you would, too.
// Usage     05_mnist_conv [FOLDER]     with the four files of MNIST, plain or .gz; without, on digits that
//           the program draws
// Try       no shifts; a third epoch; half the channels.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "common/png.hpp"
#include "digits/digits.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto image = tl::input<"image", float, batch, 1, 28, 28>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto a =
      tl::relu(tl::max_pool2d<tl::pool{.kernel = 2}>(tl::conv2d<"conv1", 12, tl::conv{.kernel = 5}>(image)));
  auto b = tl::relu(tl::max_pool2d<tl::pool{.kernel = 2}>(tl::conv2d<"conv2", 24, tl::conv{.kernel = 5}>(a)));
  auto logits = tl::linear<"fc", 10>(tl::flatten(b));  // from [batch, 24, 4, 4]
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

struct images {
  const float* pixels;
  const std::int32_t* labels;
  std::size_t count;
  explicit images(const tl::data::dataset& from)
      : pixels(reinterpret_cast<const float*>(from.column("image").storage.get())),
        labels(reinterpret_cast<const std::int32_t*>(from.column("label").storage.get())),
        count(static_cast<std::size_t>(from.size())) {}
};

// A copy of the picture, `right` and `down` pixels further on; what comes in is paper.
void shift(const float* from, int right, int down, float* to) {
  for (int y = 0; y < 28; ++y)
    for (int x = 0; x < 28; ++x) {
      const int u = x - right, v = y - down;
      to[28 * y + x] = u >= 0 && u < 28 && v >= 0 && v < 28 ? from[28 * v + u] : 0;
    }
}

int main(int argc, char** argv) try {
  const bool real = argc > 1;
  const auto data = real ? tl::data::mnist(argv[1])
                         : tl::data::train_and_test{digits::draw(20'000, 1), digits::draw(4'000, 2)};
  const images train(data.train), test(data.test);

  constexpr std::size_t size = 100;
  const int epochs = real ? 2 : 3;
  const std::size_t steps = train.count / size;
  tl::trainer net{model,
                  tl::adam({.learning_rate = tl::cosine_schedule(
                                {.start = 4e-3, .steps = epochs * static_cast<std::int64_t>(steps)})}),
                  tl::cpu{.threads = 2}, 1};
  std::vector<std::size_t> order(train.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random{1};
  std::vector<float> image(784 * size);
  std::vector<std::int32_t> label(size);

  const auto look = [&](std::vector<std::size_t>* wrong) {
    std::size_t right = 0;
    for (std::size_t from = 0; from < test.count; from += 500) {
      const std::size_t count = std::min<std::size_t>(500, test.count - from);
      const auto logits =
          net.predict("image"_t = std::span(test.pixels + 784 * from, 784 * count)).get<"logits">();
      for (std::size_t i = 0; i < count; ++i) {
        const auto guess = std::max_element(&logits[10 * i], &logits[10 * i] + 10) - &logits[10 * i];
        right += guess == test.labels[from + i];
        if (wrong != nullptr && guess != test.labels[from + i]) wrong->push_back(from + i);
      }
    }
    return 100.0 * static_cast<double>(right) / static_cast<double>(test.count);
  };

  std::puts("epoch   training loss   test");
  std::vector<std::size_t> wrong;
  double accuracy = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    std::shuffle(order.begin(), order.end(), random);
    double loss = 0;
    for (std::size_t step = 0; step < steps; ++step) {
      for (std::size_t i = 0; i < size; ++i) {
        const std::size_t k = order[step * size + i];
        shift(train.pixels + 784 * k, static_cast<int>(random() % 3) - 1, static_cast<int>(random() % 3) - 1,
              &image[784 * i]);
        label[i] = train.labels[k];
      }
      loss += net.step("image"_t = image, "label"_t = label).loss() / static_cast<double>(steps);
    }
    accuracy = look(epoch + 1 == epochs ? &wrong : nullptr);
    std::printf("%3d         %.4f       %.2f %%\n", epoch + 1, loss, accuracy);
  }
  std::printf("of %zu other digits, %.2f %% are read right, %zu wrong\n", test.count, accuracy, wrong.size());

  png::sheet sheet(20, 3, 28, 28);
  for (std::size_t i = 0; i < std::min<std::size_t>(wrong.size(), 60); ++i)
    sheet.set(static_cast<int>(i), test.pixels + 784 * wrong[i]);
  sheet.write("05_mnist_conv_wrong.png");
  return accuracy > 98.5 ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
