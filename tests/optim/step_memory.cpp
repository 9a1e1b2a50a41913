// SPDX-License-Identifier: BSL-1.0
// How little memory a step of a deep network takes: with recomputed activations, gradients that are gone
// before the next is there, and a rule with states of low rank. As planned, and as allocated.
#include "catch.hpp"
#include "program.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

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
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* data) noexcept { deallocate(data); }
void operator delete(void* data, std::size_t) noexcept { deallocate(data); }
void operator delete(void* data, std::align_val_t) noexcept { deallocate(data); }
void operator delete(void* data, std::size_t, std::align_val_t) noexcept { deallocate(data); }

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

  const std::vector<float> data(64 * width, 0.5f);
  {  // what programs to come will use again is not given back: the counter of runs, say
    const auto rows = std::span(data).first(width);
    mlp_trainer net{mlp, tl::apollo<4>({}), tl::cpu{}, tl::eager_updates};
    net.step("x"_t = rows, "y"_t = rows);
  }
  for (const int batch : {1, 64}) {
    INFO("batch " << batch);
    const auto rows = std::span(data).first(static_cast<std::size_t>(batch * width));
    const tl::memory_plan plan = mlp_trainer::plan("batch"_t = batch);
    const std::int64_t before = most_allocated = allocated;
    {
      mlp_trainer net{mlp, tl::apollo<4>({}), tl::cpu{.threads = 1}, tl::eager_updates};
      net.step("x"_t = rows, "y"_t = rows);
      net.step("x"_t = rows, "y"_t = rows);
    }
    CHECK(allocated == before);
    const std::int64_t found = most_allocated - before;
    CHECK(found >= plan.peak);
    CHECK(2 * found <= 3 * weights_and_activations(batch));
    // Beyond the plan there are the programs' tables, and the blocks that products pack their operands into:
    // as large as the machine's caches make them, and twice while they grow.
    namespace k = tl::cpu_kernels;
    const std::int64_t workspace = std::max({k::product_workspace<float>(batch, width, width),
                                             k::product_workspace<float>(width, width, batch),
                                             k::product_workspace<float>(4, width, width)});
    CHECK(found < plan.peak + 2 * workspace + (1 << 17));
  }
}
