// SPDX-License-Identifier: BSL-1.0
// A transformer whose layers are divided among two processes.
//
// Problem   A network that is too large for one machine, or too slow.
// Idea      Each process has half of each large matrix (Shoeybi et al., Megatron-LM, 2019). The first linear
//           layer of a block is divided by its outputs: each process computes half of them, and needs
//           nothing of the other. The second one is divided by its inputs: each has a part of all sums, and
//           one all_reduce adds these up. Heads of attention are divided in the same way.
// Formula   y = W2 f(W1 x) = sum over ranks r of W2[:, r] f(W1[r, :] x)
// Here      vary_by_rank where a value begins to be used by each rank in its own way, all_reduce where parts
//           become the sum; a plain adamw on the policy cpu_ranks. What is not divided is the same
//           everywhere, without a message. Both processes also train the whole network, and compare.
// Usage     mpirun -n 2 tensor_parallel
// Try       all_gather in place of an all_reduce; ranks = 4.
#include <tapeless/mpi.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
constexpr int ranks = 2, context = 16, width = 32, heads = 4, letters = 64, blocks = 2;

/// Linear layers that are divided among so many ranks; of one rank alone, they are whole.
template <int Ranks>
struct divided {
  template <tl::name Name, std::int64_t Out>
  static constexpr auto column_parallel_linear(tl::expression auto x) {
    if constexpr (Ranks == 1) {
      return tl::linear<Name, Out>(x);
    } else {
      return tl::linear<Name, Out / Ranks>(tl::vary_by_rank(x));
    }
  }
  template <tl::name Name, std::int64_t Out>
  static constexpr auto row_parallel_linear(tl::expression auto x) {
    const auto bias = tl::param<Name + ".bias", float, Out>(tl::fill(0));
    if constexpr (Ranks == 1) {
      return tl::linear<Name, Out, false>(x) + bias;
    } else {
      return tl::all_reduce(tl::linear<Name, Out, false>(x)) + bias;
    }
  }
  /// [batch, context, each] -> [batch, heads, context, each / heads]
  static constexpr auto in_heads(tl::expression auto x) {
    return tl::transpose<1, 2>(tl::reshape<batch, context, heads / Ranks, width / heads>(x));
  }

  template <tl::name Scope>
  static constexpr auto block(tl::expression auto h) {
    auto x = tl::layer_norm<Scope + ".norm1">(h);
    auto q = in_heads(column_parallel_linear<Scope + ".q", width>(x));
    auto k = in_heads(column_parallel_linear<Scope + ".k", width>(x));
    auto v = in_heads(column_parallel_linear<Scope + ".v", width>(x));
    auto seen = tl::scaled_dot_product_attention<tl::attention_options{.causal = true}>(q, k, v);
    auto all = tl::reshape<batch, context, width / Ranks>(tl::transpose<1, 2>(seen));
    auto a = h + row_parallel_linear<Scope + ".o", width>(all);
    auto up = tl::gelu(column_parallel_linear<Scope + ".up", 4 * width>(tl::layer_norm<Scope + ".norm2">(a)));
    return a + row_parallel_linear<Scope + ".down", width>(up);
  }

  static constexpr auto model = [] {
    auto text = tl::input<"text", std::int32_t, batch, context>;
    auto next = tl::input<"next", std::int32_t, batch, context>;
    auto h = tl::embedding<"token", letters, width>(text) +
             tl::param<"position", float, context, width>(tl::normal(0.02));
    auto out = tl::repeat<blocks>(h, []<int I>(auto x) { return block<tl::name{"block"} + I>(x); });
    return tl::cross_entropy(tl::linear<"head", letters>(tl::layer_norm<"norm">(out)), next);
  };
};

/// Gives each parameter of `own` its rank's part of the one in `whole`: along the axis that is divided.
template <class Whole, class Own>
void copy_part(Whole& whole, Own& own, int rank) {
  for (std::size_t i = 0; i < whole.parameter_data().size(); ++i) {
    const auto from = whole.parameter_descriptions()[i].extents(),
               to = own.parameter_descriptions()[i].extents();
    std::int64_t outer = 1, inner = 1;
    std::size_t axis = 0;
    while (axis + 1 < from.size() && from[axis] == to[axis]) outer *= from[axis++];
    for (std::size_t d = axis + 1; d < from.size(); ++d) inner *= from[d];
    const std::int64_t row = from[axis] * inner, part = to[axis] * inner;
    const std::int64_t begin = from[axis] == to[axis] ? 0 : rank * part;
    const auto* source = reinterpret_cast<const float*>(whole.parameter_data()[i]);
    auto* target = reinterpret_cast<float*>(own.parameter_data()[i]);
    for (std::int64_t k = 0; k < outer; ++k) std::copy_n(source + k * row + begin, part, target + k * part);
  }
}

int main(int argc, char** argv) try {
  tl::mpi world(argc, argv);
  if (world.size() != ranks) return std::fprintf(stderr, "usage: mpirun -n %d tensor_parallel\n", ranks), 2;
  const auto rule = tl::adamw({.learning_rate = 3e-3f});
  tl::trainer whole{divided<1>::model, rule, tl::cpu{.threads = 1}, 1};
  tl::trainer net{divided<ranks>::model, rule, tl::cpu_ranks(world, {.threads = 1}), 1};
  copy_part(whole, net, world.rank());

  float loss = 0, other = 0, difference = 0;
  for (int step = 0; step < 60; ++step) {
    std::vector<std::int32_t> text, next;
    for (int sample = 0; sample < 8; ++sample)
      for (int i = 0; i < context; ++i) {  // a letter's place in the text and the text's number tell the next
        const int first = (7 * sample + step) % 11;
        text.push_back((first * i + i * i) % letters);
        next.push_back((first * (i + 1) + (i + 1) * (i + 1)) % letters);
      }
    loss = net.step("text"_t = text, "next"_t = next).loss();
    other = whole.step("text"_t = text, "next"_t = next).loss();
    difference = std::max(difference, std::abs(loss - other));
  }
  const auto has = [](auto& trainer) {
    double bytes = 0;
    for (const auto& p : trainer.parameter_descriptions()) bytes += static_cast<double>(p.bytes());
    return bytes;
  };
  if (world.rank() == 0)
    std::printf("loss %.3f, that of one process within %s; each has %.0f of %.0f bytes of parameters\n",
                static_cast<double>(loss), difference < 1e-3f ? "0.001" : "more", has(net), has(whole));
  return difference < 1e-3f && loss < 2 ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
