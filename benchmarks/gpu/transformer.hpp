// SPDX-License-Identifier: BSL-1.0
// A GPT on bytes, as both transformers of this folder have it.
#pragma once

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

/// What one step is given.
template <int Context>
struct samples {
  timing::tensor<std::int32_t> text, next;

  samples(std::int64_t size, std::uint32_t number, timing::place place)
      : text(timing::integers(size * Context, letters, 2 * number), {size, Context}, place),
        next(timing::integers(size * Context, letters, 2 * number + 1), {size, Context}, place) {}
};

template <int Context, class Net>
void measure(const char* benchmark, const char* precision, const timing::arguments& given, Net& net) {
  timing::measure_steps<samples<Context>>(benchmark, precision, given, [&](const samples<Context>& s) {
    return net.step("text"_t = s.text, "next"_t = s.next);
  });
}

}  // namespace gpt
