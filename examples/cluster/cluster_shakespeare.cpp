// SPDX-License-Identifier: BSL-1.0
// Shakespeare, by several processes.
//
// Problem   That of 08_shakespeare: what letter comes next? On a machine with more cores, or on several.
// Idea      A loop of your own, as on one process: each process brings windows of its own to step, as many as
//           it likes, and all make the same step.
// Formula   g = sum over ranks r of n_r / n g_r,   where rank r has n_r of the n windows; |g| is clipped
// Here      All draw the same places in the text, and each takes every size-th. So any number of processes
//           comes to the same losses but for the last bits. The last tenth of the text is kept back, and
//           measured: evaluate waits for nobody, world.sum adds up what each has.
// Usage     mpirun -n 2 cluster_shakespeare FILE     Without mpirun it is one of one.
// Try       mpirun -n 3; tl::sharded_states around the rule; compression (tl::data_parallel_options).
#include <tapeless/mpi.hpp>
#include <tapeless/tapeless.hpp>

#include <cstdio>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
constexpr int context = 64, width = 64, letters = 128;

template <tl::name Scope>
constexpr auto block(tl::expression auto h) {  // [batch, context, width]
  constexpr tl::attention_options options{.heads = 4, .causal = true, .rotary = true};
  auto a = h + tl::attention<Scope + ".attn", options>(tl::layer_norm<Scope + ".norm1">(h));
  auto up = tl::gelu(tl::linear<Scope + ".up", 4 * width>(tl::layer_norm<Scope + ".norm2">(a)));
  return a + tl::linear<Scope + ".down", width>(up);
}

constexpr auto model = [] {
  auto text = tl::input<"text", std::int32_t, batch, context>;
  auto next = tl::input<"next", std::int32_t, batch, context>;
  auto h = block<"block1">(block<"block0">(tl::embedding<"letter", letters, width>(text)));
  return tl::cross_entropy(tl::linear<"head", letters>(tl::layer_norm<"norm">(h)), next);
};

/// Windows into a text, and the letters that follow them.
struct windows {
  std::vector<std::int32_t> text, next;

  void add(tl::array_view<const std::byte> from) {
    for (std::size_t i = 0; i < context; ++i) {
      text.push_back(std::to_integer<std::int32_t>(from[i]) % letters);
      next.push_back(std::to_integer<std::int32_t>(from[i + 1]) % letters);
    }
  }
};

int main(int argc, char** argv) try {
  tl::mpi world(argc, argv);
  if (argc != 2) return std::puts("usage: mpirun -n 2 cluster_shakespeare FILE"), 2;
  const std::vector<std::byte> all = tl::io::read_file(argv[1]);
  if (all.size() < 100 * context) return std::puts("expected a longer text"), 2;
  const std::size_t known = all.size() / 10 * 9;
  const auto ranks = static_cast<std::size_t>(world.size()), rank = static_cast<std::size_t>(world.rank());

  constexpr int steps = 300;
  const auto rate = tl::warmup_cosine({.peak = 6e-3, .warmup_steps = 30, .steps = steps});
  auto rule = tl::chain(tl::clip_by_global_norm(1.0f), tl::adamw({.learning_rate = rate}));
  tl::trainer net{model, tl::data_parallel(world, rule), tl::cpu{.threads = 1}, 1};
  tl::random_stream random(1, 0);
  for (int step = 1; step <= steps; ++step) {
    windows own;
    for (std::size_t w = 0; w < 32; ++w) {
      const std::size_t from = random.next() % (known - context);
      if (w % ranks == rank) own.add(tl::array_view<const std::byte>(all).subspan(from, context + 1));
    }
    net.step("text"_t = own.text, "next"_t = own.next);
    if (step % 60 == 0 && rank == 0) std::printf("step %3d    loss %.3f\n", step, net.mean_loss());
  }

  double sum = 0, count = 0;
  for (std::size_t w = rank; known + (w + 1) * context < all.size() && w < 512; w += ranks) {
    windows own;
    own.add(tl::array_view<const std::byte>(all).subspan(known + w * context, context + 1));
    sum += net.evaluate("text"_t = own.text, "next"_t = own.next).loss();
    ++count;
  }
  const double kept_back = world.sum(sum) / world.sum(count);
  if (rank == 0) std::printf("%d ranks: loss %.3f on text kept back\n", world.size(), kept_back);
  return kept_back < 2.1 ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
