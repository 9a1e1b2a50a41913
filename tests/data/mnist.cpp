// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/mnist.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;

namespace {

// An IDX file of bytes with extents below 256.
std::string idx(const std::vector<int>& shape, const std::string& values) {
  std::string bytes("\0\0\x08", 3);
  bytes += static_cast<char>(shape.size());
  for (const int extent : shape) bytes += std::string(3, '\0') + static_cast<char>(extent);
  return bytes + values;
}

// Two images for training, one for tests.
void write_small_mnist(const test::temporary_folder& folder) {
  const std::string black(784, '\0'), white(784, '\xff');
  folder.write("train-images-idx3-ubyte", idx({2, 28, 28}, black + white));
  folder.write("train-labels-idx1-ubyte", idx({2}, std::string("\0\x09", 2)));
  folder.write("t10k-images-idx3-ubyte", idx({1, 28, 28}, std::string(784, '\x33')));
  folder.write("t10k-labels-idx1-ubyte", idx({1}, "\4"));
}

}  // namespace

TEST_CASE("the four files of MNIST become two datasets", "[data]") {
  const test::temporary_folder folder;
  write_small_mnist(folder);
  const auto [train, test] = tl::data::mnist(folder.path());
  CHECK(train.size() == 2);
  CHECK(test.size() == 1);
  CHECK(train.column("image").sample_shape == std::vector<std::int64_t>{1, 28, 28});
  CHECK(train.column("image").sample<float>(0)[0] == 0.0f);
  CHECK(train.column("image").sample<float>(1)[783] == 1.0f);
  CHECK(test.column("image").sample<float>(0)[300] == 51.0f / 255.0f);
  CHECK(train.column("label").sample_shape.empty());
  CHECK(train.column("label").sample<std::int32_t>(1)[0] == 9);
  CHECK(test.column("label").sample<std::int32_t>(0)[0] == 4);
}

TEST_CASE("files that are not MNIST are named", "[data]") {
  const test::temporary_folder folder;
  write_small_mnist(folder);
  const auto message = [&] { return test::error_of([&] { tl::data::mnist(folder.path()); }); };
  SECTION("images of another size") {
    const std::string path = folder.write("t10k-images-idx3-ubyte", idx({1, 2, 2}, "1234"));
    CHECK(test::missing_in(message(), {path + ": expected images of 28 x 28, found shape [1, 2, 2]"}) == "");
  }
  SECTION("a label above nine") {
    const std::string path = folder.write("train-labels-idx1-ubyte", idx({2}, "\x01\x0a"));
    CHECK(test::missing_in(message(), {path + ": expected labels from 0 to 9, found 10 at 1"}) == "");
  }
  SECTION("more labels than images") {
    const std::string path = folder.write("t10k-labels-idx1-ubyte", idx({3}, "\1\2\3"));
    CHECK(test::missing_in(message(), {path + ": expected 1 labels", "t10k-images", "found 3"}) == "");
  }
  SECTION("by their headers, before anything is unpacked") {
    std::string path = folder.write("t10k-images-idx3-ubyte", idx({1, 28, 29}, std::string(800, 1)));
    CHECK(test::missing_in(message(), {path + ": expected images of 28 x 28, found shape [1, 28, 29]"}) ==
          "");
    write_small_mnist(folder);
    path = folder.write("t10k-labels-idx1-ubyte", idx({7}, "\1\2\3\4\5\6"));
    CHECK(test::missing_in(message(), {path + ": expected 1 labels", "t10k-images", "found 7"}) == "");
  }
  SECTION("labels and images exchanged") {
    const std::string path = folder.write("train-images-idx3-ubyte", idx({2}, "\1\2"));
    CHECK(test::missing_in(message(), {path + ": expected IDX bytes of rank 3", "rank 1"}) == "");
  }
}

#if defined(TAPELESS_HAS_ZLIB)

TEST_CASE("MNIST itself is read from its compressed files", "[data]") {
  const std::string shared = test::folder_from("TAPELESS_DATA_DIR");
  if (shared.empty()) {
    WARN("TAPELESS_DATA_DIR is not set: MNIST was not read");
    return;
  }
  const auto [train, test] = tl::data::mnist(shared + "/mnist");
  CHECK(train.size() == 60000);
  CHECK(test.size() == 10000);
  std::vector<std::int32_t> first_labels;
  for (int i = 0; i < 5; ++i) first_labels.push_back(train.column("label").sample<std::int32_t>(i)[0]);
  CHECK(first_labels == std::vector<std::int32_t>{5, 0, 4, 1, 9});
  double sum = 0;
  for (std::int64_t i = 0; i < train.size(); ++i) {
    for (const float pixel : train.column("image").sample<float>(i)) sum += static_cast<double>(pixel);
  }
  CHECK(std::abs(sum / (60000.0 * 784) - 0.13066) < 1e-5);
}

#endif
