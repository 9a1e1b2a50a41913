// SPDX-License-Identifier: BSL-1.0
// Steps of several processes, whose gradients travel while the backward pass goes on, in buckets of the size
// that the plan says or of 1 MiB, or when it has ended, as they are or as bf16: 784-500-10 and 784-500-500-10
// classifiers and the transformer of api/06. All ways take turns, so that whatever else the machine does
// slows all. Each process computes on one thread.
//
// Usage: mpirun -n 2 steps [ROUNDS]. measure.sh runs it in all the places that it can make.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

#include <tapeless/mpi.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto classifier = [] {
  auto x = tl::input<"x", float, batch, 784>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto hidden = tl::relu(tl::linear<"fc1", 500>(x));
  return tl::cross_entropy(tl::linear<"fc2", 10>(hidden), y);
};

constexpr auto deep_classifier = [] {
  auto x = tl::input<"x", float, batch, 784>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto hidden = tl::relu(tl::linear<"fc2", 500>(tl::relu(tl::linear<"fc1", 500>(x))));
  return tl::cross_entropy(tl::linear<"fc3", 10>(hidden), y);
};

constexpr int context = 64, width = 128, heads = 4, layers = 4, letters = 256;

template <tl::name Scope>
constexpr auto block(tl::expression auto h) {
  auto a = h + tl::attention<Scope + ".attn", tl::attention_options{.heads = heads, .causal = true}>(
                   tl::layer_norm<Scope + ".ln1">(h));
  return a + tl::linear<Scope + ".down", width>(
                 tl::gelu(tl::linear<Scope + ".up", 4 * width>(tl::layer_norm<Scope + ".ln2">(a))));
}

constexpr auto transformer = [] {
  auto text = tl::input<"x", std::int32_t, batch, context>;
  auto next = tl::input<"y", std::int32_t, batch, context>;
  auto h = tl::embedding<"token", letters, width>(text) +
           tl::param<"position", float, context, width>(tl::normal(0.02));
  auto out = tl::repeat<layers>(h, []<int I>(auto x) { return block<tl::name{"block"} + I>(x); });
  return tl::cross_entropy(tl::linear<"head", letters>(tl::layer_norm<"ln">(out)), next);
};

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

struct way {
  const char* name;
  tl::data_parallel_options options;
};

constexpr std::int64_t all_bytes = std::int64_t{1} << 40;
constexpr way ways[] = {
    {"at the end", {.bucket_bytes = all_bytes}},
    {"overlapped", {}},
    {"overlapped, 1 MiB", {.bucket_bytes = std::int64_t{1} << 20}},
    {"at the end, bf16", {.bucket_bytes = all_bytes, .compression = tl::gradient_compression::bf16}},
    {"overlapped, bf16", {.compression = tl::gradient_compression::bf16}},
};

/// A line of how gradients travel on so many ranks, and on larger numbers of them.
template <class Net>
void print_buckets(const char* name, int size) {
  for (int ranks = size; ranks <= 1024; ranks = ranks < 8 ? 8 : ranks == 512 ? 1024 : 8 * ranks) {
    int buckets = 0;
    std::int64_t last = 0;
    const auto bytes = tl::detail::bytes_of_gradients<tl::detail::gradient_exchange>(
        Net::gradient_descriptions(), tl::data_parallel_options{});
    tl::detail::for_each_bucket(bytes, Net::bucket_bytes(ranks), [&](std::size_t first, std::size_t end) {
      ++buckets;
      last = 0;
      for (std::size_t i = first; i < end; ++i) last += bytes[i];
    });
    std::printf("| %s on %d: %d buckets, the last one of %lld bytes | %d | | | | |\n", name, ranks, buckets,
                static_cast<long long>(last), ranks);
  }
}

/// A line for each way, by the median round, of the slowest rank.
template <class Model, class X>
void measure(tl::mpi& world, const char* name, Model model, std::int64_t samples, const std::vector<X>& x,
             const std::vector<std::int32_t>& y, int rounds) {
  const auto rule = tl::adamw({.learning_rate = 1e-3f});
  using net_type =
      tl::trainer<Model, decltype(tl::data_parallel(world, rule)), tl::cpu, tl::deferred_updates_t>;
  struct measured {
    std::unique_ptr<net_type> net;
    std::vector<double> wall, processor;
    std::int64_t received = 0;
  };
  std::vector<measured> all;
  for (const way& w : ways)
    all.push_back({std::make_unique<net_type>(model, tl::data_parallel(world, rule, w.options),
                                              tl::cpu{.threads = 1}, 1),
                   {},
                   {},
                   0});
  if (world.rank() == 0) print_buckets<net_type>(name, world.size());
  constexpr int warm = 2;
  for (int r = -warm; r < rounds; ++r)
    for (measured& m : all) {
      world.meet("a round");
      const std::int64_t received = world.received();
      const double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
      m.net->step("x"_t = x, "y"_t = y);
      const double ended = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_PROCESS_CPUTIME_ID) - processor;
      m.received = world.received() - received;
      double slowest = 0;
      for (const double one : world.gather(ended - wall)) slowest = std::max(slowest, one);
      if (r < 0) continue;
      m.wall.push_back(1e3 * slowest);
      m.processor.push_back(1e3 * used);
    }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double used = world.sum(median(all[i].processor)) / world.size();
    if (world.rank() == 0)
      std::printf("| %s, %lld samples each | %d | %s | %.2f | %.2f | %lld |\n", name,
                  static_cast<long long>(samples), world.size(), ways[i].name, median(all[i].wall), used,
                  static_cast<long long>(all[i].received));
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  tl::mpi world(argc, argv);
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 30;
  std::vector<double> meetings;
  for (int i = 0; i < 200; ++i) {
    const double begin = seconds(CLOCK_MONOTONIC);
    world.meet("nothing");
    meetings.push_back(seconds(CLOCK_MONOTONIC) - begin);
  }
  if (world.rank() == 0)
    std::printf("| that %d ranks meet | %d | | %.4f | | |\n", world.size(), world.size(),
                1e3 * median(meetings));

  constexpr std::int64_t images = 128, texts = 8;
  std::vector<float> x(static_cast<std::size_t>(images) * 784);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 7919 % 1009) / 1009;
  std::vector<std::int32_t> y(static_cast<std::size_t>(images));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<std::int32_t>(i * 31 % 10);
  measure(world, "784-500-10", classifier, images, x, y, rounds);

  measure(world, "784-500-500-10", deep_classifier, images, x, y, rounds);

  std::vector<std::int32_t> text(static_cast<std::size_t>(texts) * context), next(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<std::int32_t>(i * 7919 % letters);
  for (std::size_t i = 0; i < text.size(); ++i) next[i] = text[(i + 1) % text.size()];
  measure(world, "api/06", transformer, texts, text, next, rounds);
  return 0;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
