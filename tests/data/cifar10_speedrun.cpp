// SPDX-License-Identifier: BSL-1.0
// The parts of the speedrun: what is random in training and not there in evaluation, and what whitens.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "cifar10_speedrun/colored_digits.hpp"
#include "cifar10_speedrun/identity.hpp"
#include "cifar10_speedrun/pixels.hpp"
#include "cifar10_speedrun/random_crop.hpp"
#include "cifar10_speedrun/random_flip.hpp"
#include "cifar10_speedrun/test_time_flip.hpp"
#include "cifar10_speedrun/whitening.hpp"
#include "cifar10_speedrun/whitening_filters.hpp"
#include "program.hpp"

namespace {

constexpr std::int64_t height = 5, width = 6, channels = 2, area = height * width;
constexpr auto batch = tl::dyn<"batch">;
constexpr auto images = tl::input<"image", std::uint8_t, batch, channels, height, width>;

// A loss that needs a parameter, so that there is something to train.
constexpr auto flipped = [] {
  auto y = tl::cast<float>(speedrun::random_flip(images));
  return tl::outputs(tl::mean(y * tl::param<"w", float>), tl::named<"y">(y));
};
constexpr auto cropped = [] {
  auto y = tl::cast<float>(speedrun::random_crop<2>(images));
  return tl::outputs(tl::mean(y * tl::param<"w", float>), tl::named<"y">(y));
};

/// Numbers that tell every pixel of an image from the others.
std::vector<std::uint8_t> numbered(std::size_t count) {
  std::vector<std::uint8_t> all(count * channels * area);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<std::uint8_t>((i % (channels * area)) * 4 + i / (channels * area) % 4);
  return all;
}

/// Whether image y, from `y` on, is image x moved by this many rows and columns, reflected at its edges, and
/// mirrored before.
bool is_moved(const std::uint8_t* x, const float* y, std::int64_t down, std::int64_t right, bool mirrored) {
  const auto reflected = [](std::int64_t i, std::int64_t extent) {
    i = std::abs(i);
    return i < extent ? i : 2 * (extent - 1) - i;
  };
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t i = 0; i < height; ++i)
      for (std::int64_t j = 0; j < width; ++j) {
        const std::int64_t row = reflected(i + down, height), column = reflected(j + right, width);
        const std::int64_t from = mirrored ? width - 1 - column : column;
        if (y[(c * height + i) * width + j] != static_cast<float>(x[(c * height + row) * width + from]))
          return false;
      }
  return true;
}

}  // namespace

TEST_CASE("random_flip mirrors about half of the images in training, and none in evaluation") {
  tl::trainer net{flipped, tl::sgd({})};
  const std::vector<std::uint8_t> x = numbered(100);
  const auto count_mirrored = [&](const std::vector<float>& y) {
    int mirrored = 0;
    for (std::int64_t n = 0; n < 100; ++n) {
      const auto* from = x.data() + n * channels * area;
      const auto* to = y.data() + n * channels * area;
      const bool turned = is_moved(from, to, 0, 0, true);
      REQUIRE(turned != is_moved(from, to, 0, 0, false));
      mirrored += turned ? 1 : 0;
    }
    return mirrored;
  };
  const auto elements = [](const auto& view) { return std::vector<float>(view.begin(), view.end()); };
  const std::vector<float> first = elements(net.step("image"_t = x).get<"y">());
  const std::vector<float> second = elements(net.step("image"_t = x).get<"y">());
  CHECK(first != second);
  for (const auto& y : {first, second}) {
    CHECK(count_mirrored(y) > 30);
    CHECK(count_mirrored(y) < 70);
  }
  CHECK(count_mirrored(elements(net.evaluate("image"_t = x).get<"y">())) == 0);
}

TEST_CASE("random_crop moves each image on its own in training, and none in evaluation") {
  tl::trainer net{cropped, tl::sgd({})};
  const std::vector<std::uint8_t> x = numbered(200);
  const auto moves = [&](const auto& view) {
    const std::vector<float> y(view.begin(), view.end());
    std::set<std::pair<int, int>> found;
    for (std::int64_t n = 0; n < 200; ++n) {
      int fits = 0;
      for (int down = -3; down <= 3; ++down)
        for (int right = -3; right <= 3; ++right)
          if (is_moved(x.data() + n * channels * area, y.data() + n * channels * area, down, right, false)) {
            found.emplace(down, right);
            ++fits;
          }
      REQUIRE(fits == 1);
    }
    return found;
  };
  const auto found = moves(net.step("image"_t = x).get<"y">());
  CHECK(found.size() == 25);  // all that there are, with a chance of 0.993 for any seed
  CHECK(found.begin()->first == -2);
  CHECK(found.rbegin()->first == 2);
  CHECK(moves(net.evaluate("image"_t = x).get<"y">()) == std::set<std::pair<int, int>>{{0, 0}});
}

namespace {

constexpr auto looking_left = [] {  // what an image shows in its first column
  auto x = speedrun::with_mirror_images(tl::input<"image", float, batch, 1, 1, 3>);
  auto logits = tl::slice<1, 0, 2>(tl::flatten(x)) * tl::param<"w", float>(tl::fill(1));
  return tl::outputs(tl::mean(logits), tl::named<"y">(speedrun::mean_with_mirror_images(logits)));
};

constexpr auto normal = [] {
  return tl::outputs(tl::named<"y">(speedrun::normalized(tl::input<"image", std::uint8_t, 1, 3, 1, 1>)));
};

constexpr auto first_layers = [] {
  auto x = speedrun::normalized(tl::input<"image", std::uint8_t, batch, 3, 32, 32>);
  auto y = speedrun::whitening<"whitening", 2>(x);
  auto z = tl::conv2d<"conv", 4, tl::conv{.kernel = 3, .padding = 1}>(x);
  return tl::outputs(tl::mean(y) + tl::mean(z), tl::named<"x">(x), tl::named<"y">(y), tl::named<"z">(z));
};

}  // namespace

TEST_CASE("in evaluation the answer is the mean over an image and its mirror image") {
  tl::trainer net{looking_left, tl::sgd({.learning_rate = 0})};
  const std::vector<float> x{1, 2, 3, 10, 20, 40};
  CHECK(test::elements(net.step("image"_t = x).get<"y">()) == std::vector<double>{1, 2, 10, 20});
  CHECK(test::elements(net.evaluate("image"_t = x).get<"y">()) == std::vector<double>{2, 2, 25, 20});
}

TEST_CASE("each colour is normalized by its own mean and deviation") {
  tl::function f{normal};
  const std::vector<std::uint8_t> x{255, 0, 100};
  const auto y = test::elements(f("image"_t = x).get<"y">());
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(y[i] ==
          test::Approx((x[i] - speedrun::mean_color[i]) / speedrun::color_deviation[i]).epsilon(1e-5));
}

TEST_CASE("what comes out of the whitening layer is uncorrelated and of variance 1, then its negative") {
  tl::trainer net{first_layers, tl::sgd({.learning_rate = 1})};
  const auto digits = speedrun::colored_digits(50, 3);
  const std::vector<float> filters = speedrun::whitening_filters<2>(digits.column("image"), 50, 0);
  net.assign<"whitening.weight">(filters);
  const auto first = digits.column("image").storage;
  const std::span x(reinterpret_cast<const std::uint8_t*>(first.get()), 50 * 3 * 32 * 32);
  const auto result = net.step("image"_t = x);
  const auto y = result.get<"y">();
  REQUIRE(y.size() == 50 * 24 * 31 * 31);
  constexpr std::size_t places = 31 * 31;
  const auto mean_product = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t n = 0; n < 50; ++n)
      for (std::size_t i = 0; i < places; ++i)
        sum += double(y[(n * 24 + a) * places + i]) * double(y[(n * 24 + b) * places + i]);
    return sum / (50 * places);
  };
  for (std::size_t a = 0; a < 12; ++a) {
    for (std::size_t b = 0; b < a; ++b) CHECK(std::abs(mean_product(a, b)) < 1e-3);
    CHECK(mean_product(a, a) == test::Approx(1).margin(1e-3));
    CHECK(mean_product(a, a + 12) == test::Approx(-1).margin(1e-3));
  }
  const auto weight = net.parameter<"whitening.weight">();
  CHECK(std::equal(weight.begin(), weight.end(), filters.begin(), filters.end()));  // not trained
  CHECK(net.parameter<"whitening.bias">()[0] == test::Approx(-1.0 / 24));
}

TEST_CASE("a convolution that starts as the identity passes its channels on, and has others") {
  tl::trainer net{first_layers, tl::sgd({})};
  speedrun::start_as_identity<"conv.weight">(net);
  const auto digits = speedrun::colored_digits(1, 4);
  const auto result = net.evaluate("image"_t = digits.column("image").sample<std::uint8_t>(0));
  const auto x = result.get<"x">(), z = result.get<"z">();
  REQUIRE(z.size() == 4 * 32 * 32);
  CHECK(std::equal(x.begin(), x.end(), z.begin()));
  CHECK(z[3 * 32 * 32 + 500] != 0);
}

TEST_CASE("what is no image, or too small to be moved, is refused") {
  const auto refused = [](auto build, const tl::shape_list& shape) {
    tl::graph g;
    static constexpr tl::name label = "image";
    build(tl::make_input(g, &label, tl::element::u8, shape));
    return std::string(g.error.view());
  };
  CHECK(refused(speedrun::random_flip_statement::build, {3, {7, 32, 32}}) ==
        "random_flip of a value of the shape [7, 32, 32]: it takes images, [batch, channels, height, width]");
  CHECK(refused(speedrun::random_crop_statement<4>::build, {4, {7, 3, 5, 4}}) ==
        "random_crop of a value of the shape [7, 3, 5, 4]: height and width must be integers above 4, the "
        "padding");
  CHECK(refused(speedrun::random_crop_statement<4>::build, {4, {7, 3, 5, 5}}) == "");
}
