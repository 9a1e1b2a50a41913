// SPDX-License-Identifier: BSL-1.0
// What rules keep, in bytes, as the compiler knows it: states of rows and columns, of low rank, of some
// parameters only; and how little a whole step takes where memory counts, as planned and as allocated.
#include "optim/reference.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

// Bytes that operator new has given and operator delete has not got back; the most since they were reset.
std::int64_t allocated = 0, most_allocated = 0;

// Before each block stands its size, and where malloc had it begin.
struct block_header {
  std::size_t size;
  void* begin;
};

void* allocate(std::size_t size, std::size_t alignment) {
  alignment = std::max(alignment, alignof(std::max_align_t));
  void* begin = std::malloc(sizeof(block_header) + alignment + size);
  if (begin == nullptr) throw std::bad_alloc();
  const auto first = reinterpret_cast<std::uintptr_t>(begin) + sizeof(block_header);
  auto* data = reinterpret_cast<block_header*>((first + alignment - 1) / alignment * alignment);
  data[-1] = {size, begin};
  allocated += static_cast<std::int64_t>(size);
  most_allocated = std::max(most_allocated, allocated);
  return data;
}

void deallocate(void* data) {
  if (data == nullptr) return;
  const block_header header = static_cast<block_header*>(data)[-1];
  allocated -= static_cast<std::int64_t>(header.size);
  std::free(header.begin);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* data) noexcept { deallocate(data); }
void operator delete(void* data, std::size_t) noexcept { deallocate(data); }
void operator delete(void* data, std::align_val_t) noexcept { deallocate(data); }
void operator delete(void* data, std::size_t, std::align_val_t) noexcept { deallocate(data); }

namespace {

constexpr auto model = [] { return tl::sum(tl::param<"w", float, 64, 128>); };
constexpr std::int64_t weights = 64 * 128 * 4, row = 64 * 4, column = 128 * 4;
constexpr std::int64_t number = 64;  // a state takes 64 bytes at least

template <class Rule>
constexpr std::int64_t kept(Rule) {
  using net = decltype(tl::trainer{model, std::declval<Rule>()});
  return net::plan().optimizer;
}

}  // namespace

TEST_CASE("the memory of rules") {
  CHECK(kept(tl::sgd({})) == 0);
  CHECK(kept(tl::lion({})) == weights);
  CHECK(kept(tl::adam({})) == 2 * weights);
  CHECK(kept(tl::adam({.amsgrad = true})) == 3 * weights);
  CHECK(kept(tl::novograd({})) == weights + number);
  CHECK(kept(tl::sm3({})) == row + column);
  CHECK(kept(tl::adafactor({})) == row + column);
  CHECK(kept(tl::apollo_mini({})) == 2 * column + number);
  CHECK(kept(tl::apollo<4>({})) == 2 * 4 * column + number);
  CHECK(kept(tl::muon({})) == weights);
  CHECK(kept(tl::shampoo({})) == (64 * 64 + 128 * 128) * 4);
}

namespace {

// Twelve layers, of which every third leaves its output to the backward pass.
constexpr int width = 256;
constexpr auto mlp = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, width>;
  auto y = tl::repeat<4>(x, []<int I>(auto in) {
    return tl::checkpoint(tl::repeat<3>(
        in, []<int J>(auto h) { return tl::relu(tl::linear<tl::name{"fc"} + (3 * I + J), width>(h)); }));
  });
  return tl::mean(tl::square(y - tl::input<"y", float, tl::dyn<"batch">, width>));
};
using mlp_trainer = decltype(tl::trainer{mlp, tl::apollo<4>({}), tl::cpu{}, tl::eager_updates});

/// The bytes of all weights and biases, and of the outputs of all layers.
constexpr std::int64_t weights_and_activations(std::int64_t batch) {
  return 4 * (12 * (width * width + width) + 12 * batch * width);
}

}  // namespace

TEST_CASE("a step of twelve layers takes at most 1.5 times the weights and activations") {
  STATIC_REQUIRE(mlp_trainer::plan("batch"_t = 1).peak * 2 <= 3 * weights_and_activations(1));
  STATIC_REQUIRE(mlp_trainer::plan("batch"_t = 32).peak * 2 <= 3 * weights_and_activations(32));
  STATIC_REQUIRE(mlp_trainer::plan("batch"_t = 1024).peak <= weights_and_activations(1024));

  const std::vector<float> data(1024 * width, 0.5f);
  for (const int batch : {1, 32, 1024}) {
    INFO("batch " << batch);
    const auto rows = std::span(data).first(static_cast<std::size_t>(batch * width));
    const tl::memory_plan plan = mlp_trainer::plan("batch"_t = batch);
    const std::int64_t before = most_allocated = allocated;
    {
      mlp_trainer net{mlp, tl::apollo<4>({}), tl::cpu{}, tl::eager_updates};
      net.step("x"_t = rows, "y"_t = rows);
      net.step("x"_t = rows, "y"_t = rows);
    }
    CHECK(allocated == before);
    const std::int64_t found = most_allocated - before;
    CHECK(found >= plan.peak);
    // The programs' own tables.
    CHECK(found < plan.peak + (1 << 18));
    // The packing buffers of matrix products, which depend on the machine, come from malloc.
    CHECK(2 * found <= 3 * weights_and_activations(batch));
  }
}
