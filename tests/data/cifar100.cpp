// SPDX-License-Identifier: BSL-1.0
#include <tapeless/data/cifar100.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;

namespace {

// An image whose three planes have one value each.
std::string record(char coarse, char fine, char red, char green, char blue) {
  return std::string{coarse, fine} + std::string(1024, red) + std::string(1024, green) +
         std::string(1024, blue);
}

void check_small_cifar100(const std::string& path) {
  const auto [train, test] = tl::data::cifar100(path);
  REQUIRE(train.size() == 2);
  REQUIRE(test.size() == 1);
  CHECK(train.column("image").sample_shape == std::vector<std::int64_t>{3, 32, 32});
  CHECK(train.column("label").sample<std::int32_t>(1)[0] == 99);
  CHECK(train.column("coarse_label").sample<std::int32_t>(1)[0] == 19);
  const auto second = train.column("image").sample<std::uint8_t>(1);
  CHECK(second[0] == 255);
  CHECK(second[1023] == 255);
  CHECK(second[1024] == 0);
  CHECK(second[2048] == 5);
  CHECK(test.column("label").sample<std::int32_t>(0)[0] == 7);
  CHECK(test.column("coarse_label").sample<std::int32_t>(0)[0] == 6);
}

}  // namespace

TEST_CASE("the two files of CIFAR-100 become two datasets", "[data]") {
  const test::temporary_folder folder;
  std::filesystem::create_directory(folder.path("cifar-100-binary"));
  for (const std::string below : {"", "cifar-100-binary/"}) {
    folder.write(below + "train.bin", record(1, 2, 3, 4, 5) + record(19, 99, '\xff', 0, 5));
    folder.write(below + "test.bin", record(6, 7, 10, 20, 30));
  }
  check_small_cifar100(folder.path());
  check_small_cifar100(folder.path("cifar-100-binary"));
  std::filesystem::remove_all(folder.path("cifar-100-binary"));
  check_small_cifar100(folder.path());
}

TEST_CASE("files that are not CIFAR-100 are named", "[data]") {
  const test::temporary_folder folder;
  const std::string train = folder.write("train.bin", record(1, 2, 3, 4, 5));
  const auto message = [&] { return test::error_of([&] { tl::data::cifar100(folder.path()); }); };
  CHECK(test::missing_in(message(), {"cannot open " + folder.path("test.bin")}) == "");
  const std::string path = folder.write("test.bin", record(1, 2, 3, 4, 5).substr(0, 3073));
  CHECK(test::missing_in(
            message(), {path + ": expected records of 3074 bytes, two labels", "0 records and 3073"}) == "");
  folder.write("test.bin", record(0, 0, 0, 0, 0) + record(20, 0, 0, 0, 0));
  CHECK(test::missing_in(message(), {path + ": expected labels from 0 to 19, found 20 in record 1"}) == "");
  folder.write("test.bin", record(0, 100, 0, 0, 0));
  CHECK(test::missing_in(message(), {path + ": expected labels from 0 to 99, found 100 in record 0"}) == "");
}
