// SPDX-License-Identifier: BSL-1.0
// The operations and bytes of three models, counted by hand.
#include <cmath>

#include <catch.hpp>
#include <tapeless/ops/linalg.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/kernel_text.hpp>
#include <tapeless/train/inspect/summary.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

using sgd = decltype(tl::sgd({.learning_rate = 0.1f}));

/// A step's program as trainers on the CPU have it; no kernels are compiled for it.
template <class Model, class Rule = sgd>
constexpr const tl::described_program& step_of(Model) {
  return tl::description_of<tl::ready<tl::step_graph_builder<Model, Rule>, true>>;
}

constexpr auto mlp = [] {
  auto x = tl::input<"x", float, 8, 3>;
  auto y = tl::input<"y", float, 8, 2>;
  auto h = tl::relu(tl::linear<"fc1", 4>(x));
  return tl::mean(tl::square(tl::linear<"fc2", 2>(h) - y));
};

constexpr auto conv_net = [] {
  auto x = tl::input<"x", float, 2, 3, 8, 8>;
  auto y = tl::input<"y", float, 2, 5>;
  auto h = tl::max_pool2d<tl::pool{.kernel = 2}>(
      tl::relu(tl::conv2d<"c1", 4, tl::conv{.kernel = 3, .padding = 1}>(x)));
  return tl::mean(tl::square(tl::linear<"fc", 5>(tl::flatten(h)) - y));
};

constexpr auto batch = tl::dyn<"batch">;
constexpr int length = 8, width = 16, heads = 2, letters = 32;

constexpr auto transformer = [] {
  auto tokens = tl::input<"tokens", std::int32_t, batch, length>;
  auto next = tl::input<"next", std::int32_t, batch, length>;
  auto h = tl::embedding<"embed", letters, width>(tokens);
  auto a = h + tl::attention<"attn", tl::attention_options{.heads = heads, .causal = true}>(
                   tl::layer_norm<"ln1">(h));
  auto b = a + tl::linear<"mlp.2", width>(tl::gelu(tl::linear<"mlp.1", 4 * width>(tl::layer_norm<"ln2">(a))));
  return tl::cross_entropy(tl::linear<"head", letters>(b), next);
};

constexpr auto repeated = [] {
  auto x = tl::input<"x", float, tl::dyn<"rows">, 6>;
  return tl::mean(tl::square(tl::cumsum<1>(x) * tl::param<"w", float, 6>));
};

constexpr auto process = [] {
  auto x = tl::input<"x", double, 2, 9, 9>;
  auto l = tl::cholesky(tl::matmul(x, tl::transpose(x)) * tl::param<"w", double>);
  return tl::mean(tl::solve_triangular(l, tl::slice<2, 0, 4>(x)) + tl::slice<2, 0, 4>(tl::inverse(x)));
};

/// More operations on scalars before the step than one kernel computes.
struct long_schedule : tl::gradient_transform<0> {
  static constexpr std::array<tl::name, 0> hyper_names{};
  template <class T>
  static constexpr T rate(T step) {
    using std::sin;
    for (int i = 0; i < tl::max_prologue_size; ++i) step = sin(step + 0.5 * i);
    return step;
  }
  static constexpr tl::value transform(tl::rule_context& c, tl::value g) { return g * rate(c.step()); }
};

struct counted {
  double forward = 0, backward = 0, update = 0;
};
counted count(const tl::described_program& p, std::initializer_list<tl::bound_extent> extents = {}) {
  const tl::operation_counts c = tl::count_operations(p, {extents.begin(), extents.size()});
  REQUIRE(c.all().is_constant());
  return {c.forward.constant(), c.backward.constant(), c.update.constant()};
}

std::vector<tl::described_kernel> kernels_of(const tl::described_program& p,
                                             std::initializer_list<tl::bound_extent> extents = {}) {
  return tl::describe_kernels(p, tl::program_layers(p), {p.plan->extents, {extents.begin(), extents.size()}});
}

}  // namespace

TEST_CASE("the operations of a perceptron are those that are counted by hand") {
  const counted c = count(step_of(mlp));
  const int fc1 = 2 * 8 * 3 * 4 + 32 + 32;  // product, bias, relu
  const int fc2 = 2 * 8 * 4 * 2 + 16;
  const int loss = 16 + 16 + 16 + 1;  // difference, square, sum, times 1/16
  CHECK(c.forward == fc1 + fc2 + loss);
  const int of_loss = 16 + 16;                            // 2 d, times 1/16
  const int of_fc2 = 16 + 2 * 8 * 4 * 2 + 2 * 8 * 4 * 2;  // bias, weight, input
  const int of_fc1 = 32 + 32 + 32 + 2 * 8 * 3 * 4;        // relu: compare, select; bias, weight
  CHECK(c.backward == of_loss + of_fc2 + of_fc1);
  CHECK(c.update == 4 * (12 + 4 + 8 + 2) + 1);  // decay, sum, rate, sum; the rate's sign
}

TEST_CASE("the bytes of a perceptron's kernels are those that are counted by hand") {
  const std::vector<tl::described_kernel> all = kernels_of(step_of(mlp));
  REQUIRE(all[0].kind == tl::prologue);
  REQUIRE(all[1].operations == "matmul");
  CHECK(all[1].shape == "[8, 3] times [3, 4]");
  CHECK(all[1].bytes_read.constant() == 4 * (8 * 3 + 3 * 4));
  CHECK(all[1].bytes_written.constant() == 4 * 8 * 4);
  REQUIRE(all[2].operations == "+, relu");
  CHECK(all[2].bytes_read.constant() == 4 * (8 * 4 + 4));  // the bias is read once, not for each row
  CHECK(all[2].bytes_written.constant() == 4 * 8 * 4);
  CHECK(all[2].flops.constant() == 2 * 8 * 4);
}

TEST_CASE("a long prologue is several kernels, which are told from those of the step") {
  tl::trainer net{[] { return tl::sum(tl::square(tl::param<"w", double, 3>(tl::fill(1)))); },
                  tl::chain(long_schedule{}, tl::scale(-0.1))};
  net.step();
  CHECK(net.parameter<"w">()[0] == test::Approx(1 - 0.1 * 2 * long_schedule::rate(1.0)));
  const std::vector<tl::described_kernel> all =
      kernels_of(*tl::detail::describe_net<decltype(net)>().program);
  REQUIRE(all.size() > 3);
  for (std::size_t k = 0; k < all.size(); ++k) CHECK((all[k].kind == tl::prologue) == (k < 3));
}

TEST_CASE("the operations of a convolutional net are those that are counted by hand") {
  const counted c = count(step_of(conv_net));
  const int products = 2 * (2 * 4 * 64) * (3 * 9);      // of the convolution: [2, 4, 8, 8] by [3, 3, 3]
  const int conv = products + 2 * 4 * 64 + 2 * 4 * 64;  // bias, relu
  const int pool = 2 * 4 * 64;                          // each element is compared once
  const int fc = 2 * 2 * 64 * 5 + 10, loss = 10 + 10 + 10 + 1;
  CHECK(c.forward == conv + pool + fc + loss);
  CHECK(c.backward > products + 2 * (2 * 2 * 64 * 5));
  double convolutions = 0;
  for (const tl::described_kernel& k : kernels_of(step_of(conv_net)))
    if (k.kind == "convolution") convolutions += k.flops.constant();
  CHECK(convolutions == 2 * products);  // forward, and the weight's gradient: none asks for the images'
}

TEST_CASE("the products of a transformer are those that are counted by hand, with a batch that is a symbol") {
  const tl::described_program& p = step_of(transformer);
  const double tokens = 5 * length;
  double forward = 0, backward = 0;
  for (const tl::described_kernel& k : kernels_of(p, {{&tl::interned<"batch">, 5}}))
    if (k.kind == "product") (k.part == tl::phase::forward ? forward : backward) += k.flops.constant();
  const double projections = 2 * tokens * width * (3 * width + width);
  const double attention = 2 * (2 * tokens * length * width);  // scores, and what they weigh
  const double mlp_layers = 2 * (2 * tokens * width * 4 * width);
  const double head = 2 * tokens * width * letters;
  CHECK(forward == projections + attention + mlp_layers + head);
  // each product has two gradients; that of the head's input is computed twice, as rows and as columns
  CHECK(backward >= 2 * forward);
  CHECK(backward <= 2 * forward + head);

  // the whole, as a polynomial of the batch: linear in it
  const tl::operation_counts symbolic = tl::count_operations(p);
  CHECK_FALSE(symbolic.all().is_constant());
  const counted one = count(p, {{&tl::interned<"batch">, 1}}), four = count(p, {{&tl::interned<"batch">, 4}});
  const double fixed = symbolic.forward.constant();
  CHECK(four.forward - fixed == 4 * (one.forward - fixed));
}

TEST_CASE("the operations of factors and of triangular systems are those that are counted by hand") {
  std::vector<double> all;
  for (const tl::described_kernel& k : kernels_of(step_of(process)))
    if (k.kind == "matrix function" && k.part == tl::phase::forward) all.push_back(k.flops.constant());
  std::sort(all.begin(), all.end());
  // two matrices of 9^3 = 729: l, p l u, the system of 4 columns, two of 9 columns
  CHECK(all == std::vector<double>{2 * 729 / 3, 2 * 81 * 4, 2 * 2 * 729 / 3, 2 * 729, 2 * 729});
}

TEST_CASE("the kernels of a plan compute what the nodes of its graph compute, and some differences again") {
  const auto compare = [](const tl::described_program& p, std::initializer_list<tl::bound_extent> extents,
                          double again = 0) {
    double of_kernels = 0;
    for (const tl::described_kernel& k : kernels_of(p, extents)) of_kernels += k.flops.constant();
    const counted c = count(p, extents);
    CHECK(of_kernels == c.forward + c.backward + c.update + again);
  };
  compare(step_of(mlp), {});
  compare(step_of(conv_net), {});
  compare(step_of(transformer), {{&tl::interned<"batch">, 3}},
          2 * 3 * length * width);  // x less its mean, in both norms by two kernels
  compare(step_of(repeated), {{&tl::interned<"rows">, 7}});
  compare(step_of(process), {});
}

TEST_CASE("numbers with extents are sums of products") {
  using tl::detail::polynomial_text;
  const tl::described_program& p = step_of(repeated);
  const tl::known_extents none{p.plan->extents, {}};
  std::int64_t rows = 0;
  for (std::size_t k = 0; k < p.plan->extents.size(); ++k)
    if (p.plan->extents[k].kind == tl::extent_kind::symbol) rows = -1 - static_cast<std::int64_t>(k);
  REQUIRE(rows < 0);
  const tl::extent_polynomial x = tl::extent_polynomial::of_extent(rows, none);
  CHECK(polynomial_text(x * x + tl::extent_polynomial(3) * x + tl::extent_polynomial(12000), none) ==
        "rows^2 + 3 rows + 12 k");
  CHECK(polynomial_text({}, none) == "0");
  const tl::extent_polynomial cube = x * x * x, ninth = cube * cube * cube;
  CHECK(polynomial_text(ninth, none) == "rows^9");
  CHECK_THROWS_WITH(ninth * ninth,
                    test::contains("more than 16 run-time extents as factors: say the values of some"));
  const tl::bound_extent five{&tl::interned<"rows">, 5};
  const tl::known_extents known{p.plan->extents, {&five, 1}};
  CHECK(tl::extent_polynomial::of_extent(rows, known).constant() == 5);
  CHECK(tl::extent_polynomial(tl::work{7}.times(rows).times(2), known).constant() == 70);
  CHECK(tl::detail::count_text(9999) == "9999");
  CHECK(tl::detail::count_text(12345) == "12.3 k");
  CHECK(tl::detail::count_text(999999) == "1 M");
  CHECK(tl::detail::byte_text(2.5e6) == "2.5 MB");
}
