// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/safetensors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "json_reader.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;
using tl::io::safetensors;
using tl::io::tensor_entry;

namespace {

template <class T>
tensor_entry entry(std::string name, std::vector<std::int64_t> shape, const std::vector<T>& values) {
  return {std::move(name), tl::element_of<T>, std::move(shape), std::as_bytes(std::span(values))};
}

std::string file_bytes(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header + data;
}

const std::string one_bool = R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})";

}  // namespace

TEST_CASE("tensors are written and read back", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("all.safetensors");
  const std::vector<unsigned char> bytes = {1, 2, 255};
  const std::vector<std::int32_t> ints = {-1, 2};
  const std::vector<std::int64_t> longs = {INT64_MIN, INT64_MAX};
  const std::vector<float> floats = {0.5f, -2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
  const std::vector<double> scalar = {0.1};
  const bool truth[] = {true, false};
  const std::uint16_t halves[] = {0x3c00, 0xc000};
  const std::vector<tensor_entry> tensors = {
      entry("bytes", {3}, bytes),
      entry("floats", {3, 2}, floats),
      entry("gr\xc3\xbc\xc3\x9f \"quoted\"", {2, 1}, ints),
      entry("longs", {2}, longs),
      entry("scalar", {}, scalar),
      entry("none", {0, 4}, std::vector<float>()),
      {"truth", tl::element::boolean, {2}, std::as_bytes(std::span(truth))},
      {"halves", tl::element::f16, {2}, std::as_bytes(std::span(halves))},
      {"brains", tl::element::bf16, {1, 2}, std::as_bytes(std::span(halves))},
  };
  const std::map<std::string, std::string> metadata = {{"format", "pt"}, {"note", "line\n\"two\""}};
  tl::io::write_safetensors(path, tensors, metadata);

  const safetensors file = safetensors::read(path);
  CHECK(file.path() == path);
  CHECK(file.metadata() == metadata);
  REQUIRE(file.size() == tensors.size());
  for (const tensor_entry& written : tensors) {
    const tensor_entry& read = file[written.name];
    CHECK(read.type == written.type);
    CHECK(read.shape == written.shape);
    CHECK(std::equal(read.bytes.begin(), read.bytes.end(), written.bytes.begin(), written.bytes.end()));
  }
  CHECK(file["floats"].as<float>()[5] == 6.0f);
  CHECK(file["scalar"].as<double>()[0] == 0.1);
  CHECK(file["none"].as<float>().empty());
  CHECK(file["truth"].as<bool>()[0]);
  CHECK_FALSE(file["truth"].as<bool>()[1]);
}

TEST_CASE("what is written is laid out as the format says", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const std::vector<unsigned char> bytes = {65};
  const std::vector<float> floats = {0.0f};
  const std::vector<tensor_entry> tensors = {entry("b", {1}, bytes), entry("f", {}, floats)};
  tl::io::write_safetensors(path, tensors, {{"k", "v"}});
  const std::string header =
      R"({"__metadata__":{"k":"v"},"f":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
      R"("b":{"dtype":"U8","shape":[1],"data_offsets":[4,5]}})";
  const std::string padding((8 - header.size() % 8) % 8, ' ');
  CHECK(test::bytes_of(path) == file_bytes(header + padding, std::string("\0\0\0\0A", 5)));
}

TEST_CASE("tensors in memory are aligned, and stay where they are when the file moves", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const std::vector<double> values = {1, 2};
  tl::io::write_safetensors(path, std::vector{entry("a", {2}, values)});
  safetensors first = safetensors::read(path);
  const tensor_entry* a = first.find("a");
  CHECK(reinterpret_cast<std::uintptr_t>(a->bytes.data()) % 64 == 0);
  const safetensors second = std::move(first);
  CHECK(second.find("a") == a);
  CHECK(a->as<double>()[1] == 2);
}

TEST_CASE("a file may hold no tensors", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  tl::io::write_safetensors(path, {});
  const safetensors file = safetensors::read(path);
  CHECK(file.size() == 0);
  CHECK(file.begin() == file.end());
  CHECK(file.metadata().empty());
  CHECK(test::missing_in(test::error_of([&] { file["a"]; }), {"no tensor \"a\"; similar: none"}) == "");
}

TEST_CASE("of a tensor that is missing, the file and similar names are said", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const std::vector<float> values = {1};
  std::vector<tensor_entry> tensors;
  for (const char* name : {"fc1.weight", "fc1.bias", "fc2.weight", "conv.running_mean"}) {
    tensors.push_back(entry(name, {1}, values));
  }
  tl::io::write_safetensors(path, tensors);
  const safetensors file = safetensors::read(path);
  CHECK(file.find("fc1.wieght") == nullptr);
  const std::string message = test::error_of([&] { file["fc1.wieght"]; });
  CHECK(test::missing_in(
            message, {path + ": no tensor \"fc1.wieght\"; similar: \"fc1.weight\", \"fc2.weight\""}) == "");
  CHECK(message.find("running_mean") == std::string::npos);
}

TEST_CASE("a file that is no safetensors file is refused", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const auto error_for = [&](const std::string& bytes) {
    folder.write("file", bytes);
    return test::error_of([&] { safetensors::read(path); });
  };
  SECTION("missing") {
    const std::string message = test::error_of([&] { safetensors::read(path); });
    CHECK(test::missing_in(message, {path, "No such file"}) == "");
  }
  SECTION("too short for anything") {
    CHECK(test::missing_in(error_for("1234567"), {path, "expected a safetensors file, found only 7 bytes"}) ==
          "");
  }
  SECTION("something else") {
    CHECK(test::missing_in(error_for("\x89PNG and so on..."), {path, "expected a safetensors file"}) == "");
  }
  SECTION("a header beyond the end") {
    const std::string bytes = file_bytes("{} ", "").substr(0, 10);
    CHECK(test::missing_in(error_for(bytes), {path, "header would take 3 bytes", "at most 2"}) == "");
  }
  SECTION("a header whose length overflows") {
    const std::string bytes = std::string(8, '\xff') + "{}";
    CHECK(test::missing_in(error_for(bytes), {path, "18446744073709551615 bytes", "at most 2"}) == "");
  }
  SECTION("no header") {
    CHECK(test::missing_in(error_for(std::string(8, '\0')), {path + ": header: byte 0", "the end"}) == "");
  }
  SECTION("a byte that is no truth value") {
    CHECK(test::missing_in(error_for(file_bytes(one_bool, "\1\2")),
                           {path + ": tensor \"a\": a BOOL must be 0 or 1"}) == "");
  }
  SECTION("truncated anywhere") {
    const std::string bytes = file_bytes(one_bool, std::string("\0\1", 2));
    folder.write("file", bytes);
    CHECK_NOTHROW(safetensors::read(path));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      CHECK(test::missing_in(error_for(bytes.substr(0, size)), {path}) == "");
    }
  }
  SECTION("longer than it says") {
    const std::string bytes = file_bytes(one_bool, std::string("\0\1\0", 3));
    CHECK(test::missing_in(error_for(bytes), {path + ": 1 bytes after the end of the last tensor"}) == "");
  }
}

TEST_CASE("a tensor that cannot be written is named, and no file made", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("file");
  const std::vector<float> values = {1, 2};
  const auto error_for = [&](const std::vector<tensor_entry>& tensors) {
    return test::error_of([&] { tl::io::write_safetensors(path, tensors); });
  };
  SECTION("bytes that do not fit the shape") {
    CHECK(test::missing_in(error_for({entry("a", {3}, values)}),
                           {path + ": tensor \"a\": float of shape [3] takes 12 bytes, found 8"}) == "");
    CHECK(test::missing_in(error_for({entry("a", {-2}, values)}),
                           {"[-2] takes no possible number of bytes"}) == "");
  }
  SECTION("a name twice") {
    CHECK(test::missing_in(
              error_for({entry("a", {2}, values), entry("b", {2}, values), entry("a", {2}, values)}),
              {path + ": tensor \"a\": the name is given twice"}) == "");
  }
  SECTION("a reserved name") {
    CHECK(test::missing_in(error_for({entry("__metadata__", {2}, values)}), {"reserves this name"}) == "");
  }
  SECTION("a name that is not UTF-8") {
    CHECK(test::missing_in(error_for({entry("\xff", {2}, values)}), {"must be UTF-8"}) == "");
  }
  SECTION("a type that files do not know") {
    const tensor_entry number{"a", tl::element::number, {1}, std::as_bytes(std::span(values))};
    CHECK(test::missing_in(error_for({number}),
                           {"tensor \"a\": elements of type number cannot be written"}) == "");
  }
  CHECK(folder.size() == 0);
}

TEST_CASE("the reference files are read, and written again byte for byte of data", "[io]") {
  const std::string reference = test::folder_from("TAPELESS_REFERENCE_DIR");
  if (reference.empty()) {
    WARN("TAPELESS_REFERENCE_DIR is not set: the reference files were not read");
    return;
  }
  const test::temporary_folder folder;
  std::size_t files = 0;
  for (const auto& item : std::filesystem::directory_iterator(reference)) {
    if (item.path().extension() != ".safetensors") continue;
    ++files;
    const safetensors file = safetensors::read(item.path().string());
    const std::vector<tensor_entry> tensors(file.begin(), file.end());
    tl::io::write_safetensors(folder.path("again"), tensors, file.metadata());
    const safetensors again = safetensors::read(folder.path("again"));
    CHECK(again.metadata() == file.metadata());
    REQUIRE(again.size() == file.size());
    for (const tensor_entry& a : file) {
      const tensor_entry& b = again[a.name];
      const bool same = a.type == b.type && a.shape == b.shape &&
                        std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end());
      if (!same) FAIL(a.name << " of " << file.path());
    }
  }
  CHECK(files > 0);
}

TEST_CASE("a reference file says what its description says", "[io]") {
  const std::string path = test::folder_from("TAPELESS_REFERENCE_DIR") + "/train-mlp.safetensors";
  if (!std::filesystem::exists(path)) {
    WARN("SKIPPED: there is no " << path);
    return;
  }
  const safetensors file = safetensors::read(path);
  const test::json about = test::read_json(file.metadata().at("mlp"), path);
  const auto steps = about["steps"].as<std::int64_t>(), batch = about["batch"].as<std::int64_t>();
  const auto elements = [](const std::vector<std::int64_t>& shape) {
    return static_cast<std::size_t>(
        std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
  };
  const tensor_entry &images = file["mlp.x"], &labels = file["mlp.target"], &weight = file["mlp.param0"];
  REQUIRE(images.shape.size() >= 2);
  CHECK(images.shape[0] == steps);
  CHECK(images.shape[1] == batch);
  CHECK(images.as<unsigned char>().size() == elements(images.shape));
  CHECK(labels.shape == std::vector<std::int64_t>{steps, batch});
  CHECK(labels.as<std::int64_t>().size() == elements(labels.shape));
  CHECK(weight.as<float>().size() == elements(weight.shape));
}
