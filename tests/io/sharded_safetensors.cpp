// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/sharded_safetensors.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <tapeless/io/tensor_formats.hpp>

#include "catch.hpp"
#include "file_parts.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;
using test::entry;

namespace {

const std::vector<float> floats{1, 2, 3};
const std::vector<std::int32_t> integers{4, 5};

/// A model in two files, and the index, as Python's writers lay it out.
struct two_shards {
  test::temporary_folder folder;
  std::string index = folder.path("model.safetensors.index.json");
  std::string first = folder.path("model-1.safetensors"), second = folder.path("parts/model-2.safetensors");

  two_shards() {
    std::filesystem::create_directory(folder.path("parts"));
    tl::io::write_safetensors(first, std::vector{entry("b", {3}, floats), entry("unnamed", {3}, floats)});
    tl::io::write_safetensors(second, std::vector{entry("a", {2}, integers)});
    write(R"("b": "model-1.safetensors", "a": "parts/model-2.safetensors")");
  }
  void write_text(const std::string& text) const { std::ofstream(index) << text; }
  void write(const std::string& map) const {
    write_text("{\n  \"metadata\": {\"total_size\": 20},\n  \"weight_map\": {" + map + "}\n}\n");
  }
  std::string error() const {
    return test::error_of([&] { tl::io::read_tensors(index); });
  }
};

}  // namespace

TEST_CASE("tensors are read from the files that the index names", "[io]") {
  const two_shards model;
  const auto file = tl::io::read_tensors(model.index);
  CHECK(file->path() == model.index);
  CHECK(file->size() == 2);
  CHECK((*file)["b"].as<float>()[2] == 3);
  CHECK((*file)["a"].as<std::int32_t>()[1] == 5);
  CHECK(file->find("unnamed") == nullptr);
  tl::io::sharded_safetensors moved = tl::io::sharded_safetensors::read(model.index);
  const tl::io::tensor_entry* const a = moved.find("a");
  const tl::io::sharded_safetensors other = std::move(moved);
  CHECK(other.find("a") == a);
  CHECK(a->as<std::int32_t>()[0] == 4);
  model.write("");
  CHECK(tl::io::read_tensors(model.index)->size() == 0);
}

TEST_CASE("an index that does not fit its files says so", "[io]") {
  const two_shards model;
  SECTION("a tensor that is not there") {
    model.write(R"("b": "model-1.safetensors", "c": "model-1.safetensors")");
    CHECK(model.error() == "tapeless: " + model.index +
                               ": \"c\" is said to be in \"model-1.safetensors\", but is not in that file");
  }
  SECTION("a file that is not there") {
    std::filesystem::remove(model.second);
    CHECK(model.error() == "tapeless: " + model.index +
                               ": the file \"parts/model-2.safetensors\", which holds \"a\", is missing "
                               "beside the index");
  }
  SECTION("a file that is no safetensors file") {
    std::ofstream(model.second) << "no weights, but text";
    CHECK(test::missing_in(model.error(), {model.second, "expected a safetensors file"}) == "");
  }
  SECTION("files elsewhere") {
    tl::io::write_safetensors(model.folder.path("x"), std::vector{entry("a", {2}, integers)});
    for (const std::string& shard :
         {std::string("../x"), std::string("parts/../x"), std::string("parts/.."), std::string(".."),
          model.folder.path("x"), std::string(), std::string("parts\\\\x"), std::string("C:x"),
          std::string("x\\u0000")}) {
      INFO(shard);
      model.write(R"("a": ")" + shard + '"');
      CHECK(test::missing_in(model.error(), {"weight_map: \"a\" is said to be in \"",
                                             "expected a file in the folder of the index"}) == "");
    }
    model.write(R"("a": "x")");
    CHECK(tl::io::read_tensors(model.index)->size() == 1);
    model.write(R"("a": "./x")");
    CHECK(tl::io::read_tensors(model.index)->size() == 1);
  }
  SECTION("a name twice") {
    model.write(R"("b": "model-1.safetensors", "b": "model-1.safetensors")");
    CHECK(test::missing_in(model.error(), {model.index, "the name \"b\" occurs twice"}) == "");
    model.write_text(R"({"weight_map": {}, "weight_map": {}})");
    CHECK(test::missing_in(model.error(), {"the name \"weight_map\" occurs twice"}) == "");
  }
  SECTION("JSON of another kind") {
    for (const char* text : {R"({"model_type": "bert"})", R"({"weight_map": []})", "{  }"}) {
      model.write_text(text);
      CHECK(test::missing_in(model.error(), {model.index, "found JSON that is no index"}) == "");
    }
    model.write(R"("a": 1)");
    CHECK(test::missing_in(model.error(), {"\"a\" must be the name of a file, found an integer"}) == "");
    for (const char* text : {"{\"weight_map\": {\"a\"", "{\"weight_map\": {}} x", "{\"weight_map\": {},}"}) {
      model.write_text(text);
      CHECK(test::missing_in(model.error(), {model.index + ": byte ", "expected"}) == "");
    }
  }
}

TEST_CASE("a safetensors file whose header is as long as a brace, or a ZIP file's first letters, counts",
          "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("a");
  for (const std::size_t length : {std::size_t{'{'}, std::size_t{19280}, std::size_t{19280 + 65536}}) {
    std::string header = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
    header.resize(length, ' ');
    std::ofstream(path, std::ios::binary) << test::little(length, 8) + header + "x";
    CHECK(tl::io::read_tensors(path)->size() == 1);
  }
}
