// SPDX-License-Identifier: BSL-1.0
// draw_mnist FOLDER: writes drawn digits as the four files of MNIST, for programs that read those where there
// are none.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "digits/digits.hpp"

namespace {

/// The header of an IDX file of bytes: a magic number, and the extents, the highest byte first.
std::string header(std::initializer_list<std::uint32_t> extents) {
  std::string bytes{0, 0, 8, static_cast<char>(extents.size())};
  for (const std::uint32_t extent : extents)
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(extent >> shift & 255);
  return bytes;
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) throw tapeless::error({"cannot write ", path.string()});
}

void write_set(const std::filesystem::path& folder, const std::string& name, std::uint32_t count,
               std::uint64_t seed) {
  std::string images = header({count, digits::side, digits::side}), labels = header({count});
  digits::generator seeds{seed};
  std::array<std::uint8_t, digits::area> pixels{};
  for (std::uint32_t i = 0; i < count; ++i) {
    labels += static_cast<char>(digits::draw_one(i, seeds(), pixels));
    images.append(pixels.begin(), pixels.end());
  }
  write(folder / (name + "-images-idx3-ubyte"), images);
  write(folder / (name + "-labels-idx1-ubyte"), labels);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return std::cerr << "draw_mnist FOLDER\n", 2;
  std::filesystem::create_directories(argv[1]);
  write_set(argv[1], "train", 40'000, 1);
  write_set(argv[1], "t10k", 4'000, 2);
} catch (const std::exception& e) {
  return std::cerr << e.what() << '\n', 1;
}
