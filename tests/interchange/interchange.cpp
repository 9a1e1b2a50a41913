// SPDX-License-Identifier: BSL-1.0
// Reads what another library has written, and writes the same again for that to read:
//   interchange npy|npz|gguf FROM TO
//   interchange csv FROM TO            the classes in column "text", one after the other, behind their
//   lengths
#include <tapeless/data/csv.hpp>
#include <tapeless/io/gguf.hpp>
#include <tapeless/io/npz.hpp>

#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace tl = tapeless;

int main(int argc, char** argv) try {
  if (argc != 4) return 2;
  const std::string_view format = argv[1];
  const std::string from = argv[2], to = argv[3];
  if (format == "npy") tl::io::write_npy(to, tl::io::read_npy(from));
  if (format == "npz") {
    const auto file = tl::io::npz::read(from);
    tl::io::write_npz(to, file.entries());
  }
  if (format == "gguf") {
    const auto file = tl::io::gguf::read(from);
    auto metadata = file.metadata();
    metadata.erase("general.alignment");
    tl::io::write_gguf(to, file.entries(), metadata);
  }
  if (format == "csv") {
    const auto [set, names] = tl::data::csv(from, {{.name = "text", .classes = true}}, {.missing = {}});
    std::string all;
    for (std::int64_t i = 0; i < set.size(); ++i) {
      const auto number = set.column("text").sample<std::int32_t>(i)[0];
      const std::string& name = names.at("text")[static_cast<std::size_t>(number)];
      tl::append(all, {name.size(), ":", name});
    }
    const tl::array_view<const std::byte> pieces[] = {
        {reinterpret_cast<const std::byte*>(all.data()), all.size()}};
    tl::io::write_file_atomically(to, pieces);
  }
  return 0;
} catch (const tl::error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
