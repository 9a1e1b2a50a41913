// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/npy.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using shape = std::vector<std::int64_t>;

namespace {

template <class T>
void check_type(const test::temporary_folder& folder, const std::vector<T>& values) {
  const std::string path = folder.path("file.npy");
  tl::io::write_npy<T>(path, {2, 2}, values);
  const auto set = tl::data::npy({{"x", path}});
  CHECK(set.size() == 2);
  CHECK(set.column("x").sample_shape == shape{2});
  CHECK(set.column("x").sample<T>(1)[0] == values[2]);
}

}  // namespace

TEST_CASE("the first axis of an array counts the samples", "[data]") {
  const test::temporary_folder folder;
  const std::vector<float> images{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const std::vector<std::int64_t> labels{7, 8, 9};
  tl::io::write_npy<float>(folder.path("x.npy"), {3, 2, 2}, images);
  tl::io::write_npy<std::int64_t>(folder.path("y.npy"), {3}, labels);
  const auto set = tl::data::npy({{"image", folder.path("x.npy")}, {"label", folder.path("y.npy")}});
  CHECK(set.size() == 3);
  CHECK(set.column("image").sample_shape == shape{2, 2});
  CHECK(set.column("image").sample<float>(2)[3] == 11);
  CHECK(set.column("label").sample_shape.empty());
  CHECK(set.column("label").sample<std::int64_t>(1)[0] == 8);
}

TEST_CASE("columns have all types of NumPy's that tensors have", "[data]") {
  const test::temporary_folder folder;
  check_type<double>(folder, {1, 2, 3, 4});
  check_type<std::int32_t>(folder, {1, 2, -3, 4});
  check_type<std::uint8_t>(folder, {1, 2, 255, 4});
  tl::io::write_npy<tl::f16>(folder.path("h"), {1, 1}, std::vector<tl::f16>{tl::f16(1.5f)});
  CHECK(float(tl::data::npy({{"x", folder.path("h")}}).column("x").sample<tl::f16>(0)[0]) == 1.5f);
  const bool truth[] = {true, false, true};
  tl::io::write_npy<bool>(folder.path("b"), {3}, truth);
  const auto set = tl::data::npy({{"x", folder.path("b")}});
  CHECK(set.column("x").sample<bool>(2)[0]);
  CHECK_FALSE(set.column("x").sample<bool>(1)[0]);
}

TEST_CASE("arrays of an NPZ file become columns, all or those that are asked for", "[data]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("all.npz");
  const std::vector<float> x{1, 2, 3, 4}, other{5};
  const std::vector<std::int32_t> y{6, 7};
  const auto entry = [](const char* name, shape extents, const auto& values) {
    using type = typename std::decay_t<decltype(values)>::value_type;
    return tl::io::tensor_entry{name, tl::element_of<type>, std::move(extents),
                                std::as_bytes(std::span(values))};
  };
  tl::io::write_npz(path, std::vector{entry("x", {2, 2}, x), entry("y", {2}, y)});
  const auto all = tl::data::npz(path);
  CHECK(all.columns().size() == 2);
  CHECK(all.column("x").sample<float>(1)[1] == 4);
  CHECK(all.column("y").sample<std::int32_t>(1)[0] == 7);

  tl::io::write_npz(path, std::vector{entry("x", {2, 2}, x), entry("y", {2}, y), entry("other", {1}, other)});
  const auto two = tl::data::npz(path, {{"image", "x"}, {"label", "y"}});
  CHECK(two.columns().size() == 2);
  CHECK(two.column("image").sample<float>(0)[1] == 2);
  CHECK(test::missing_in(test::error_of([&] { tl::data::npz(path); }),
                         {path + ": \"other.npy\": expected 2 samples, as column \"x\" has, found 1"}) == "");
  CHECK(test::missing_in(test::error_of([&] { tl::data::npz(path, {{"x", "z"}}); }),
                         {path + ": no array \"z\""}) == "");
}

TEST_CASE("an array without samples is no column", "[data]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  tl::io::write_npy<float>(path, {}, std::vector<float>{1});
  CHECK(test::missing_in(test::error_of([&] { tl::data::npy({{"x", path}}); }),
                         {path + ": expected samples along the first axis, found the shape []"}) == "");
  tl::io::write_npy<float>(path, {0, 3}, std::vector<float>{});
  CHECK(test::missing_in(test::error_of([&] { tl::data::npy({{"x", path}}); }), {"found the shape [0, 3]"}) ==
        "");
}
