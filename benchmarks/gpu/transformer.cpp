// SPDX-License-Identifier: BSL-1.0
// A step of a small GPT on bytes, float: width 128, 4 layers, 4 heads, 64 bytes of context; AdamW, gradients
// clipped. Usage: transformer [BATCH] [SECONDS]
#include "transformer.hpp"

namespace tl = tapeless;

namespace {

constexpr int context = 64, width = 128, heads = 4, layers = 4;

constexpr auto model = [] {
  return gpt::loss<context, width>([](auto h) {
    return tl::repeat<layers>(
        h, []<int I>(auto x) { return gpt::block<tl::name{"block"} + I, width, heads>(x); });
  });
};

}  // namespace

int main(int argc, char** argv) {
  return timing::run([&] {
    tl::trainer net{model, tl::chain(tl::clip_by_global_norm(1.0f), tl::adamw({.learning_rate = 1e-3f}))};
    gpt::measure<context>("transformer", "f32", {argc, argv, 16}, net);
  });
}
