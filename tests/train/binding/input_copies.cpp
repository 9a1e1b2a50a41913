// SPDX-License-Identifier: BSL-1.0
// Which inputs are copied before a run, and that their elements are then in row-major order.
#include "failing_new.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <tapeless/train/binding/input_copies.hpp>

namespace tl = tapeless;

namespace {

/// A program that writes to this memory.
struct program {
  const std::byte* begin = nullptr;
  std::size_t size = 0;
  bool overwrites(tl::array_view<const std::byte> elements) const {
    return elements.data() < begin + size && begin < elements.data() + elements.size();
  }
};

template <class T>
tl::bound_elements bound(const std::vector<T>& elements, std::vector<std::int64_t> shape = {},
                         const std::vector<std::int64_t>& strides = {}) {
  tl::bound_elements e;
  e.given = true;
  e.data = reinterpret_cast<const std::byte*>(elements.data());
  e.type = tl::element_of<T>;
  if (shape.empty()) shape.push_back(static_cast<std::int64_t>(elements.size()));
  e.rank = static_cast<int>(shape.size());
  e.count = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    e.shape[d] = shape[d];
    e.count *= shape[d];
  }
  e.strided_axes = static_cast<int>(strides.size());
  for (std::size_t d = 0; d < strides.size(); ++d) e.strides[d] = strides[d];
  return e;
}

template <class T>
std::vector<T> counted(std::size_t count) {
  std::vector<T> v(count);
  std::iota(v.begin(), v.end(), T(1));
  return v;
}

// The elements along strides, one after the other, against index arithmetic.
template <class T>
void copies_in_row_major_order(const std::vector<std::int64_t>& shape,
                               const std::vector<std::int64_t>& strides) {
  std::int64_t last = 0, count = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    last += (shape[d] - 1) * strides[d];
    count *= shape[d];
  }
  const auto from = counted<T>(static_cast<std::size_t>(last + 1));
  const std::array<tl::bound_elements, 1> inputs{bound(from, shape, strides)};
  std::array<const std::byte*, 1> data{};
  tl::input_copies copies;
  copies.gather(program{}, inputs, data);
  REQUIRE(data[0] != inputs[0].data);
  const T* got = reinterpret_cast<const T*>(data[0]);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t offset = 0, rest = i;
    for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) offset += rest % shape[d] * strides[d];
    INFO("element " << i);
    REQUIRE(got[i] == from[static_cast<std::size_t>(offset)]);
  }
}

}  // namespace

TEST_CASE("contiguous inputs that nothing writes to are read where they are") {
  const auto x = counted<float>(5);
  const std::array<tl::bound_elements, 2> inputs{bound(x), tl::bound_elements{}};
  std::array<const std::byte*, 2> data{};
  tl::input_copies copies;
  copies.gather(program{}, inputs, data);
  CHECK(data[0] == inputs[0].data);
  CHECK(data[1] == nullptr);
}

TEST_CASE("inputs with strides are copied: vectors, transposed matrices larger than a block, more axes") {
  copies_in_row_major_order<float>({7}, {3});
  copies_in_row_major_order<double>({40, 70}, {1, 41});
  copies_in_row_major_order<std::int64_t>({2, 3, 4}, {1, 9, 2});
  copies_in_row_major_order<unsigned char>({2, 2, 3, 2}, {50, 3, 7, 1});
  copies_in_row_major_order<int>({3, 1}, {2, 5});
}

TEST_CASE("inputs in memory that the run writes to are copied, and only they") {
  const auto x = counted<float>(5), y = counted<float>(100);
  const std::array<tl::bound_elements, 3> inputs{bound(x), bound(y), bound(y, {2, 3}, {1, 2})};
  std::array<const std::byte*, 3> data{};
  tl::input_copies copies;
  for (int again = 0; again < 2; ++again) {
    copies.gather(program{inputs[1].data + 396, 4}, inputs, data);
    CHECK(data[0] == inputs[0].data);
    REQUIRE(data[1] != inputs[1].data);
    CHECK(std::vector<float>(reinterpret_cast<const float*>(data[1]),
                             reinterpret_cast<const float*>(data[1]) + 100) == y);
    CHECK(reinterpret_cast<const float*>(data[2])[1] == 3);  // behind the other copy
    CHECK(reinterpret_cast<const float*>(data[2])[5] == 6);
  }
}

TEST_CASE("an empty input is not copied") {
  const std::vector<float> none;
  std::array<tl::bound_elements, 1> inputs{bound(none, {0, 3}, {1, 2})};
  std::array<const std::byte*, 1> data{};
  tl::input_copies copies;
  copies.gather(program{}, inputs, data);
  CHECK(data[0] == inputs[0].data);
}

TEST_CASE("nothing has changed where there is no memory for a copy") {
  const auto x = counted<float>(5), y = counted<float>(5);
  const std::array<tl::bound_elements, 2> inputs{bound(x), bound(y)};
  const program writes_y{inputs[1].data, 4};
  std::array<const std::byte*, 2> data{};
  tl::input_copies copies;
  {
    const test::failures none_left(1, true);
    CHECK_THROWS_AS(copies.gather(writes_y, inputs, data), std::bad_alloc);
  }
  CHECK(data[0] == nullptr);
  CHECK(data[1] == nullptr);
  copies.gather(writes_y, inputs, data);
  CHECK(data[0] == inputs[0].data);
  CHECK(data[1] != inputs[1].data);
}
