// SPDX-License-Identifier: BSL-1.0
// Pieces of a fused kernel have all of its iterations once, and no more of them than a launch takes.
#include <tapeless/run/gpu/kernels/pieces.hpp>

#include <vector>

#include "catch.hpp"

namespace k = tapeless::thrust_kernels;
namespace tl = tapeless;

namespace {

struct cut {
  std::int64_t begin[2], extents[2];
};

// The pieces of a fused kernel with two loops.
std::vector<cut> pieces_of(const tl::fused_kernel_arguments& arguments,
                           void (*in_pieces)(const tl::fused_kernel_arguments&, const k::piece_runner&)) {
  std::vector<cut> all;
  const auto start = [](const k::kernel_piece& p, void* to) {
    static_cast<std::vector<cut>*>(to)->push_back({{p.begin[0], p.begin[1]}, {p.extents[0], p.extents[1]}});
  };
  in_pieces(arguments, {start, &all});
  return all;
}

void in_launches(const tl::fused_kernel_arguments& arguments, const k::piece_runner& run) {
  k::in_launches(arguments, run);
}

constexpr std::int64_t most = k::most_items;

}  // namespace

TEST_CASE("pieces: what a launch takes is not cut") {
  const auto all = pieces_of({.rank = 2, .extents = {most, 1}}, &in_launches);
  REQUIRE(all.size() == 1);
  CHECK(all[0].extents[0] == most);
}

TEST_CASE("pieces: more iterations are cut along the longest axis that is not reduced") {
  struct shape {
    std::int64_t rows, columns;
    unsigned reduced;
    int axis;
  };
  for (const shape& s : {shape{most + 1, 1, 0, 0},
                         {3, most, 0, 1},
                         {1000, most / 100, 0, 1},
                         {1000, most / 100, 2, 0},
                         {7, most + 5, 0, 1}}) {
    const auto all =
        pieces_of({.rank = 2, .extents = {s.rows, s.columns}, .reduced = s.reduced}, &in_launches);
    const std::int64_t whole[2] = {s.rows, s.columns};
    std::int64_t next = 0;
    CHECK(all.size() > 1);
    for (const cut& c : all) {
      CHECK(c.begin[s.axis] == next);
      CHECK(c.begin[1 - s.axis] == 0);
      CHECK(c.extents[1 - s.axis] == whole[1 - s.axis]);
      CHECK(c.extents[0] * c.extents[1] <= most);
      next += c.extents[s.axis];
    }
    CHECK(next == whole[s.axis]);
  }
}

TEST_CASE("pieces: a reduction to one element can't be cut") {
  CHECK_THROWS_WITH(
      pieces_of({.rank = 2, .extents = {2, most}, .reduced = 3}, &in_launches),
      "tapeless: a reduction of 4294967294 elements to one is more than a launch takes, 2147483647");
}

TEST_CASE(
    "pieces: of two axes whose iterations meet, the iterations of the outer one are run after each other") {
  tl::fused_kernel_arguments arguments{.rank = 2, .extents = {3, 4}, .ordered = 3, .accumulates = true};
  const auto all = pieces_of(arguments, &k::in_ordered_launches);
  REQUIRE(all.size() == 3);
  for (std::int64_t i = 0; i < 3; ++i) {
    CHECK(all[static_cast<std::size_t>(i)].begin[0] == i);
    CHECK(all[static_cast<std::size_t>(i)].extents[0] == 1);
    CHECK(all[static_cast<std::size_t>(i)].extents[1] == 4);
  }
  arguments.ordered = 2;
  CHECK(pieces_of(arguments, &k::in_ordered_launches).size() == 1);
  arguments.ordered = 3;
  arguments.accumulates = false;
  CHECK(pieces_of(arguments, &k::in_ordered_launches).size() == 1);
}

TEST_CASE("pieces: an operand is as far on as the iterations before") {
  float memory[64] = {};
  const tl::fused_kernel_operand operands[] = {
      {.data = reinterpret_cast<std::byte*>(memory), .size = 4, .strides = {10, 1}},
      {.size = 4, .first_index = 5, .strides = {0, 2}}};
  const tl::fused_kernel_arguments arguments{
      .rank = 2, .extents = {4, 8}, .operands = operands, .operand_count = 2};
  k::kernel_piece piece(arguments);
  piece.begin[0] = 2;
  piece.begin[1] = 3;
  CHECK(piece.iterations() == 32);
  CHECK(piece.data(0) == reinterpret_cast<std::byte*>(memory + 23));
  CHECK(piece.data(1) == nullptr);
  CHECK(piece.offset(operands[1]) == 6);
}
