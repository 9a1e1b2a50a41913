// SPDX-License-Identifier: BSL-1.0
// Maps give what the CPU gives, by single elements and by as many as fit into 16 bytes.
#include <tapeless/run/gpu/kernels/map_kernel.hpp>

#include "run/gpu/both.hpp"

namespace {

constexpr auto rows = tl::dyn<"rows">;
constexpr auto columns = tl::dyn<"columns">;

// Contiguous, broadcast, strided and indexed operands, of several types.
struct all_lanes {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, rows, columns>;
    auto row = tl::input<"row", float, columns>;
    auto column = tl::input<"column", float, rows>;
    auto label = tl::input<"label", std::int32_t, rows, columns>;
    auto number = tl::cast<float>(tl::iota_like<1>(x));
    return tl::outputs(tl::named<"sum">(x + row * 2_c + tl::reshape<rows, 1>(column)),
                       tl::named<"turned">(tl::transpose(x) + tl::reshape<columns, 1>(row)),
                       tl::named<"chosen">(tl::where(label > 1_c, x, number)),
                       tl::named<"wide">(tl::cast<double>(x) * 0.5_c),
                       tl::named<"half">(tl::cast<tl::bf16>(x) * tl::cast<tl::bf16>(x)),
                       tl::named<"is">(x < 0_c));
  }
};

// Parts of rows start where no 16 bytes do.
struct part {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, 8, 9>;
    return tl::outputs(tl::named<"part">(tl::exp(tl::slice<1, 1, 9>(x))),
                       tl::named<"ahead">(tl::exp(tl::slice<0, 1, 5>(x))));
  }
};

// Windows that meet: their elements are added up one after the other.
struct meeting_windows {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, rows, 12>;
    auto kernel = tl::input<"kernel", double, 2, 1, 3>;
    auto y = tl::conv1d<tl::conv{.stride = 1, .padding = 1, .dilation = 2}>(
        tl::reshape<rows, 1, 12>(x), kernel, tl::input<"bias", double, 2>);
    return tl::outputs(tl::named<"slope">(tl::grad(tl::sum(tl::square(y)), x)));
  }
};

}  // namespace

TEST_CASE("map: all kinds of operands, whether neighbours fit into vectors or not") {
  test::both<all_lanes> f;
  test::numbers random(2);
  for (const int r : {1, 3, 8})
    for (const int c : {1, 2, 7, 8, 16, 33}) {
      const auto x = random.vector<float>(test::count(r, c)), row = random.vector<float>(test::count(1, c)),
                 column = random.vector<float>(test::count(r, 1));
      std::vector<std::int32_t> label(test::count(r, c));
      for (std::size_t i = 0; i < label.size(); ++i) label[i] = static_cast<std::int32_t>(i % 4);
      INFO(r << " x " << c);
      CHECK(f.differ<"sum", "turned", "chosen", "wide", "half", "is">(
                "x"_t = x, "row"_t = row, "column"_t = column, "label"_t = label, "rows"_t = std::int64_t{r},
                "columns"_t = std::int64_t{c}) < 1e-6);
    }
}

TEST_CASE("map: elements that start anywhere") {
  test::both<part> f;
  const auto x = test::numbers(1).vector<float>(72);
  CHECK(f.differ<"part", "ahead">("x"_t = x) < 1e-6);
}

TEST_CASE("map: iterations that write to the same elements are added up") {
  test::both<meeting_windows> f;
  test::numbers random(5);
  const auto x = random.vector(36), kernel = random.vector(6), bias = random.vector(2);
  CHECK(f.differ<"slope">("x"_t = x, "kernel"_t = kernel, "bias"_t = bias) < 1e-12);
}

namespace {

constexpr auto negated = [] { return -tl::input<"x", float, 8, 9>; };
using negated_graph_builder = tl::ready<tl::forward_graph_builder<decltype(negated)>>;

}  // namespace

TEST_CASE("map: neighbours are loaded at once only where they all start at a multiple of their size") {
  namespace k = tapeless::thrust_kernels;
  using body = k::kernel_body<std::remove_pointer_t<tl::kernel_key_of<negated_graph_builder, 0>>, 8>;
  STATIC_REQUIRE(body::in_memory.widest == 4);
  alignas(64) float memory[256] = {};
  const auto fits = [&](std::int64_t offset, std::int64_t rows, std::int64_t columns, std::int64_t stride) {
    tl::fused_kernel_operand operands[2];
    operands[0] = {.data = reinterpret_cast<std::byte*>(memory + offset), .size = 4, .strides = {stride, 1}};
    operands[1] = {.data = reinterpret_cast<std::byte*>(memory + 128), .size = 4, .strides = {columns, 1}};
    return k::map<body>::is_wide(tl::fused_kernel_arguments{
        .rank = 2, .extents = {rows, columns}, .operands = operands, .operand_count = 2});
  };
  CHECK(fits(0, 3, 8, 8));
  CHECK(fits(4, 3, 8, 12));
  CHECK_FALSE(fits(1, 3, 8, 8));
  CHECK_FALSE(fits(0, 3, 8, 9));
  CHECK_FALSE(fits(0, 3, 7, 8));
}

namespace {

constexpr auto copies = [] {
  auto x = tl::input<"x", tl::f16, rows, 24>;
  auto y = tl::input<"y", tl::bf16, rows, 24>;
  return tl::outputs(tl::named<"turned">(tl::transpose<0, 1>(x)), tl::named<"flipped">(tl::flip<1>(x)),
                     tl::named<"beside">(tl::concat<1>(y, y)));
};

}  // namespace

TEST_CASE("map: a copy of 16 bits has these bits, whatever number they are") {
  tl::function f{copies, tl::thrust_host{}};
  const std::size_t count = 40;
  std::vector<tl::f16> x(count * 24);
  std::vector<tl::bf16> y(count * 24);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::bit_cast<tl::f16>(static_cast<std::uint16_t>(0x7c00 + i));  // infinity, and NaN of all kinds
    y[i] = std::bit_cast<tl::bf16>(static_cast<std::uint16_t>(0x7f80 + i % 128));
  }
  const auto r = f("x"_t = x, "y"_t = y);
  int wrong = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < 24; ++k) {
      wrong += r.get<"turned">()[k * count + i].bits != x[i * 24 + k].bits ? 1 : 0;
      wrong += r.get<"flipped">()[i * 24 + 23 - k].bits != x[i * 24 + k].bits ? 1 : 0;
      for (const std::size_t half : {0u, 1u})
        wrong += r.get<"beside">()[i * 48 + half * 24 + k].bits != y[i * 24 + k].bits ? 1 : 0;
    }
  CHECK(wrong == 0);
}
