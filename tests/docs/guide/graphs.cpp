// SPDX-License-Identifier: BSL-1.0
// The guide of graphs: messages along edges, of which there are as many as the program finds.
#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto nodes = tl::dyn<"nodes">;
constexpr auto edges = tl::dyn<"edges">;
constexpr auto graphs = tl::dyn<"graphs">;

// Sums, one a node: that of the messages which come to it.
template <int Width>
constexpr auto sum_by_node(tl::expression auto to, tl::expression auto messages) {
  return tl::index_add<0>(tl::zeros<float, nodes, Width>(), to, messages);
}

// A graph convolution: neighbours, and the node itself, count by the degrees of both ends.
template <tl::name Name, int Width>
constexpr auto gcn(tl::expression auto x, tl::expression auto from, tl::expression auto to) {
  auto degree = tl::index_add<0>(tl::ones<float, nodes>(), to, tl::ones<float, edges>());
  auto scale = tl::unsqueeze<-1>(tl::rsqrt(degree));            // [nodes, 1]
  auto h = scale * tl::linear<Name + ".lin", Width, false>(x);  // [nodes, Width]
  auto sum = h + sum_by_node<Width>(to, tl::index_select<0>(h, from));
  return scale * sum + tl::param<Name + ".bias", float, Width>;
}

// A softmax over the edges that end in one node.
constexpr auto softmax_by_node(tl::expression auto to, tl::expression auto scores) {
  auto none = tl::zeros<float, nodes>();
  auto largest = tl::scatter_reduce<0, tl::reduce::amax>(none, to, scores, tl::exclude_self);
  auto weights = tl::exp(scores - tl::stop_gradient(tl::index_select<0>(largest, to)));
  return weights / tl::index_select<0>(tl::index_add<0>(none, to, weights), to);
}

// Graph attention of one head. Edges from each node to itself are in the list.
template <tl::name Name, int Width>
constexpr auto gat(tl::expression auto x, tl::expression auto from, tl::expression auto to) {
  auto h = tl::linear<Name + ".lin", Width, false>(x);                                     // [nodes, Width]
  auto sent = tl::matmul(h, tl::param<Name + ".att_src", float, Width>(tl::normal(0.3)));  // [nodes]
  auto taken = tl::matmul(h, tl::param<Name + ".att_dst", float, Width>(tl::normal(0.3)));
  auto scores = tl::leaky_relu(tl::index_select<0>(sent, from) + tl::index_select<0>(taken, to), 0.2_c);
  auto share = softmax_by_node(to, scores);  // [edges]
  return sum_by_node<Width>(to, tl::unsqueeze<-1>(share) * tl::index_select<0>(h, from));
}

// Several graphs are one whose parts are not joined; `graph` has each node's.
constexpr auto classifier = [] {
  auto x = tl::input<"x", float, nodes, 2>;
  auto from = tl::input<"from", std::int32_t, edges>;
  auto to = tl::input<"to", std::int32_t, edges>;
  auto graph = tl::input<"graph", std::int32_t, nodes>;
  auto label = tl::input<"label", std::int32_t, graphs>;
  auto hidden = tl::relu(gcn<"conv1", 8>(x, from, to));
  auto h = tl::relu(gcn<"conv2", 8>(hidden, from, to));
  auto size = tl::index_add<0>(tl::zeros<float, graphs>(), graph, tl::ones<float, nodes>());
  auto sum = tl::index_add<0>(tl::zeros<float, graphs, 8>(), graph, h);
  auto mean = sum / tl::unsqueeze<-1>(tl::max(size, 1_c));  // of a graph without nodes 0
  auto logits = tl::linear<"head", 2>(mean);                // [graphs, 2]
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

// The sum of a node's shares is 1 where an edge ends, so equal features of all nodes go through.
constexpr auto attended = [] {
  auto x = tl::input<"x", float, nodes, 2>;
  auto from = tl::input<"from", std::int32_t, edges>;
  auto to = tl::input<"to", std::int32_t, edges>;
  return tl::outputs(tl::named<"y">(gat<"gat", 3>(x, from, to)));
};

// What a program has of a graph; each edge is there in both directions.
struct batch_of_graphs {
  std::vector<float> x;  // [nodes, 2]: 1, and the number of edges
  std::vector<std::int32_t> from, to, graph, label;

  void join(std::int32_t a, std::int32_t b) {
    for (const auto [i, j] : {std::array{a, b}, std::array{b, a}}) {
      from.push_back(i);
      to.push_back(j);
      ++x[2 * static_cast<std::size_t>(j) + 1];
    }
  }

  // A ring, or a star, of so many nodes, behind those that are there.
  void add(std::int32_t size, bool star) {
    const auto first = static_cast<std::int32_t>(graph.size());
    for (std::int32_t i = 0; i < size; ++i) {
      x.insert(x.end(), {1, 0});
      graph.push_back(static_cast<std::int32_t>(label.size()));
    }
    for (std::int32_t i = 1; i < size; ++i) join(first + (star ? 0 : i - 1), first + i);
    if (!star) join(first + size - 1, first);
    label.push_back(star);
  }
};

int main() {
  tl::trainer net{classifier, tl::adam({.learning_rate = 0.05f})};
  for (std::int32_t step = 0; step < 300; ++step) {
    batch_of_graphs b;  // another number of nodes and edges in each step
    for (std::int32_t i = 0; i < 8; ++i) b.add(4 + (step + 3 * i) % 9, i % 2 == 0);
    net.step("x"_t = b.x, "from"_t = b.from, "to"_t = b.to, "graph"_t = b.graph, "label"_t = b.label);
  }

  batch_of_graphs larger;
  for (const std::int32_t size : {15, 30}) {
    larger.add(size, false);
    larger.add(size, true);
  }
  const auto r = net.predict("x"_t = larger.x, "from"_t = larger.from, "to"_t = larger.to,
                             "graph"_t = larger.graph, "graphs"_t = 4);
  const auto logits = r.get<"logits">();
  for (std::size_t i = 0; i < 4; ++i)
    std::printf("graph %zu is a %s\n", i, logits[2 * i] > logits[2 * i + 1] ? "ring" : "star");

  // Nodes 0 and 1 look at all three, node 2 at none.
  tl::function attention{attended};
  const std::array<float, 6> x{1, 2, 1, 2, 1, 2};
  const std::array<std::int32_t, 6> from{0, 1, 2, 0, 1, 2}, to{0, 0, 0, 1, 1, 1};
  const auto y = attention("x"_t = x, "from"_t = from, "to"_t = to).get<"y">().copy();
  const auto weight = attention.parameter<"gat.lin.weight">().copy();  // [3, 2]
  for (std::size_t node = 0; node < 3; ++node)
    for (std::size_t j = 0; j < 3; ++j) {
      const float all_equal = node == 2 ? 0 : weight[2 * j] + 2 * weight[2 * j + 1];
      if (!(std::abs(y[3 * node + j] - all_equal) <= 1e-5f)) return 1;
    }
}
