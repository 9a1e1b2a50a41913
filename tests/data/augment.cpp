// SPDX-License-Identifier: BSL-1.0
// Transforms: what they make of samples, and that random ones depend on seed, pass and number alone.
#include <tapeless/data/augment.hpp>
#include <tapeless/data/map.hpp>
#include <tapeless/data/normalize.hpp>
#include <tapeless/data/subset.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "data/views.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
namespace data = tl::data;
using data::source;
using test::all_of, test::column_of, test::error_of;

namespace {

/// Eight images [2, 3, 4] with no two pixels equal and none 0, with labels and vectors.
data::dataset images() {
  std::vector<std::uint8_t> pixels;
  std::vector<std::int32_t> label;
  std::vector<double> x;
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 24; ++k) pixels.push_back(static_cast<std::uint8_t>(24 * i + k + 1));
    label.push_back(i % 3);
    x.insert(x.end(), {1.0 * i, 10.0, 4.0 * i});
  }
  data::dataset d;
  d.add("image", {2, 3, 4}, pixels).add("label", {}, label).add("x", {3}, x).add("scalar", {}, label);
  return d;
}

using bytes = std::vector<std::uint8_t>;
bytes image(const source& from, std::int64_t number, std::int64_t pass = 0) {
  return column_of<std::uint8_t>(from, "image", {number}, pass);
}

bool is_seen_to_be_random(const source& from) {
  bool differs_by_pass = false, differs_by_number = false, is_same = true;
  const source plain = images();
  for (std::int64_t i = 0; i < 8; ++i) {
    const bytes one = image(from, i, 0);
    differs_by_pass = differs_by_pass || image(from, i, 1) != one;
    bytes shifted = image(from, (i + 1) % 8, 0);
    for (auto& b : shifted)
      if (b != 0) b = static_cast<std::uint8_t>(b - 24 * ((i + 1) % 8) + 24 * i);
    differs_by_number = differs_by_number || shifted != one;
    const auto together = column_of<std::uint8_t>(from, "image", {7, i, 0}, 0);
    is_same = is_same && std::equal(one.begin(), one.end(), together.begin() + static_cast<long>(one.size()));
  }
  return differs_by_pass && differs_by_number && is_same;
}

/// The numbers i of a source that says no shapes.
struct undescribed {
  std::int64_t size() const { return 5; }
  void read(std::int64_t i, data::sample& s) const {
    for (float& x : s.get<float>("x")) x = static_cast<float>(i);
  }
};

/// A column of samples with two elements each, in the type that is asked for.
template <class T>
std::string error_of_normalized() {
  return error_of([] {
    struct of_any_type {
      std::int64_t size() const { return 2; }
      void read(std::int64_t, data::sample& s) const {
        for (T& x : s.get<T>("x")) x = T(1);
      }
    };
    column_of<T>(data::normalize(of_any_type(), "x", {{1}, {2}}), "x", {0});
  });
}

}  // namespace

TEST_CASE("columns are normalized as a whole or by their first axis", "[data]") {
  const source by_one = data::normalize(images(), "image", {{10}, {2}});
  CHECK(by_one.find("image")->type == tl::element::f32);
  const auto pixels = column_of<float>(by_one, "image", {1});
  CHECK(pixels[0] == 7.5f);
  CHECK(pixels[23] == 19.0f);
  const auto by_axis =
      column_of<double>(data::normalize(images(), "x", {{1, 10, 0}, {1, 3, 4}}), "x", {2, 5});
  CHECK(by_axis == std::vector<double>{1, 0, 2, 4, 0, 5});
  CHECK(column_of<std::int32_t>(by_one, "label", {5, 4}) == std::vector<std::int32_t>{2, 1});
  CHECK(column_of<float>(data::normalize(undescribed(), "x", {{1}, {2}}), "x", {4}) ==
        std::vector<float>{1.5f});
  const auto problem = [](data::normalization by) {
    return error_of([&] { data::normalize(images(), "x", by); });
  };
  CHECK(problem({{1, 2}, {1, 1}}).find("for which there are 2 means") != std::string::npos);
  CHECK(problem({{1, 2}, {1}}).find("as many means as deviations") != std::string::npos);
  CHECK(problem({{}, {}}).find("as many means as deviations") != std::string::npos);
  CHECK(problem({{1}, {0}}).find("must be positive") != std::string::npos);
  constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
  CHECK(problem({{1}, {std::numeric_limits<double>::infinity()}}).find("must be positive, and finite") !=
        std::string::npos);
  CHECK(problem({{no_number}, {1}}).find("has a mean of nan; it must be finite") != std::string::npos);
  CHECK(test::missing_in(error_of([] { data::normalize(images(), "images", {{1}, {1}}); }),
                         {"normalize: no column \"images\" in the data, which has \"image\""}) == "");
}

TEST_CASE("doubles are divided by the deviation, not multiplied by what is near to its inverse") {
  std::vector<double> x, expected;
  for (int i = 0; i < 1000; ++i) {
    x.push_back(0.1 * i);
    expected.push_back((x.back() - 0.3) / 0.7);
  }
  data::dataset d;
  d.add("x", {}, x);
  CHECK(all_of<double>(data::normalize(d, "x", {{0.3}, {0.7}}), "x") == expected);
}

TEST_CASE("what normalize is asked for is float or double") {
  const auto refused = [](const std::string& type) {
    return "tapeless: normalize: column \"x\" is asked for as " + type + "; it is float or double";
  };
  CHECK(error_of_normalized<double>() == "(no error)");
  CHECK(error_of_normalized<std::int32_t>() == refused("std::int32_t"));
  CHECK(error_of_normalized<tl::f16>() == refused("f16"));
  CHECK(error_of_normalized<tl::bf16>() == refused("bf16"));
  CHECK(error_of_normalized<bool>() == refused("bool"));
}

TEST_CASE("means and deviations are those of all samples", "[data]") {
  const data::normalization x = data::normalization_of(images(), "x");
  REQUIRE(x.mean.size() == 3);
  CHECK(x.mean[0] == test::Approx(3.5));
  CHECK(x.mean[2] == test::Approx(14));
  CHECK(x.deviation[0] == test::Approx(2.2912878));
  CHECK(x.deviation[1] == 1);  // of a constant
  CHECK(data::normalization_of(images(), "image").mean.size() == 2);
  CHECK(data::normalization_of(images(), "label").mean[0] == test::Approx(0.875));
  CHECK(error_of([] { data::normalization_of(images(), "y"); }).find("\"y\"") != std::string::npos);
}

TEST_CASE("what is missing counts in no mean, and what has no mean is refused", "[data]") {
  constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
  const auto moments = [](std::vector<float> numbers) {
    data::dataset d;
    d.add("x", {2}, numbers);
    return data::normalization_of(d, "x");
  };
  const data::normalization x = moments({1, no_number, 3, 7, no_number, 9});
  CHECK(x.mean == std::vector<double>{2, 8});
  CHECK(x.deviation == std::vector<double>{1, 1});
  CHECK(error_of([&] { moments({1, no_number, 3, no_number}); }) ==
        "tapeless: normalization_of: column \"x\" has no number at index 1 of 2 samples");
  CHECK(error_of([&] {
          moments({1, 2, 3, std::numeric_limits<float>::infinity()});
        }).find("column \"x\" of sample 1 holds inf") != std::string::npos);
}

TEST_CASE("classes become ones among zeros", "[data]") {
  const source encoded = data::one_hot(images(), "label", 3);
  CHECK(*encoded.find("label") == data::column_of<float>("label", {3}));
  CHECK(column_of<float>(encoded, "label", {5, 0}) == std::vector<float>{0, 0, 1, 1, 0, 0});
  CHECK(error_of([&] {
          all_of<float>(data::one_hot(images(), "label", 2), "label");
        }).find("of sample 2 has the class 2; it must be from 0 to 1") != std::string::npos);
  CHECK(error_of([] { data::one_hot(images(), "x", 3); }).find("expected integers") != std::string::npos);
  CHECK(error_of([] { data::one_hot(images(), "label", 0); }).find("0 classes") != std::string::npos);
  CHECK(error_of([] { data::one_hot(undescribed(), "x", 3); }).find("columns() const") != std::string::npos);
}

TEST_CASE("a crop is a piece of the image with zeros around it", "[data]") {
  const source plain = images(), padded = data::random_crop(plain, "image", {.padding = 1, .seed = 1});
  CHECK(*padded.find("image") == *plain.find("image"));
  CHECK(is_seen_to_be_random(padded));
  std::vector<int> tops, lefts;
  for (std::int64_t pass = 0; pass < 60; ++pass) {
    const bytes from = image(plain, 3), to = image(padded, 3, pass);
    // the one shift that explains all pixels
    int found = 0;
    for (int top = -1; top <= 1; ++top)
      for (int left = -1; left <= 1; ++left) {
        bool fits = true;
        for (int c = 0; c < 2; ++c)
          for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 4; ++x) {
              const int u = y + top, v = x + left;
              const bool inside = u >= 0 && u < 3 && v >= 0 && v < 4;
              const auto expected = inside ? from[static_cast<std::size_t>((c * 3 + u) * 4 + v)] : 0;
              fits = fits && to[static_cast<std::size_t>((c * 3 + y) * 4 + x)] == expected;
            }
        if (!fits) continue;
        ++found;
        tops.push_back(top);
        lefts.push_back(left);
      }
    REQUIRE(found == 1);
  }
  for (const int shift : {-1, 0, 1}) {
    CHECK(std::count(tops.begin(), tops.end(), shift) > 5);
    CHECK(std::count(lefts.begin(), lefts.end(), shift) > 5);
  }
  const source small = data::random_crop(plain, "image", {.height = 2, .width = 1});
  CHECK(small.find("image")->sample_shape == std::vector<std::int64_t>{2, 2, 1});
  const bytes piece = image(small, 0);
  CHECK(piece[1] == piece[0] + 4);
  CHECK(piece[2] == piece[0] + 12);
  CHECK(error_of([&] { data::random_crop(plain, "image", {.height = 4}); }).find("too small") !=
        std::string::npos);
  CHECK(error_of([&] { data::random_crop(plain, "x", {.padding = 1}); }).find("expected [channels") !=
        std::string::npos);
}

TEST_CASE("a flip exchanges left and right", "[data]") {
  const source plain = images(), always = data::random_flip(plain, "image", {.probability = 1}),
               never = data::random_flip(plain, "image", {.probability = 0});
  CHECK(image(never, 5, 3) == image(plain, 5));
  const bytes from = image(plain, 2), to = image(always, 2);
  for (std::size_t row = 0; row < 24; row += 4)
    for (std::size_t x = 0; x < 4; ++x) REQUIRE(to[row + x] == from[row + 3 - x]);
  CHECK(is_seen_to_be_random(data::random_flip(plain, "image")));
  const source wide =
      data::random_flip(data::normalize(plain, "image", {{0}, {1}}), "image", {.probability = 1});
  CHECK(column_of<float>(wide, "image", {0})[0] == 4);
  CHECK(error_of([&] { data::random_flip(plain, "image", {.probability = 2}); }).find("probability 2") !=
        std::string::npos);
}

TEST_CASE("a square is cut out of each image", "[data]") {
  const source plain = images(), cut = data::cutout(plain, "image", {.size = 2, .seed = 4});
  CHECK(is_seen_to_be_random(cut));
  for (std::int64_t pass = 0; pass < 20; ++pass) {
    const bytes from = image(plain, 1), to = image(cut, 1, pass);
    int zeros = 0;
    for (std::size_t k = 0; k < 24; ++k) {
      zeros += to[k] == 0 ? 1 : 0;
      REQUIRE((to[k] == 0 || to[k] == from[k]));
      REQUIRE((to[k] == 0) == (to[(k + 12) % 24] == 0));  // in both channels
    }
    REQUIRE(zeros >= 2);
    REQUIRE(zeros <= 8);
  }
  CHECK(error_of([&] { data::cutout(plain, "image", {.size = 0}); }).find("side 0") != std::string::npos);
}

namespace {

/// Two images [height, width, channels] with no two elements equal.
data::dataset channels_last(std::int64_t height, std::int64_t width, std::int64_t channels) {
  std::vector<std::int32_t> elements(static_cast<std::size_t>(2 * height * width * channels));
  for (std::size_t k = 0; k < elements.size(); ++k) elements[k] = static_cast<std::int32_t>(k + 1);
  data::dataset d;
  d.add("image", {height, width, channels}, elements);
  return d;
}

}  // namespace

TEST_CASE("images with their channels last are refused, or moved pixel by pixel", "[data]") {
  const source photos = channels_last(6, 5, 3);
  const std::string problem =
      "column \"image\" has samples of std::int32_t [6, 5, 3], expected [channels, height, width]: say "
      ".channels_last = true where they are [height, width, channels], and false where they are not";
  CHECK(error_of([&] { data::random_flip(photos, "image"); }) == "tapeless: random_flip: " + problem);
  CHECK(error_of([&] { data::cutout(photos, "image"); }) == "tapeless: cutout: " + problem);
  CHECK(error_of([&] { data::random_crop(photos, "image", {}); }) == "tapeless: random_crop: " + problem);
  CHECK(error_of([&] { data::random_flip(channels_last(3, 5, 3), "image"); }) == "(no error)");
  CHECK(error_of([&] { data::random_flip(channels_last(64, 3, 3), "image"); }) == "(no error)");
  CHECK(error_of([&] { data::random_flip(photos, "image", {.channels_last = false}); }) == "(no error)");
  CHECK(error_of([&] {
          data::random_flip(images(), "x", {.channels_last = true});
        }).find("expected [height") != std::string::npos);
  CHECK(error_of([] {
          data::batch_memory asked;
          asked.add(data::column_of<float>("x", {6, 5, 3}));
          asked.resize(1, 0);
          data::batch into(asked);
          data::random_flip(undescribed(), "x").read(std::vector<std::int64_t>{0}, into);
        }).find("float [6, 5, 3], expected [channels") != std::string::npos);
  // What is cut out of [channels, height, width] may look like it.
  const source narrow = data::random_crop(channels_last(6, 5, 7), "image", {.height = 4, .width = 3});
  CHECK(column_of<std::int32_t>(narrow, "image", {0}).size() == 6 * 4 * 3);

  const auto pixels = column_of<std::int32_t>(photos, "image", {1});
  const auto moved = column_of<std::int32_t>(
      data::random_flip(photos, "image", {.probability = 1, .channels_last = true}), "image", {1});
  for (std::size_t y = 0; y < 6; ++y)
    for (std::size_t x = 0; x < 5; ++x)
      for (std::size_t c = 0; c < 3; ++c)
        REQUIRE(moved[(y * 5 + x) * 3 + c] == pixels[(y * 5 + 4 - x) * 3 + c]);

  const source piece = data::random_crop(photos, "image", {.height = 2, .width = 4, .channels_last = true});
  CHECK(piece.find("image")->sample_shape == std::vector<std::int64_t>{2, 4, 3});
  const auto some = column_of<std::int32_t>(piece, "image", {1});
  for (std::size_t k = 0; k < 12; ++k) {
    REQUIRE(some[k] == some[0] + static_cast<std::int32_t>(k));
    REQUIRE(some[12 + k] == some[k] + 15);
  }
  const auto holed = column_of<std::int32_t>(
      data::cutout(photos, "image", {.size = 2, .channels_last = true}), "image", {1});
  for (std::size_t k = 0; k < 90; k += 3) {
    REQUIRE((holed[k] == 0 || holed[k] == pixels[k]));
    REQUIRE((holed[k] == 0) == (holed[k + 2] == 0));
  }
  CHECK(std::count(holed.begin(), holed.end(), 0) > 0);
}

TEST_CASE("a function is mapped over samples, and may add columns", "[data]") {
  const source doubled = data::map(images(), [](data::sample& s) {
    for (double& x : s.get<double>("x")) x *= 2;
  });
  CHECK(column_of<double>(doubled, "x", {1, 2}) == std::vector<double>{2, 20, 8, 4, 20, 16});
  const source more = data::map(images(),
                                [](data::sample& s) {
                                  s.get<float>("sum")[0] =
                                      static_cast<float>(s.get<double>("x")[0] + s.get<double>("x")[2]);
                                },
                                {data::column_of<float>("sum")});
  CHECK(more.find("sum") != nullptr);
  CHECK(all_of<float>(more, "sum") == std::vector<float>{0, 5, 10, 15, 20, 25, 30, 35});
  CHECK(column_of<double>(more, "x", {}).empty());
  CHECK(column_of<double>(more, "x", {3}) == std::vector<double>{3, 10, 12});
  CHECK(error_of([] {
          data::map(images(), [](data::sample&) {}, {data::column_of<float>("x")});
        }).find("have a column \"x\" already") != std::string::npos);
  const auto of_labels_alone = [](const source& from) {
    return error_of([&] { column_of<std::int32_t>(from, "label", {1}); });
  };
  CHECK(of_labels_alone(doubled).find("no column \"x\"; it has \"label\"") != std::string::npos);
  CHECK(of_labels_alone(data::map(images(), [](data::sample& s) {
          if (s.has("x")) s.get<double>("x")[0] = 1;
        })) == "(no error)");
  const source forgetful = data::map(images(),
                                     [](data::sample& s) {
                                       if (s.number() != 5) s.get<float>("z")[0] = 7;
                                     },
                                     {data::column_of<float>("z")});
  CHECK(column_of<float>(forgetful, "z", {4, 6}) == std::vector<float>{7, 7});
  CHECK(error_of([&] { all_of<float>(forgetful, "z"); }) ==
        "tapeless: the function of map did not write column \"z\" (float []) of sample 5");
}

TEST_CASE("transforms stand on one another and on views", "[data]") {
  const auto chain = [](const source& from) {
    return data::random_flip(
        data::random_crop(data::one_hot(data::normalize(from, "image", {{5}, {2}}), "label", 3), "image",
                          {.padding = 2}),
        "image");
  };
  const source some = chain(data::subset(images(), {6, 1})), plain = images();
  const auto label = column_of<float>(some, "label", {1, 0});
  CHECK(label == std::vector<float>{0, 1, 0, 1, 0, 0});
  CHECK(column_of<float>(some, "label", {}).empty());
  CHECK(some.reader() == data::reader::runs_ahead);
  CHECK(column_of<float>(data::subset(chain(plain), {6, 1}), "image", {0}, 2) ==
        column_of<float>(chain(plain), "image", {6}, 2));
}
