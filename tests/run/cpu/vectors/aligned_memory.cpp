// SPDX-License-Identifier: BSL-1.0
// Blocks of memory: where they begin, that they are zero, and whose they are.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <tapeless/run/cpu/vectors/aligned_memory.hpp>
#include <utility>

namespace tl = tapeless;
namespace k = tl::cpu_kernels;

namespace {

std::int64_t remainder(const k::aligned_memory& m, std::int64_t alignment) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(m.data())) % alignment;
}

}  // namespace

TEST_CASE("blocks are zero and aligned") {
  const std::int64_t page = k::large_page;
  for (const std::int64_t bytes :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{65}, page - 1, page, page + 5, 5 * page + 100}) {
    const k::aligned_memory m(bytes);
    CAPTURE(bytes);
    REQUIRE(m.data() != nullptr);
    CHECK(m.size() == bytes);
    CHECK(remainder(m, tl::arena_alignment) == 0);
    CHECK(std::count(m.data(), m.data() + bytes, std::byte{0}) == bytes);
    std::fill_n(m.data(), bytes, std::byte{1});
  }
}

TEST_CASE("large blocks begin with a page") {
  CHECK(k::block_alignment(4096) == tl::arena_alignment);
  for (const std::int64_t bytes : {std::int64_t{1} << 17, std::int64_t{1000001}, k::large_page + 4}) {
    const k::aligned_memory first(bytes), second(bytes);
    CHECK(remainder(first, 4096) == 0);
    CHECK(remainder(second, 4096) == 0);
  }
}

TEST_CASE("large pages hold the whole pages of a block") {
  const std::int64_t page = k::large_page;
  const auto of = [](std::int64_t address, std::int64_t bytes) {
    const auto pages = k::detail::whole_large_pages(address, bytes);
    return std::pair{pages.first, pages.count};
  };
  CHECK(of(0, page - 1).second == 0);
  CHECK(of(page, page) == std::pair{std::int64_t{0}, page});
  CHECK(of(page + 64, page).second == 0);
  CHECK(of(3 * page + 64, 2 * page) == std::pair{page - 64, page});
  CHECK(of(64, 10).second == 0);
}

TEST_CASE("a block has one owner") {
  k::aligned_memory first(k::large_page), second(64);
  std::byte* const data = first.data();
  *data = std::byte{7};
  second = std::move(first);
  CHECK(second.data() == data);
  CHECK(second.size() == k::large_page);
  CHECK(*second.data() == std::byte{7});
  CHECK(first.data() == nullptr);
  CHECK(first.size() == 0);
  const k::aligned_memory third(std::move(second));
  CHECK(third.data() == data);
  CHECK(second.data() == nullptr);
  second = {};
  CHECK(second.data() == nullptr);
}
