// SPDX-License-Identifier: BSL-1.0
// The guide of sequences: how lstm, gru and attention lay them out.
#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto time_steps = tl::dyn<"time">;
constexpr auto batch = tl::dyn<"batch">;

// Recurrent networks: the time comes first.
constexpr auto recurrent_model = [] {
  auto x = tl::input<"x", float, time_steps, batch, 3>;  // [time, batch, features]
  auto [y, h, c] =
      tl::lstm<"lstm", 8, tl::recurrent{.layers = 2}>(x);  // y [time, batch, 8]; h, c [2, batch, 8]
  auto last = tl::at<-1>(y);                               // [batch, 8]: the last time's
  return tl::outputs(tl::named<"y">(y), tl::named<"h">(h), tl::named<"c">(c),
                     tl::named<"score">(tl::linear<"head", 1>(last)));
};

// Attention: the batch comes first, as in transformers.
constexpr auto attention_model = [] {
  auto x = tl::input<"x", float, batch, 5, 12>;   // [batch, length, width]
  auto keep = tl::input<"keep", bool, batch, 5>;  // false: padding
  auto y = tl::attention<"attn", tl::attention_options{.heads = 3, .causal = true}>(x, keep);
  return tl::outputs(tl::named<"y">(x + y));
};

// A cell in a loop of one's own: scan's body gets the carries, then an element of the sequence.
constexpr auto loop_model = [] {
  auto x = tl::input<"x", float, time_steps, batch, 3>;
  auto h = tl::input<"h", float, batch, 8>;
  auto [last, all] = tl::scan(
      [](auto state, auto now) {
        auto next = tl::gru_cell<"cell", 8>(now, state);
        return std::tuple{next, next};  // the next carry, and what is stacked
      },
      h, x);
  return tl::outputs(tl::named<"last">(last), tl::named<"all">(all));
};

// Several carries: one changes, one is handed on as it came.
constexpr auto decoder_model = [] {
  auto heard = tl::input<"heard", float, batch, 6, 8>;  // of an encoder: [batch, length, features]
  auto x = tl::input<"x", float, time_steps, batch, 3>;
  auto first = tl::input<"h", float, batch, 8>;
  auto [h, same, all] = tl::scan(
      [](auto state, auto memory, auto now) {  // the carries, then an element
        auto query = tl::unsqueeze<1>(state);
        auto found = tl::squeeze<1>(tl::scaled_dot_product_attention(query, memory, memory));
        auto next = tl::gru_cell<"cell", 8>(tl::concat<1>(now, found), state);
        return std::tuple{next, memory, next};  // the next carries, and what is stacked
      },
      std::tuple{first, heard}, x);
  return tl::outputs(tl::named<"h">(h), tl::named<"spoken">(tl::linear<"out", 4>(all)));
};

// A model of one time, whose state is an input and an output, and the one that trains its weights.
constexpr auto one_time = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto h = tl::gru_cell<"cell", 8>(x, tl::input<"h", float, batch, 8>);
  return tl::outputs(tl::named<"h">(h), tl::named<"y">(tl::linear<"out", 4>(h)));
};

constexpr auto all_times = [] {
  auto x = tl::input<"x", float, time_steps, batch, 3>;
  auto wanted = tl::input<"wanted", float, time_steps, batch, 4>;
  auto [last, all] = tl::scan(
      [](auto state, auto now) {
        auto next = tl::gru_cell<"cell", 8>(now, state);
        return std::tuple{next, next};
      },
      tl::zeros<float, batch, 8>(), x);
  auto y = tl::linear<"out", 4>(all);
  return tl::outputs(tl::mse_loss(y, wanted), tl::named<"y">(y));
};

void print(const char* name, const auto& view) {
  std::printf("%s [", name);
  const char* comma = "";
  for (auto extent : view.shape()) std::printf("%s%d", comma, static_cast<int>(extent)), comma = ", ";
  std::printf("]\n");
}

int main() {
  tl::function lstm{recurrent_model};
  auto r = lstm("x"_t = std::vector<float>(7 * 2 * 3), "batch"_t = 2);  // 7 times of 2 sequences
  print("y", r.get<"y">());
  print("h", r.get<"h">());
  print("score", r.get<"score">());

  tl::function attention{attention_model};
  const std::array<bool, 5> keep{true, true, true, false, false};
  print("attention", attention("x"_t = std::vector<float>(5 * 12), "keep"_t = keep).get<"y">());

  tl::function loop{loop_model};
  auto s = loop("x"_t = std::vector<float>(7 * 2 * 3), "h"_t = std::vector<float>(2 * 8));
  print("all", s.get<"all">());

  tl::function decoder{decoder_model};
  const std::vector<float> heard(2 * 6 * 8), x(7 * 2 * 3), h(2 * 8);
  print("spoken", decoder("heard"_t = heard, "x"_t = x, "h"_t = h).get<"spoken">());

  tl::trainer net{all_times, tl::adam({})};
  std::vector<float> times(7 * 2 * 3);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = std::sin(static_cast<float>(i));
  net.step("x"_t = times, "wanted"_t = std::vector<float>(7 * 2 * 4), "batch"_t = 2);

  tl::function one{one_time, tl::weights(net)};  // shares the trainer's weights
  const auto x_at = [&](std::size_t t) { return std::span(times).subspan(t * 2 * 3, 2 * 3); };
  auto last = one("x"_t = x_at(0), "h"_t = std::vector<float>(2 * 8));
  for (std::size_t t = 1; t < 7; ++t) last = one("x"_t = x_at(t), "h"_t = last.get<"h">());

  const auto together = net.predict("x"_t = times, "batch"_t = 2).get<"y">().copy();
  const auto said = last.get<"y">();
  if (said.size() != 8) return 1;
  for (std::size_t i = 0; i < 8; ++i)
    if (!(std::abs(said.begin()[i] - together[6 * 2 * 4 + i]) <= 1e-5f)) return 1;
}
