// SPDX-License-Identifier: BSL-1.0
// 07  Names: an LSTM that reads letter by letter, and then makes up names.
//
// Problem   32,000 first names. What makes a name sound like one?
// Idea      Guess the next letter from all letters before. A recurrent network reads them one by one and
//           keeps in mind what matters (Hochreiter and Schmidhuber, 1997). Guesses that are drawn, one after
//           the other, are new names.
// Formula   (h, c) <- lstm(letter, h, c),   p(next) = softmax(W h),   L = -mean log p(the next letter)
// Here      Names have different lengths: behind the end stands the label -1, which the loss ignores. To
//           write, the same weights serve a function that does one letter at a time, and whose states go back
//           in.
// Usage     07_names FILE     with one name in each line
// Try       a temperature: logits / 0.7 gives safer names; two layers; a gru.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
constexpr int longest = 16, letters = 27, width = 96;  // letter 0 is before the beginning and behind the end

constexpr auto read(tl::expression auto text) { return tl::embedding<"letter", letters, 24>(text); }

constexpr auto training = [] {
  auto text = tl::input<"text", std::int32_t, longest, batch>;  // time first
  auto next = tl::input<"next", std::int32_t, longest, batch>;
  auto [y, h, c] = tl::lstm<"lstm", width>(read(text));
  auto logits = tl::linear<"head", letters>(y);
  return tl::cross_entropy<tl::loss{.ignore_index = -1}>(logits, next);
};

constexpr auto one_letter = [] {
  auto letter = tl::input<"letter", std::int32_t, 1, batch>;
  auto h = tl::input<"h", float, batch, width>;
  auto c = tl::input<"c", float, batch, width>;
  auto [y, next_h, next_c] = tl::lstm<"lstm", width>(read(letter), h, c);
  return tl::outputs(tl::named<"p">(tl::softmax(tl::linear<"head", letters>(y))), tl::named<"h">(next_h),
                     tl::named<"c">(next_c));
};

int number(char letter) { return letter == '.' ? 0 : letter - 'a' + 1; }

struct texts {
  std::vector<std::int32_t> text, next;
};
texts batch_of(const std::vector<std::string>& names, const auto& choose, std::size_t count) {
  texts t{std::vector<std::int32_t>(longest * count), std::vector<std::int32_t>(longest * count, -1)};
  for (std::size_t b = 0; b < count; ++b) {
    const std::string& name = names[choose(b)];
    for (std::size_t i = 0; i <= name.size(); ++i) {
      if (i > 0) t.text[i * count + b] = number(name[i - 1]);
      t.next[i * count + b] = i < name.size() ? number(name[i]) : 0;
    }
  }
  return t;
}

int main(int argc, char** argv) try {
  if (argc != 2) return std::puts("usage: 07_names FILE"), 2;
  std::vector<std::string> names;
  std::ifstream file(argv[1]);
  for (std::string name; std::getline(file, name);)
    if (!name.empty() && name.size() < longest) names.push_back(name);
  std::mt19937 random{1};
  std::shuffle(names.begin(), names.end(), random);
  const std::size_t held_back = names.size() / 10, first = held_back;

  constexpr int steps = 2500;
  tl::trainer net{training, tl::adam({.learning_rate = tl::cosine_schedule({.start = 6e-3, .steps = steps})}),
                  tl::cpu{.threads = 2}, 1};
  const texts unseen = batch_of(names, [](std::size_t i) { return i; }, held_back);
  const auto loss_on_unseen = [&] {
    return net.evaluate("text"_t = unseen.text, "next"_t = unseen.next).loss();
  };
  std::printf(
      "names to learn %zu, held back %zu; a blind guess costs log 27 = %.3f\nstep   loss on the names held "
      "back\n",
      names.size() - held_back, held_back, std::log(27.0));
  for (int step = 0; step < steps; ++step) {
    const texts t =
        batch_of(names, [&](std::size_t) { return first + random() % (names.size() - first); }, 64);
    net.step("text"_t = t.text, "next"_t = t.next);
    if (step % 500 == 499) std::printf("%4d   %.3f\n", step + 1, loss_on_unseen());
  }

  // 60 names at once, letter by letter.
  constexpr std::size_t count = 60;
  const tl::function writer{one_letter, tl::weights(net)};
  std::vector<std::int32_t> letter(count);
  std::vector<float> start(count * width);
  std::vector<std::string> made(count);
  std::vector<std::vector<float>> chance(count);
  auto r = writer("letter"_t = letter, "h"_t = start, "c"_t = start);
  for (int i = 0; i < longest; ++i) {
    const auto p = r.get<"p">();
    for (std::size_t b = 0; b < count; ++b) {
      std::discrete_distribution<int> choice(&p[b * letters], &p[b * letters] + letters);
      letter[b] = i > 0 && letter[b] == 0 ? 0 : choice(random);
      if (letter[b] == 0) continue;
      made[b] += static_cast<char>('a' + letter[b] - 1);
      chance[b].push_back(p[b * letters + static_cast<std::size_t>(letter[b])]);
    }
    r = writer("letter"_t = letter, "h"_t = r.get<"h">(), "c"_t = r.get<"c">());
  }
  const std::set<std::string> known(names.begin(), names.end());
  int fresh = 0;
  for (std::size_t b = 0; b < count; ++b) {
    fresh += known.count(made[b]) == 0;
    std::printf("%-11s%s", made[b].c_str(), b % 6 == 5 ? "\n" : " ");
  }
  const float loss = loss_on_unseen();
  std::printf("loss on names held back %.3f; %d of %zu names are new\n", loss, fresh, count);

  svg::axes plot({.title = "made names; the more colour behind a letter, the surer the network was of it",
                  .x = {-0.5, 35.5},
                  .y = {-11.6, 0.6},
                  .ticks = false,
                  .width = 620,
                  .height = 230});
  for (std::size_t b = 0; b < 36; ++b)
    for (std::size_t i = 0; i < std::min<std::size_t>(made[b].size(), 11); ++i) {
      const double x = static_cast<double>(b % 3 * 12 + i), y = -static_cast<double>(b / 3);
      plot.box({x - 0.5, x + 0.5}, {y - 0.42, y + 0.42},
               {.color = svg::purple, .opacity = 0.7 * chance[b][i]});
      plot.text(x, y, std::string(1, made[b][i]));
    }
  svg::write("07_names.svg", {plot});
  return loss < 2.2f && fresh > 20 ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
