// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/cifar10.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#if defined(__linux__)
#include <sys/inotify.h>
#include <unistd.h>
#endif

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;

namespace {

// An image whose three planes have one value each.
std::string record(char label, char red, char green, char blue) {
  return std::string(1, label) + std::string(1024, red) + std::string(1024, green) + std::string(1024, blue);
}

// Two images in the first file for training, one in each of the others, one for tests.
void write_small_cifar10(const test::temporary_folder& folder, const std::string& below = "") {
  folder.write(below + "data_batch_1.bin", record(1, 2, 3, 4) + record(9, '\xff', 0, 5));
  for (char i = 2; i <= 5; ++i)
    folder.write(below + "data_batch_" + std::to_string(i) + ".bin", record(i, i, i, i));
  folder.write(below + "test_batch.bin", record(7, 10, 20, 30));
}

void check_small_cifar10(const std::string& path) {
  const auto [train, test] = tl::data::cifar10(path);
  REQUIRE(train.size() == 6);
  REQUIRE(test.size() == 1);
  CHECK(train.column("image").sample_shape == std::vector<std::int64_t>{3, 32, 32});
  CHECK(train.column("label").sample_shape.empty());
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 6; ++i) labels.push_back(train.column("label").sample<std::int32_t>(i)[0]);
  CHECK(labels == std::vector<std::int32_t>{1, 9, 2, 3, 4, 5});
  const auto second = train.column("image").sample<std::uint8_t>(1);
  CHECK(second[0] == 255);
  CHECK(second[1023] == 255);
  CHECK(second[1024] == 0);
  CHECK(second[2048] == 5);
  CHECK(train.column("image").sample<std::uint8_t>(5)[3071] == 5);
  CHECK(test.column("image").sample<std::uint8_t>(0)[1024] == 20);
  CHECK(test.column("label").sample<std::int32_t>(0)[0] == 7);
}

}  // namespace

TEST_CASE("the six files of CIFAR-10 become two datasets", "[data]") {
  const test::temporary_folder folder;
  SECTION("in the folder itself") {
    write_small_cifar10(folder);
    check_small_cifar10(folder.path());
  }
  SECTION("in the folder as it is unpacked") {
    std::filesystem::create_directory(folder.path("cifar-10-batches-bin"));
    write_small_cifar10(folder, "cifar-10-batches-bin/");
    check_small_cifar10(folder.path());
    check_small_cifar10(folder.path("cifar-10-batches-bin"));
  }
}

TEST_CASE("files that are not CIFAR-10 are named", "[data]") {
  const test::temporary_folder folder;
  write_small_cifar10(folder);
  const auto message = [&] { return test::error_of([&] { tl::data::cifar10(folder.path()); }); };
  SECTION("a missing file") {
    std::filesystem::remove(folder.path("data_batch_4.bin"));
    CHECK(test::missing_in(message(), {"cannot open " + folder.path("data_batch_4.bin")}) == "");
  }
  SECTION("an empty file") {
    const std::string path = folder.write("test_batch.bin", "");
    CHECK(test::missing_in(message(), {path + " is empty"}) == "");
  }
  SECTION("a truncated file") {
    const std::string two = record(1, 1, 1, 1) + record(2, 2, 2, 2);
    const std::string path = folder.write("data_batch_2.bin", two.substr(0, 3074));
    CHECK(test::missing_in(message(), {path + ": expected records of 3073 bytes", "found 3074 bytes",
                                       "1 records and 1 bytes of another"}) == "");
  }
  SECTION("a label above nine") {
    const std::string path = folder.write("data_batch_5.bin", record(0, 1, 2, 3) + record('\xff', 1, 2, 3));
    CHECK(test::missing_in(message(), {path + ": expected labels from 0 to 9, found 255 in record 1"}) == "");
  }
}

#if defined(__linux__)

TEST_CASE("each file of CIFAR-10 is opened once", "[data]") {
  const test::temporary_folder folder;
  write_small_cifar10(folder);
  const int watch = ::inotify_init1(IN_NONBLOCK);
  REQUIRE(watch >= 0);
  // equal events in a row would count as one
  REQUIRE(::inotify_add_watch(watch, folder.path().c_str(), IN_OPEN | IN_CLOSE) >= 0);
  tl::data::cifar10(folder.path());
  alignas(inotify_event) char events[8192];
  const ssize_t size = ::read(watch, events, sizeof events);
  ::close(watch);
  int count = 0;
  for (ssize_t at = 0; at < size;) {
    const auto* event = reinterpret_cast<const inotify_event*>(events + at);
    count += (event->mask & IN_OPEN) != 0 ? 1 : 0;
    at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
  }
  CHECK(count == 6);
}

#endif
