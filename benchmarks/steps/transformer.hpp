// SPDX-License-Identifier: BSL-1.0
// A language model of characters: blocks of causal attention and two layers with GELU.
#pragma once

#include "row.hpp"

namespace steps {

template <int Width, int Layers, int Heads, int Window>
struct transformer {
  static constexpr int characters = 65;
  static constexpr auto batch = tl::dyn<"batch">;

  template <tl::name Name>
  static constexpr auto block(tl::expression auto h) {
    constexpr tl::attention_options causal{.heads = Heads, .causal = true};
    auto a = h + tl::attention<Name + ".attn", causal>(tl::layer_norm<Name + ".ln1">(h));
    auto wide = tl::linear<Name + ".up", 4 * Width>(tl::layer_norm<Name + ".ln2">(a));
    return a + tl::linear<Name + ".down", Width>(tl::gelu<tl::approximation::tanh>(wide));
  }
  static constexpr auto model = [] {
    auto text = tl::input<"text", std::int32_t, batch, Window>;
    auto next = tl::input<"next", std::int32_t, batch, Window>;
    auto h = tl::embedding<"token", characters, Width>(text) +
             tl::param<"position", float, Window, Width>(tl::normal(0.02));
    auto out = tl::repeat<Layers>(h, []<int I>(auto x) { return block<tl::name{"block"} + I>(x); });
    return tl::cross_entropy(tl::linear<"head", characters>(tl::layer_norm<"ln">(out)), next);
  };

  static row of(int size) {
    const double tokens = 1.0 * size * Window;
    const double weights = Layers * 12.0 * Width * Width + 1.0 * characters * Width;
    const double scores = Layers * 2.0 * Window * Width;  // the whole square, as is usual
    const auto count = static_cast<std::size_t>(tokens);
    return row_of(
        "transformer-" + std::to_string(Width) + "/" + std::to_string(size), 6 * tokens * (weights + scores),
        [count] {
          return inputs{.indices = inputs::classes(count, characters, 1),
                        .labels = inputs::classes(count, characters, 2)};
        },
        [](int threads) { return tl::trainer{model, tl::adamw({}), tl::cpu{.threads = threads}}; },
        [](auto& net, const inputs& in) {
          return net.step("text"_t = in.indices, "next"_t = in.labels).loss();
        });
  }
};

}  // namespace steps
