// SPDX-License-Identifier: BSL-1.0
// A call allocates nothing that needs no more memory than those before it; no more than the plan says is
// taken.
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

#include <atomic>
#include <cstddef>
#include <cstdlib>

#include "catch.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ALLOCATIONS_ARE_COUNTED 0  // a sanitizer has an allocator of its own
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ALLOCATIONS_ARE_COUNTED 0
#endif
#endif
#if !defined(ALLOCATIONS_ARE_COUNTED) && defined(__GLIBC__)
#define ALLOCATIONS_ARE_COUNTED 1
#endif

namespace {

std::atomic<std::int64_t> allocations{0}, aligned_bytes{0};

}  // namespace

#if defined(ALLOCATIONS_ARE_COUNTED) && ALLOCATIONS_ARE_COUNTED

// All allocations come through here: operator new's, Eigen's, those of the C++ library.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  ++allocations;
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  aligned_bytes += static_cast<std::int64_t>(size);
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** result, std::size_t alignment, std::size_t size) noexcept {
  *result = memalign(alignment, size);
  return *result == nullptr ? 12 : 0;  // ENOMEM
}
}

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto mlp = [] {
  auto image = tl::input<"image", float, batch, 784>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto logits = tl::linear<"fc2", 10>(tl::relu(tl::linear<"fc1", 500>(image)));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

/// How many allocations f makes.
template <class F>
std::int64_t count(F f) {
  const std::int64_t before = allocations;
  f();
  return allocations - before;
}

struct samples {
  explicit samples(std::size_t size) : image(784 * size), label(size) {
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i * 7 % 13) / 13.0f;
    for (std::size_t i = 0; i < size; ++i) label[i] = static_cast<std::int32_t>(i % 10);
  }
  std::vector<float> image;
  std::vector<std::int32_t> label;
};

template <class Net>
void check(Net& net) {
  for (const std::size_t size : {1u, 8u, 32u}) {
    INFO("batch " << size);
    const samples s(size), other(size);
    const auto step = [&] { net.step("image"_t = s.image, "label"_t = s.label); };
    const auto evaluate = [&] { net.evaluate("image"_t = s.image, "label"_t = s.label); };
    const auto predict = [&] { net.predict("image"_t = s.image); };
    CHECK(count(step) > 0);
    CHECK(count(evaluate) > 0);
    CHECK(count(predict) > 0);
    CHECK(count(step) == 0);
    CHECK(count(evaluate) == 0);
    CHECK(count(predict) == 0);
    CHECK(count([&] { net.step("label"_t = other.label, "image"_t = other.image); }) == 0);  // elsewhere
    CHECK(count([&] { net.step("image"_t = s.image, "label"_t = s.label).loss(); }) == 0);
    CHECK(count([&] { net.predict("image"_t = s.image).template get<"logits">(); }) == 0);
    CHECK(count([&] { net.template set<"learning_rate">(1e-4); }) == 0);
  }
}

/// Each call takes memory for the largest batch, and none for any later one that is no larger.
template <class Policy>
void check_other_batches(Policy policy) {
  tl::trainer net{mlp, tl::adamw({.learning_rate = 1e-3f}), policy};
  const tl::function f{mlp, tl::weights(net)};
  const samples all(100);
  const auto check_call = [&](const char* what, auto call) {
    INFO(what);
    const auto on = [&](std::size_t size) {
      call(tl::array_view<const float>(all.image.data(), 784 * size),
           tl::array_view<const std::int32_t>(all.label.data(), size));
    };
    CHECK(count([&] { on(100); }) > 0);
    for (const std::size_t size : {100u, 1u, 100u, 1u, 1u, 50u, 3u, 80u, 81u, 100u}) {
      INFO("batch " << size);
      CHECK(count([&] { on(size); }) == 0);
    }
  };
  check_call("step", [&](auto image, auto label) { net.step("image"_t = image, "label"_t = label); });
  check_call("evaluate", [&](auto image, auto label) { net.evaluate("image"_t = image, "label"_t = label); });
  check_call("predict", [&](auto image, auto) { net.predict("image"_t = image); });
  check_call("function", [&](auto image, auto label) { f("image"_t = image, "label"_t = label); });
  check_call("accumulate, apply", [&](auto image, auto label) {
    net.accumulate(1, "image"_t = image, "label"_t = label);
    net.apply();
  });
}

}  // namespace

TEST_CASE("allocations are counted") {
  CHECK(count([] {}) == 0);
  CHECK(count([] { std::free(std::malloc(1)); }) <= 1);  // a compiler may leave both out
  void* volatile kept = nullptr;
  CHECK(count([&] { kept = std::malloc(10); }) == 1);
  CHECK(count([&] { kept = std::realloc(kept, 1000); }) == 1);
  std::free(kept);
  CHECK(count([&] { kept = std::calloc(3, 5); }) == 1);
  std::free(kept);
  CHECK(count([&] { kept = std::aligned_alloc(64, 128); }) == 1);
  std::free(kept);
  CHECK(count([&] {
          void* p = nullptr;
          if (posix_memalign(&p, 64, 100) == 0) kept = p;
        }) == 1);
  std::free(kept);
  CHECK(count([&] { kept = ::operator new(10); }) == 1);
  ::operator delete(kept);
  CHECK(count([&] { kept = Eigen::internal::aligned_malloc(100); }) == 1);
  Eigen::internal::aligned_free(kept);
  std::vector<int> numbers;
  CHECK(count([&] { numbers.resize(100); }) == 1);
}

TEST_CASE("steps with AdamW allocate nothing") {
  tl::trainer net{mlp, tl::adamw({.learning_rate = 1e-3f})};
  check(net);
}

TEST_CASE("steps with momentum allocate nothing") {
  tl::trainer net{mlp, tl::sgd({.learning_rate = 0.1f, .momentum = 0.9f})};
  check(net);
}

TEST_CASE("steps on two threads allocate nothing") {
  tl::trainer net{mlp, tl::adamw({.learning_rate = 1e-3f}), tl::cpu{.threads = 2}};
  check(net);
}

TEST_CASE("extents that shrink, return, or grow within what was seen allocate nothing") {
  check_other_batches(tl::cpu{.threads = 1});
  check_other_batches(tl::cpu{.threads = 2});
}

TEST_CASE("nor do loops, which keep packed operands") {
  constexpr auto sequences = [] {
    auto [y, h, c] = tl::lstm<"lstm", 8>(tl::input<"x", float, batch, 4, 8>);
    return tl::outputs(tl::mean(tl::square(y)));
  };
  tl::trainer net{sequences, tl::sgd({})};
  const std::vector<float> x(64 * 4 * 8);
  const auto step = [&](std::size_t size) {
    net.step("x"_t = tl::array_view<const float>(x.data(), size * 4 * 8));
  };
  CHECK(count([&] { step(64); }) > 0);
  for (const std::size_t size : {1u, 64u, 50u, 3u, 40u}) CHECK(count([&] { step(size); }) == 0);
}

TEST_CASE("soft updates by a model with the same parameters allocate nothing") {
  const auto check_update = [](auto& from, auto& to) {
    CHECK(count([&] { tl::soft_update(from, to, 0.25); }) == 0);
  };
  tl::trainer net{mlp, tl::adam({.learning_rate = 1e-3f})};
  tl::trainer other{mlp, tl::sgd({})};
  tl::function f{mlp};
  check_update(net, other);
  check_update(net, f);
  check_update(f, net);
  tl::trainer mixed{mlp, tl::mixed_precision<tl::bf16>(tl::sgd({}))};
  check_update(net, mixed);
  check_update(mixed, net);
}

TEST_CASE("gathered gradients allocate nothing") {
  tl::trainer net{mlp, tl::adamw({.learning_rate = 1e-3f})};
  const samples s(32);
  const auto step = [&] {
    net.accumulate(0.5, "image"_t = s.image, "label"_t = s.label);
    net.accumulate(0.5, "image"_t = s.image, "label"_t = s.label);
    net.apply();
  };
  CHECK(count(step) > 0);
  CHECK(count(step) == 0);
}

TEST_CASE("a run-time extent that is bound by its name allocates nothing either") {
  tl::trainer net{mlp, tl::adamw({.learning_rate = 1e-3f})};
  const samples s(32);
  const auto step = [&] { net.step("batch"_t = 32, "image"_t = s.image, "label"_t = s.label); };
  CHECK(count(step) > 0);
  CHECK(count(step) == 0);
}

TEST_CASE("a function whose results are held, and one on a trainer's weights, allocate nothing") {
  tl::trainer net{mlp, tl::adamw({.learning_rate = 1e-3f})};
  const tl::function f{mlp, tl::weights(net)};
  const samples s(32);
  auto held = f("image"_t = s.image, "label"_t = s.label).get<"logits">();
  const auto call = [&] {
    held = f("image"_t = s.image, "label"_t = s.label).get<"logits">();
    const auto a = f("image"_t = s.image, "label"_t = s.label);
    const auto b = f("image"_t = s.image, "label"_t = s.label);
    net.step("image"_t = s.image, "label"_t = s.label);
  };
  CHECK(count(call) > 0);
  CHECK(count(call) == 0);
}

TEST_CASE("straight-line code allocates nothing, nor does a change to extents that have some") {
  constexpr auto model = [] {
    auto x = tl::input<"x", float, batch, 6>;
    auto y = tl::linear<"b", 2>(tl::tanh(tl::linear<"a", 12>(x)));
    return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
  };
  tl::trainer net{model, tl::adam({.learning_rate = 1e-3f}), tl::straight_line_at<1, 8>{}};
  const tl::function f{model, tl::weights(net)};
  const std::vector<float> x(6 * 8);
  const auto run = [&](std::size_t samples) {
    const tl::array_view<const float> some(x.data(), 6 * samples);
    net.step("x"_t = some);
    net.predict("x"_t = some);
    net.evaluate("x"_t = some, "batch"_t = samples);
    f("x"_t = some);
  };
  for (const std::size_t samples : {1u, 7u, 8u}) {
    INFO("batch " << samples);
    run(samples);
    CHECK(count([&] { run(samples); }) == 0);
  }
  for (const std::size_t samples : {1u, 8u, 1u}) CHECK(count([&] { run(samples); }) == 0);
}

TEST_CASE("a function allocates nothing") {
  tl::function f{mlp};
  const samples s(32);
  const auto call = [&] { f("image"_t = s.image, "label"_t = s.label); };
  CHECK(count(call) > 0);
  CHECK(count(call) == 0);
}

TEST_CASE("a trainer takes the memory that its plan says") {
  using net_type = decltype(tl::trainer{mlp, tl::adamw({.learning_rate = 1e-3f})});
  constexpr tl::memory_plan plan = net_type::plan("batch"_t = 32);
  constexpr std::int64_t parameters = 4 * (784 * 500 + 500 + 500 * 10 + 10);
  STATIC_REQUIRE(plan.parameters >= parameters);
  STATIC_REQUIRE(plan.parameters < parameters + 4 * 64);
  STATIC_REQUIRE(plan.optimizer == 2 * plan.parameters);
  STATIC_REQUIRE(plan.gradients <= plan.parameters);
  STATIC_REQUIRE(plan.peak >= plan.parameters + plan.optimizer);
  // The arena may have gaps, but few.
  STATIC_REQUIRE(plan.peak < 1.02 * (plan.parameters + plan.optimizer + plan.gradients + plan.activations));

  const samples s(32);
  aligned_bytes = 0;
  tl::trainer net{mlp, tl::adamw({.learning_rate = 1e-3f}), tl::cpu{.threads = 1}};
  namespace k = tl::cpu_kernels;
  const auto block = [](std::int64_t bytes) {  // large ones are whole pages
    const std::int64_t alignment = k::block_alignment(bytes);
    return (bytes + alignment - 1) / alignment * alignment;
  };
  CHECK(aligned_bytes >= plan.parameters + plan.optimizer);
  CHECK(aligned_bytes <= block(plan.parameters) + block(plan.optimizer));
  net.step("image"_t = s.image, "label"_t = s.label);
  // Beyond the plan there are only the blocks that products pack their operands into: as much as the largest
  // of them takes, which depends on the machine's caches.
  const std::int64_t workspace =
      std::max({k::product_workspace<float>(32, 500, 784), k::product_workspace<float>(500, 784, 32),
                k::product_workspace<float>(32, 10, 500), k::product_workspace<float>(10, 500, 32),
                k::product_workspace<float>(32, 500, 10)});
  CHECK(aligned_bytes >= plan.peak + workspace);
  CHECK(aligned_bytes < plan.peak + 2 * workspace + 4 * 4096);
}

#else

TEST_CASE("allocations are not counted") {
  WARN("SKIPPED: allocations can be counted with glibc and without a sanitizer only");
  CHECK(allocations + aligned_bytes == 0);
}

#endif
