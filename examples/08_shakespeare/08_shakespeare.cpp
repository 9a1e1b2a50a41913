// SPDX-License-Identifier: BSL-1.0
// 08  Shakespeare: a transformer learns to write, letter by letter.
//
// Problem   A million letters of Shakespeare. What comes next?
// Idea      Each place of the text looks back at all places before it, and takes from each as much as it
//           seems to matter: attention (Vaswani et al., 2017).
// Formula   attention = softmax(q k^T / sqrt(d)) v, where keys k and values v come from places before
//           h += attention(norm(h)),   h += mlp(norm(h))
// Here      Two blocks, which see windows of 64 letters. Then it writes: keys and values of letters that
//           stand are kept in a cache (cached_attention), so that a letter costs the same however many came
//           before, and several texts are written at once. Places are told apart by rotary positions.
// Usage     08_shakespeare FILE
// Try       three times as many steps; six blocks by tl::repeat or tl::scan; a temperature.
#include <tapeless/ops/attention/cached_attention.hpp>
#include <tapeless/tapeless.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
constexpr int context = 64, width = 96, heads = 4, letters = 128;
constexpr tl::attention_options options{.heads = heads, .causal = true, .rotary = true};

template <tl::name Scope>
constexpr auto mlp(tl::expression auto h) {
  return h + tl::linear<Scope + ".down", width>(
                 tl::gelu(tl::linear<Scope + ".up", 4 * width>(tl::layer_norm<Scope + ".norm2">(h))));
}
template <tl::name Scope>
constexpr auto block(tl::expression auto h) {  // [batch, context, width]
  return mlp<Scope>(h + tl::attention<Scope + ".attn", options>(tl::layer_norm<Scope + ".norm1">(h)));
}
template <tl::name Scope>
constexpr auto block_at(tl::expression auto h, tl::expression auto cache,
                        tl::expression auto place) {  // [batch, 1, width]
  auto [y, next] =
      tl::cached_attention<Scope + ".attn", options>(tl::layer_norm<Scope + ".norm1">(h), cache, place);
  return std::tuple(mlp<Scope>(h + y), next);
}

constexpr auto training = [] {
  auto text = tl::input<"text", std::int32_t, batch, context>;
  auto next = tl::input<"next", std::int32_t, batch, context>;
  auto h = block<"block1">(block<"block0">(tl::embedding<"letter", letters, width>(text)));
  return tl::cross_entropy(tl::linear<"head", letters>(tl::layer_norm<"norm">(h)), next);
};

constexpr auto one_letter = [] {
  auto letter = tl::input<"letter", std::int32_t, batch, 1>;
  auto place = tl::input<"place", std::int32_t>;
  auto cache0 = tl::input<"cache0", float, 2, batch, heads, context, width / heads>;
  auto cache1 = tl::input<"cache1", float, 2, batch, heads, context, width / heads>;
  auto [h, next0] = block_at<"block0">(tl::embedding<"letter", letters, width>(letter), cache0, place);
  auto [y, next1] = block_at<"block1">(h, cache1, place);
  auto logits = tl::linear<"head", letters>(tl::layer_norm<"norm">(y));
  return tl::outputs(tl::named<"p">(tl::softmax(logits / 0.8_c)), tl::named<"cache0">(next0),
                     tl::named<"cache1">(next1));
};

int main(int argc, char** argv) try {
  if (argc != 2) return std::puts("usage: 08_shakespeare FILE"), 2;
  const std::vector<std::byte> all = tl::io::read_file(argv[1]);
  if (all.size() < 10 * context) return std::puts("expected a longer text"), 2;

  constexpr int steps = 600;
  constexpr std::size_t size = 24;
  const auto rate = tl::warmup_cosine({.peak = 4e-3, .warmup_steps = 50, .steps = steps});
  tl::trainer net{training, tl::chain(tl::clip_by_global_norm(1.0f), tl::adamw({.learning_rate = rate})),
                  tl::cpu{.threads = 2}, 1};
  tl::random_stream random(1, 0);
  std::vector<std::int32_t> text(size * context), next(size * context);
  double loss = 0;
  std::puts("steps   loss");
  for (int step = 1; step <= steps; ++step) {
    for (std::size_t b = 0; b < size; ++b) {
      const std::size_t from = random.next() % (all.size() - context);
      for (std::size_t i = 0; i < context; ++i) {
        text[b * context + i] = std::to_integer<std::int32_t>(all[from + i]);
        next[b * context + i] = std::to_integer<std::int32_t>(all[from + i + 1]);
      }
    }
    if (step % 60 == 1) loss = 0;
    loss += net.step("text"_t = text, "next"_t = next).loss() / 60;
    if (step % 60 == 0) std::printf("%4d    %.3f\n", step, loss);
  }

  // Four texts at once. The first letters are given; the others are drawn.
  constexpr std::array<std::string_view, 4> begins{"ROMEO:\n", "To be, or ", "My lord, ", "KING "};
  const tl::function writer{one_letter, tl::weights(net)};
  std::vector<float> empty(2 * begins.size() * context * width);
  std::array<std::string, begins.size()> texts;
  std::vector<std::int32_t> letter(begins.size());
  for (std::size_t b = 0; b < begins.size(); ++b) texts[b] = begins[b][0];
  const auto begin = std::chrono::steady_clock::now();
  const auto write = [&](std::int32_t place, std::span<const float> cache0, std::span<const float> cache1) {
    for (std::size_t b = 0; b < begins.size(); ++b) letter[b] = texts[b][static_cast<std::size_t>(place)];
    return writer("letter"_t = letter, "place"_t = place, "cache0"_t = cache0, "cache1"_t = cache1);
  };
  auto r = write(0, empty, empty);
  for (std::int32_t place = 1; place < context; ++place) {
    const auto p = r.get<"p">();
    for (std::size_t b = 0; b < begins.size(); ++b) {
      double left = random.uniform();
      char drawn = 0;  // as often as it is probable
      for (; drawn + 1 < letters; ++drawn)
        if ((left -= p[b * letters + static_cast<std::size_t>(drawn)]) < 0) break;
      const auto at = static_cast<std::size_t>(place);
      texts[b] += at < begins[b].size() ? begins[b][at] : drawn;
    }
    if (place + 1 < context) r = write(place, r.get<"cache0">(), r.get<"cache1">());
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (const std::string& t : texts) std::printf("--- %s\n", t.c_str());
  std::printf("loss %.3f; a letter of each of 4 texts takes %.0f microseconds\n", loss,
              1e6 * seconds / context);
  return loss < 2.1 ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
