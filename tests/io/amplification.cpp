// SPDX-License-Identifier: BSL-1.0
// How much memory readers take for files that were made to cost much.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include <tapeless/data/csv.hpp>
#include <tapeless/data/idx.hpp>
#include <tapeless/data/mnist.hpp>
#include <tapeless/io/gguf.hpp>
#include <tapeless/io/npz.hpp>
#include <tapeless/io/safetensors.hpp>
#include <tapeless/io/safetensors_header.hpp>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;

namespace {

std::size_t in_use = 0, most_in_use = 0;

constexpr std::size_t before_block = alignof(std::max_align_t);

void* counted(std::size_t size, std::size_t alignment) {
  const std::size_t offset = std::max(alignment, before_block);
  auto* block =
      static_cast<std::byte*>(std::aligned_alloc(offset, (size + 2 * offset - 1) / offset * offset));
  if (block == nullptr) throw std::bad_alloc();
  *reinterpret_cast<std::size_t*>(block + offset - before_block) = size;
  in_use += size;
  most_in_use = std::max(most_in_use, in_use);
  return block + offset;
}

void release(void* memory, std::size_t alignment) {
  if (memory == nullptr) return;
  auto* block = static_cast<std::byte*>(memory);
  in_use -= *reinterpret_cast<std::size_t*>(block - before_block);
  std::free(block - std::max(alignment, before_block));
}

}  // namespace

void* operator new(std::size_t size) { return counted(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size) { return counted(size, 1); }
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(size, 1); }
void operator delete(void* memory) noexcept { release(memory, 1); }
void operator delete(void* memory, std::size_t) noexcept { release(memory, 1); }
void operator delete(void* memory, std::align_val_t alignment) noexcept {
  release(memory, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory, std::size_t, std::align_val_t alignment) noexcept {
  release(memory, static_cast<std::size_t>(alignment));
}
void operator delete[](void* memory) noexcept { release(memory, 1); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory, 1); }
void operator delete[](void* memory, std::align_val_t alignment) noexcept {
  release(memory, static_cast<std::size_t>(alignment));
}
void operator delete[](void* memory, std::size_t, std::align_val_t alignment) noexcept {
  release(memory, static_cast<std::size_t>(alignment));
}

namespace {

/// The most memory that `read` has at a time, beyond what there was before.
template <class Read>
std::size_t memory_of(Read read) {
  const std::size_t before = most_in_use = in_use;
  try {
    read();
  } catch (const tl::error&) {
  }
  return most_in_use - before;
}

/// `piece` again and again, with its number in the place of '#', up to a megabyte.
std::string repeated(const std::string& piece) {
  std::string text;
  for (int i = 0; text.size() < 1'000'000; ++i)
    for (const char c : piece) text += c == '#' ? std::to_string(i) : std::string(1, c);
  text.pop_back();  // the comma
  return text;
}

}  // namespace

TEST_CASE("a header takes a small multiple of its own size", "[io]") {
  const std::string zeros = repeated("0,"), empty = R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  const std::string headers[] = {
      R"({"a":{"dtype":"U8","shape":[)" + zeros + "]}}",
      R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[)" + zeros + "]}}",
      R"({"a":{"later":[)" + zeros + "]}}",
      R"({"a":{"later":[)" + repeated("[],") + "]}}",
      R"({"a":{"later":{)" + repeated("\"#\":{},") + "}}}",
      R"({"a":{)" + repeated("\"#\":0,") + "}}",
      R"({"a":{)" + repeated("\"\":0,") + "}}",
      "{" + repeated("\"#\":0,") + "}",
      "[" + zeros + "]",
      "{" + repeated("\"#\":{},") + "}",
      "{" + repeated("\"#\":" + empty + ",") + "}",
      "{" + repeated("\"\":" + empty + ",") + "}",
      R"({"__metadata__":{)" + repeated("\"#\":\"\",") + "}}",
      R"({"__metadata__":{)" + repeated("\"\":\"\",") + "}}",
      R"({"__metadata__":[)" + zeros + "]}",
      "{\"" + std::string(1'000'000, 'a') + "\":0}",
  };
  for (const std::string& header : headers) {
    CAPTURE(header.substr(0, 60));
    CHECK(memory_of([&] { tl::io::parse_safetensors_header(header, 0, "file"); }) <= 16 * header.size());
  }
}

TEST_CASE("a length takes no memory before there are as many bytes", "[io]") {
  const test::temporary_folder folder;
  const auto memory_for = [&](const std::string& bytes) {
    const std::string path = folder.write("file", bytes);
    return memory_of([&] { tl::io::safetensors::read(path); });
  };
  constexpr std::size_t little = 1 << 16;
  CHECK(memory_for(std::string("\0\xe1\xf5\5\0\0\0\0{}", 10)) < little);  // a header of 99 MB
  const std::string header =
      R"({"a":{"dtype":"U8","shape":[1000000000000],"data_offsets":[0,1000000000000]}})";
  CHECK(memory_for(std::string{static_cast<char>(header.size()), 0, 0, 0, 0, 0, 0, 0} + header) < little);
}

TEST_CASE("GGUF, NPZ and CSV files take a small multiple of their own size", "[io]") {
  const test::temporary_folder folder;
  const auto check = [&](const std::string& bytes, auto read, std::size_t factor = 16) {
    const std::string path = folder.write("file", bytes);
    CAPTURE(bytes.substr(0, 60));
    CHECK(memory_of([&] { read(path); }) <= factor * bytes.size());
  };
  const auto little = [](std::uint64_t number, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> 8 * i & 0xff);
    return text;
  };
  const auto begin = [&](std::uint64_t tensors, std::uint64_t keys) {
    return "GGUF" + little(3, 4) + little(tensors, 8) + little(keys, 8);
  };
  constexpr std::uint64_t count = 30'000;
  std::string keys, tensors, members;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string name = little(i + 0x20202020, 4);  // not all of them are UTF-8
    keys += little(4, 8) + name + little(0, 4) + "x";
    tensors += little(4, 8) + name + little(1, 4) + little(0, 8) + little(0, 4) + little(0, 8);
    members += "PK\1\2" + std::string(24, '\0') + little(8, 2) + std::string(16, '\0') + name + ".npy";
  }
  const auto gguf = [](const std::string& path) { tl::io::gguf::read(path); };
  check(begin(0, count) + keys, gguf);
  check(begin(count, 0) + tensors, gguf);
  check(begin(0, 1) + little(1, 8) + "k" + little(9, 4) + little(8, 4) + little(100'000, 8) +
            std::string(800'000, '\0'),
        gguf);
  check(begin(0, 1) + little(1, 8) + "k" + little(9, 4) + little(10, 4) + little(1'000'000'000, 8) +
            std::string(1000, '\0'),
        gguf);
  const std::string blocks = begin(1, 0) + little(1, 8) + "a" + little(1, 4) + little(256'000, 8) +
                             little(10, 4) + little(0, 8) + std::string(7 + 84'000, '\0');
  check(blocks, gguf);  // of 84 bytes each, which become 256 floats
  CHECK(tl::io::gguf::read(folder.write("file", blocks)).size() == 1);
  const auto npz = [](const std::string& path) { tl::io::npz::read(path); };
  const std::string end = "PK\5\6" + little(0, 4) + little(count, 2) + little(count, 2) +
                          little(members.size(), 4) + little(30, 4) + little(0, 2);
  check(std::string(30, 'x') + members + end, npz);
  const auto csv = [](const std::string& path) { tl::data::csv(path, {{.name = "a", .classes = true}}); };
  check(std::string(1'000'000, ','), csv);
  check("a\n" + repeated("#\n"), csv, 32);  // each class has its place in a tree
  check("a\n\"" + std::string(1'000'000, '\n'), csv);
}

TEST_CASE("an IDX file takes memory as its bytes come", "[io]") {
  const test::temporary_folder folder;
  const std::string shape("\0\0\x08\1\x7f\xff\xff\xff", 8), path = folder.write("file", shape + "few");
  CHECK(memory_of([&] { tl::data::read_idx(path, 1); }) < 1 << 18);
}

#if defined(TAPELESS_HAS_ZLIB)

TEST_CASE("a compressed file takes no memory for what its header rules out", "[io]") {
  const test::temporary_folder folder;
  constexpr std::size_t little = 1 << 20;  // zlib's own and blocks
  const auto write = [&](const char* name, const std::string& header) {
    gzFile file = gzopen(folder.path(name).c_str(), "wb1");
    gzwrite(file, header.data(), static_cast<unsigned>(header.size()));
    const std::string zeros(1 << 20, '\0');
    for (int i = 0; i < 16; ++i) gzwrite(file, zeros.data(), 1 << 20);
    gzclose(file);
  };
  SECTION("that there are only a few") {
    write("file.gz", std::string("\0\0\x08\1\0\0\0\5", 8));
    CHECK(memory_of([&] { tl::data::read_idx(folder.path("file"), 1); }) < little);
  }
  SECTION("that there are far more than the file can hold") {
    write("file.gz", std::string("\0\0\x08\1\xff\xff\xff\xff", 8));
    CHECK(memory_of([&] { tl::data::read_idx(folder.path("file"), 1); }) < little);
  }
  SECTION("images that are none of MNIST's") {
    write("train-images-idx3-ubyte.gz", std::string("\0\0\x08\3\0\0\0\1\0\0\x10\0\0\0\x10\0", 16));
    CHECK(memory_of([&] { tl::data::mnist(folder.path()); }) < little);
  }
  SECTION("more labels than images") {
    write("train-images-idx3-ubyte.gz", std::string("\0\0\x08\3\0\0\0\1\0\0\0\x1c\0\0\0\x1c", 16));
    write("train-labels-idx1-ubyte.gz", std::string("\0\0\x08\1\1\0\0\0", 8));
    CHECK(memory_of([&] { tl::data::mnist(folder.path()); }) < little);
  }
}

#endif
