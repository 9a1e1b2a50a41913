// SPDX-License-Identifier: BSL-1.0
// A GPT on bytes, as both transformers of this folder have it.
#pragma once

#include <tapeless/tapeless.hpp>

#include "timing.hpp"

namespace gpt {

namespace tl = tapeless;
using namespace tl::literals;

inline constexpr int letters = 256;
inline constexpr auto batch = tl::dyn<"batch">;

template <tl::name Scope, int Width, int Heads>
constexpr auto block(tl::expression auto h) {  // [batch, context, Width] -> the same
  auto a = h + tl::attention<Scope + ".attn", tl::attention_options{.heads = Heads, .causal = true}>(
                   tl::layer_norm<Scope + ".ln1">(h));
  return a + tl::linear<Scope + ".down", Width>(
                 tl::gelu(tl::linear<Scope + ".up", 4 * Width>(tl::layer_norm<Scope + ".ln2">(a))));
}

/// The loss of predicting each next byte; blocks(h) are those between the embedding and the head.
template <int Context, int Width, class Blocks>
constexpr auto loss(Blocks blocks) {
  auto text = tl::input<"text", std::int32_t, batch, Context>;
  auto next = tl::input<"next", std::int32_t, batch, Context>;
  auto h = tl::embedding<"token", letters, Width>(text) +
           tl::param<"position", float, Context, Width>(tl::normal(0.02));
  return tl::cross_entropy(tl::linear<"head", letters>(tl::layer_norm<"ln">(blocks(h))), next);
}

/// What one step is given: arrays here, which the step copies to the device.
struct samples {
  std::vector<std::int32_t> text, next;

  samples(std::int64_t count, std::uint32_t number)
      : text(timing::integers(count, letters, 2 * number)),
        next(timing::integers(count, letters, 2 * number + 1)) {}
};

template <class Net>
void measure(const char* benchmark, const char* precision, const timing::arguments& given, Net& net,
             int context) {
  std::vector<samples> data;
  for (std::uint32_t i = 0; i < 4; ++i) data.emplace_back(given.size * context, i);

  const auto step = [&](int i) {
    const samples& s = data[static_cast<std::size_t>(i) % data.size()];
    return net.step("text"_t = s.text, "next"_t = s.next);
  };
  auto last = step(0);
  timing::measure(benchmark, precision, given, [&](int i) { last = step(i); }, [&] { return last.loss(); });
}

}  // namespace gpt
