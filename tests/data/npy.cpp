// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/npy.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
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
  check_type<std::int8_t>(folder, {1, 2, -128, 4});
  check_type<std::int16_t>(folder, {1, 2, -32768, 4});
  check_type<std::uint32_t>(folder, {1, 2, 4294967295, 4});
  tl::io::write_npy<tl::f16>(folder.path("h"), {1, 1}, std::vector<tl::f16>{tl::f16(1.5f)});
  const auto halves = tl::data::npy({{"x", folder.path("h")}});
  CHECK(float(halves.column("x").sample<tl::f16>(0)[0]) == 1.5f);
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

TEST_CASE("a file is mapped where its elements lie in it as in memory", "[data]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("x.npy"), label = folder.path("y.npy");
  std::vector<float> x(3 * 1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  tl::io::write_npy<float>(path, {1000, 3}, x);
  tl::io::write_npy<std::int32_t>(label, {1000}, std::vector<std::int32_t>(1000, 7));
  const auto set = tl::data::npy({{"x", path}, {"label", label}}, {.mapped = true});
  CHECK(set.size() == 1000);
  CHECK(set.column("x").sample_shape == shape{3});
  CHECK(set.column("x").sample<float>(999)[2] == 2999);
  CHECK(set.column("label").sample<std::int32_t>(3)[0] == 7);
  // It is the file: what is written there is seen.
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-4, std::ios::end);
    const float other = -1;
    file.write(reinterpret_cast<const char*>(&other), 4);
  }
  CHECK(set.column("x").sample<float>(999)[2] == -1);
}

TEST_CASE("a file that cannot be mapped is named, with the reason", "[data]") {
  const test::temporary_folder folder;
  const auto error_for = [](const std::string& path) {
    return test::error_of([&] { tl::data::npy({{"x", path}}, {.mapped = true}); });
  };
  const auto file = [&](const std::string& header, const std::string& elements) {
    std::string text = header + "\n", bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(text.size());
    return folder.write("file.npy", bytes + '\0' + text + elements);
  };
  const std::string of_12(12, '\1');
  const auto described = [](const std::string& type, bool fortran, const std::string& extents,
                            std::size_t size) {
    std::string text = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + extents + "}";
    text.resize(size - 11, ' ');
    return text;
  };
  CHECK(error_for(file(described("<i4", false, "(3,)", 80), of_12)) == "(no error)");
  CHECK(test::missing_in(error_for(file(described("<i4", false, "(3,)", 81), of_12)),
                         {"file.npy cannot be mapped: elements of 4 bytes begin at byte 81"}) == "");
  CHECK(test::missing_in(error_for(file(described(">i4", false, "(3,)", 80), of_12)),
                         {"its elements do not lie there as in memory; read it instead"}) == "");
  CHECK(test::missing_in(error_for(file(described("<u2", false, "(6,)", 80), of_12)), {"as in memory"}) ==
        "");
  CHECK(test::missing_in(error_for(file(described("|b1", false, "(12,)", 80), of_12)), {"a bool"}) == "");
  CHECK(test::missing_in(error_for(file(described("<f4", true, "(3, 1)", 80), of_12)), {"Fortran's order"}) ==
        "");
  CHECK(test::missing_in(error_for(folder.path("none.npy")), {"none.npy"}) == "");
  CHECK(test::missing_in(error_for(folder.write("text", "no array")), {"text"}) == "");
}
