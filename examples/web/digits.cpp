// SPDX-License-Identifier: BSL-1.0
// A classifier of digits that learns inside a page: compiled to WebAssembly, and nothing is linked. tl::bare
// keeps parameters, states and the arena in one static object; page.html calls the functions at the end.
#include <tapeless/bare.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "digits/drawing.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr int batch = 16, classes = 10;

constexpr auto model = [] {
  auto image = tl::input<"image", float, batch, digits::area>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto h = tl::relu(tl::linear<"fc1", 48>(image));
  auto logits = tl::linear<"fc2", classes>(h);
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"probability">(tl::softmax<1>(logits)));
};

using net_type = decltype(tl::trainer{model, tl::adam({.learning_rate = 2e-3f}), tl::bare{}});
net_type net{model, tl::adam({.learning_rate = 2e-3f}), tl::bare{}, 1};

using picture = std::array<std::uint8_t, digits::area>;

picture canvas;                     // what the page draws, and reads
std::array<float, classes> answer;  // the probability of each digit
std::array<std::uint8_t, net_type::saved_bytes()> file;

/// What the visitor drew, the newest in place of the oldest.
struct {
  std::array<picture, 1000> pictures;
  std::array<std::int32_t, 1000> labels;
  int kept = 0;
  int size() const { return kept < 1000 ? kept : 1000; }
} drawings;

std::array<float, batch * digits::area> images;
std::array<std::int32_t, batch> labels;
digits::generator chance{7};

/// A picture as row `row` of the batch, moved by so many pixels.
void place(const picture& from, int row, int right, int down) {
  for (int y = 0; y < digits::side; ++y)
    for (int x = 0; x < digits::side; ++x) {
      const int u = x - right, v = y - down;
      const bool inside = u >= 0 && u < digits::side && v >= 0 && v < digits::side;
      images[static_cast<std::size_t>(row * digits::area + y * digits::side + x)] =
          inside ? static_cast<float>(from[static_cast<std::size_t>(v * digits::side + u)]) / 255.0f : 0.0f;
    }
}

int move() { return static_cast<int>(chance.between(-2, 2)); }

/// A batch: half of it from the font, half the visitor's, where there is anything.
void draw_batch() {
  picture printed{};
  for (int row = 0; row < batch; ++row) {
    const auto i = static_cast<std::size_t>(row);
    if (row % 2 == 0 && drawings.kept > 0) {
      const auto one = static_cast<std::size_t>(chance.between(0, drawings.size() - 1));
      place(drawings.pictures[one], row, move(), move());
      labels[i] = drawings.labels[one];
    } else {
      labels[i] = digits::draw_one(static_cast<std::size_t>(chance.between(0, 9)), chance(), printed);
      place(printed, row, 0, 0);
    }
  }
}

const float* probabilities() { return net.predict("image"_t = images).get<"probability">().data(); }

int most_likely(const float* p) {
  int best = 0;
  for (int k = 1; k < classes; ++k)
    if (p[k] > p[best]) best = k;
  return best;
}

}  // namespace

extern "C" {

std::uint8_t* pixels() { return canvas.data(); }
std::uint8_t* saved() { return file.data(); }
int parameter_bytes() { return static_cast<int>(file.size()); }
int trainer_bytes() { return static_cast<int>(sizeof(net)); }

/// Draws a digit of the font on the canvas, and returns which.
int draw(int number) { return digits::draw_one(static_cast<std::size_t>(number), chance(), canvas); }

/// Keeps the canvas as a sample of the digit.
void keep(int digit) {
  const auto to = static_cast<std::size_t>(drawings.kept++ % 1000);
  drawings.pictures[to] = canvas;
  drawings.labels[to] = digit;
}

/// Trains so many steps; the mean of their losses.
float train(int steps) {
  float sum = 0;
  for (int i = 0; i < steps; ++i) {
    draw_batch();
    sum += net.step("image"_t = images, "label"_t = labels).loss();
  }
  return sum / static_cast<float>(steps);
}

/// Ten probabilities of what is on the canvas.
const float* recognize() {
  place(canvas, 0, 0, 0);
  const float* p = probabilities();
  for (std::size_t k = 0; k < answer.size(); ++k) answer[k] = p[k];
  return answer.data();
}

/// The share of 160 digits of the font, drawn for this alone, that is recognized.
float share_right() {
  digits::generator seeds{123};
  picture printed{};
  int right = 0;
  for (int b = 0; b < 10; ++b) {
    int wanted[batch];
    for (int row = 0; row < batch; ++row) {
      wanted[row] = digits::draw_one(static_cast<std::size_t>(b * batch + row), seeds(), printed);
      place(printed, row, 0, 0);
    }
    const float* p = probabilities();
    for (int row = 0; row < batch; ++row) right += most_likely(p + row * classes) == wanted[row];
  }
  return static_cast<float>(right) / (10 * batch);
}

/// Writes the parameters to saved(), as a safetensors file, and returns its bytes.
int save() { return static_cast<int>(net.save(file.data(), file.size())); }
/// Takes them from there; 0 where they are another model's.
int load(int size) { return net.load(file.data(), static_cast<std::size_t>(size)) ? 1 : 0; }

/// Forgets everything. The trainer is made where it stands: it is larger than the stack.
void restart() {
  std::construct_at(&net, model, tl::adam({.learning_rate = 2e-3f}), tl::bare{}, 1);
  drawings.kept = 0;
}
}
