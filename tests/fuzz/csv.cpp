// SPDX-License-Identifier: BSL-1.0
#include <string>

#include <tapeless/data/csv.hpp>

#include "input_file.hpp"

namespace data = tapeless::data;

// The first byte says what is made of the columns.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string path = fuzz::input_file("file", bytes + 1, size - 1);
  const int kind = bytes[0];
  fuzz::accepts([&] {
    const data::csv_options options{.separator = kind & 1 ? ';' : ',', .missing = {"", "NA"}};
    data::csv_input first{.name = "x", .from = {"a*"}};
    if (kind & 2) first.type = tapeless::element::i64;
    if (kind & 4) first.missing = 0;
    const data::csv_input second{.name = "y", .from = {"c"}, .classes = true};
    std::vector<data::csv_input> inputs{first};
    if (kind & 8) inputs.push_back(second);
    const auto [set, class_names] = data::csv(path, inputs, options);
    fuzz::require(set.size() > 0 && set.size() < static_cast<std::int64_t>(size));
    if (!(kind & 8)) return;
    const auto count = static_cast<std::int32_t>(class_names.at("y").size());
    for (std::int64_t i = 0; i < set.size(); ++i) {
      const std::int32_t number = set.column("y").sample<std::int32_t>(i)[0];
      fuzz::require(number >= 0 && number < count);
    }
  });
  return 0;
}
