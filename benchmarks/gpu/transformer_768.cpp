// SPDX-License-Identifier: BSL-1.0
// A step of a GPT on bytes in bf16, of GPT-2's smallest size: width 768, 12 layers, 12 heads, 1024 bytes of
// context; AdamW on float copies of the weights, gradients clipped. Usage: transformer_768 [BATCH] [SECONDS]
#include "transformer.hpp"

namespace tl = tapeless;

namespace {

constexpr int context = 1024, width = 768, heads = 12, layers = 12;

constexpr auto model = [] {
  return gpt::loss<context, width>([](auto h) {
    // a loop in the program, which is compiled once for all layers
    return tl::scan<layers>(h, [](auto x) { return gpt::block<"block", width, heads>(x); });
  });
};

}  // namespace

int main(int argc, char** argv) {
  return timing::run([&] {
    tl::trainer net{model, tl::mixed_precision<tl::bf16>(tl::chain(tl::clip_by_global_norm(1.0f),
                                                                   tl::adamw({.learning_rate = 1e-3f})))};
    gpt::measure<context>("transformer_768", "bf16", {argc, argv, 8}, net);
  });
}
