// SPDX-License-Identifier: BSL-1.0
// What a test sees of an ONNX file: its nodes, initializers, inputs and outputs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace test {

struct protobuf_field {
  int number = 0;
  std::uint64_t integer = 0;
  std::string_view bytes;
};

/// The fields of a message of integers, floats and bytes.
inline std::vector<protobuf_field> fields_of(std::string_view m) {
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint64_t x = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(m.at(at++));
      x |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return x;
    }
  };
  std::vector<protobuf_field> all;
  while (at < m.size()) {
    const std::uint64_t tag = varint();
    protobuf_field f{static_cast<int>(tag >> 3), 0, {}};
    switch (tag & 7) {
      case 0:
        f.integer = varint();
        break;
      case 2:
        f.integer = varint();
        f.bytes = m.substr(at, f.integer);
        at += f.integer;
        break;
      default:
        at += (tag & 7) == 1 ? 8 : 4;
    }
    all.push_back(f);
  }
  return all;
}

inline std::string_view bytes_of_field(std::string_view m, int number) {
  for (const protobuf_field& f : fields_of(m))
    if (f.number == number) return f.bytes;
  return {};
}
inline std::uint64_t integer_of_field(std::string_view m, int number) {
  for (const protobuf_field& f : fields_of(m))
    if (f.number == number) return f.integer;
  return 0;
}

struct onnx_file {
  std::string bytes;
  std::string operators;                     // in order: "Gemm Relu Gemm"
  std::vector<std::string> inputs, outputs;  // "x[batch, 4]"
  std::vector<std::string> initializers;     // their names
  std::vector<std::string_view> elements;    // their bytes
  std::uint64_t opset = 0;

  explicit onnx_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    opset = integer_of_field(bytes_of_field(bytes, 8), 2);
    for (const protobuf_field& f : fields_of(bytes_of_field(bytes, 7))) {
      if (f.number == 1)
        operators += (operators.empty() ? "" : " ") + std::string(bytes_of_field(f.bytes, 4));
      if (f.number == 5) initializers.emplace_back(bytes_of_field(f.bytes, 8));
      if (f.number == 5) elements.push_back(bytes_of_field(f.bytes, 9));
      if (f.number == 11) inputs.push_back(value_text(f.bytes));
      if (f.number == 12) outputs.push_back(value_text(f.bytes));
    }
  }
  onnx_file(const onnx_file&) = delete;

  /// How many nodes of the graph are of that operator.
  int count(std::string_view op) const {
    int found = 0;
    std::string_view rest = operators;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      found += rest.substr(0, end) == op ? 1 : 0;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return found;
  }

 private:
  static std::string value_text(std::string_view value) {
    std::string text(bytes_of_field(value, 1));
    const std::string_view shape = bytes_of_field(bytes_of_field(bytes_of_field(value, 2), 1), 2);
    text += "[";
    for (const protobuf_field& extent : fields_of(shape)) {
      if (text.back() != '[') text += ", ";
      const std::string_view symbol = bytes_of_field(extent.bytes, 2);
      text += symbol.empty() ? std::to_string(integer_of_field(extent.bytes, 1)) : std::string(symbol);
    }
    return text + "]";
  }
};

}  // namespace test
