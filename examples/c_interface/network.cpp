// SPDX-License-Identifier: BSL-1.0
// The C interface of a network: compile with -ffreestanding -fno-exceptions -fno-rtti, and link it into a
// program in C. The trainer lies in static memory, and network_init makes it, so that nothing runs before
// main.
#include "network.h"

#include <tapeless/bare.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr int inputs = network_inputs, outputs = network_outputs;

constexpr auto model = [] {
  auto x = tl::input<"x", float, inputs>;
  auto wanted = tl::input<"wanted", float, outputs>;
  auto y = tl::linear<"fc2", outputs>(tl::tanh(tl::linear<"fc1", 16>(x)));
  return tl::outputs(tl::mse_loss(y, wanted), tl::named<"y">(y));
};

auto rule() { return tl::adam({.learning_rate = 1e-2f}); }
using net_type = decltype(tl::trainer{model, rule(), tl::bare{}});
static_assert(net_type::saved_bytes() <= network_bytes);

alignas(net_type) std::byte memory[sizeof(net_type)];
net_type& net() { return *std::launder(reinterpret_cast<net_type*>(memory)); }

}  // namespace

void network_init(unsigned long seed) {
  std::construct_at(reinterpret_cast<net_type*>(memory), model, rule(), tl::bare{}, seed);
}
float network_step(const float* x, const float* wanted) {
  const auto result = net().step("x"_t = std::span(x, inputs), "wanted"_t = std::span(wanted, outputs));
  return static_cast<float>(result.loss());
}
int network_set_learning_rate(double rate) { return net().set<"learning_rate">(rate) ? 1 : 0; }
void network_predict(const float* x, float* y) {
  const auto result = net().predict("x"_t = std::span(x, inputs)).get<"y">();
  for (std::size_t i = 0; i < outputs; ++i) y[i] = result[i];
}
long network_save(void* to, unsigned long room) { return net().save(to, room); }
int network_load(const void* from, unsigned long size) { return net().load(from, size) ? 1 : 0; }
