// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/image_folder.hpp>
#include <tapeless/data/image_stream.hpp>
#include <tapeless/data/source.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"
#include "data/views.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;

namespace {

// A format of its own: the file's bytes are the pixels.
void read_pixels(const std::string& path, std::span<float> pixels) {
  const std::string bytes = test::bytes_of(path);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(bytes.at(i)) / 10;
}

}  // namespace

TEST_CASE("each folder is a class, each file an image", "[data]") {
  const test::temporary_folder folder;
  for (const char* name : {"dogs", "cats", ".cache", "cats/more"})
    std::filesystem::create_directory(folder.path(name));
  folder.write("dogs/1.raw", "\1\2\3\4");
  folder.write("cats/b.raw", "\5\6\7\x8");
  folder.write("cats/a.raw", "\x9\xa\xb\xc");
  folder.write("cats/.hidden", "");
  folder.write("cats/notes.txt", "");
  folder.write("readme", "");
  const auto files = tl::data::list_files(folder.path(), {".raw"});
  CHECK(files.class_names == std::vector<std::string>{"cats", "dogs"});
  CHECK(files.labels == std::vector<std::int32_t>{0, 0, 1});
  CHECK(files.paths[1] == folder.path() + "/cats/b.raw");
  CHECK(tl::data::list_files(folder.path()).paths.size() == 4);

  const auto [set, class_names] =
      tl::data::image_folder<float>(folder.path(), {1, 2, 2}, read_pixels, {".raw"});
  CHECK(set.size() == 3);
  CHECK(set.column("image").sample_shape == std::vector<std::int64_t>{1, 2, 2});
  CHECK(set.column("image").sample<float>(0)[0] == 0.9f);
  CHECK(set.column("image").sample<float>(2)[3] == 0.4f);
  CHECK(set.column("label").sample<std::int32_t>(2)[0] == 1);
  CHECK(class_names.at("label")[1] == "dogs");
}

TEST_CASE("images are read when they are needed") {
  const test::temporary_folder folder;
  for (const char* name : {"a", "b"}) std::filesystem::create_directory(folder.path(name));
  folder.write("a/1", "\1\2");
  folder.write("a/2", "\3\4");
  folder.write("b/1", "");
  const tl::data::source stream =
      tl::data::stream_images<float>(tl::data::list_files(folder.path()), {1, 2}, read_pixels);
  CHECK(stream.size() == 3);
  CHECK(stream.columns()[0] == tl::data::column_of<float>("image", {1, 2}));
  CHECK(test::column_of<float>(stream, "image", {1, 0}) == std::vector<float>{0.3f, 0.4f, 0.1f, 0.2f});
  CHECK_THROWS_AS(test::column_of<float>(stream, "image", {2}), std::out_of_range);
  folder.write("b/1", "\5\6");
  CHECK(test::column_of<float>(stream, "image", {2}) == std::vector<float>{0.5f, 0.6f});
  CHECK(test::all_of<std::int32_t>(stream, "label") == std::vector<std::int32_t>{0, 0, 1});
}

TEST_CASE("folders without images are named, and what the reader throws goes through", "[data]") {
  const test::temporary_folder folder;
  const auto error = [&] { return test::error_of([&] { tl::data::list_files(folder.path(), {".raw"}); }); };
  CHECK(test::missing_in(test::error_of([&] { tl::data::list_files(folder.path("no")); }),
                         {"cannot read the folder " + folder.path("no") + ": No such"}) == "");
  CHECK(test::missing_in(error(), {folder.path() + ": expected a folder for each class, found none"}) == "");
  std::filesystem::create_directory(folder.path("cats"));
  folder.write("cats/a.png", "");
  CHECK(test::missing_in(error(), {folder.path("cats") + ": expected files of the class, found none"}) == "");
  CHECK_THROWS_AS(tl::data::image_folder<float>(folder.path(), {2}, read_pixels), std::out_of_range);
  CHECK(test::missing_in(
            test::error_of([&] { tl::data::image_folder<float>(folder.path(), {0}, read_pixels); }),
            {"a shape with elements, found 1 files and [0]"}) == "");
}
