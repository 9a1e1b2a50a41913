// SPDX-License-Identifier: BSL-1.0
// Messages in the wire format of Protocol Buffers, as ONNX and TensorBoard files hold them:
// https://protobuf.dev/programming-guides/encoding. Fields are known by their numbers; nothing is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/byte_stream.hpp>

namespace tapeless::io {

/// A message, field after field in the order in which they are added; a repeated field is added several
/// times.
class protobuf_message {
 public:
  /// The encoded message.
  const std::string& bytes() const { return bytes_; }
  bool empty() const { return bytes_.empty(); }

  /// int32, int64, bool or an enumeration.
  TAPELESS_COLD void add_integer(int field, std::int64_t x) {
    append_tag(field, 0);
    append_varint(static_cast<std::uint64_t>(x));
  }
  /// float
  TAPELESS_COLD void add_float(int field, float x) {
    append_tag(field, 5);
    append_little(bytes_, x);
  }
  /// double
  TAPELESS_COLD void add_double(int field, double x) {
    append_tag(field, 1);
    append_little(bytes_, x);
  }
  /// string or bytes
  TAPELESS_COLD void add_text(int field, std::string_view text) {
    announce(field, text.size());
    bytes_.append(text);
  }
  /// A message in the message.
  TAPELESS_COLD void add_message(int field, const protobuf_message& inner) { add_text(field, inner.bytes_); }
  /// The fields of a message of the same kind.
  void append(const protobuf_message& more) { bytes_.append(more.bytes_); }
  /// The beginning of a string, bytes or a message, whose bytes of that number the caller appends, or writes
  /// behind what is here.
  TAPELESS_COLD void announce(int field, std::uint64_t size) {
    append_tag(field, 2);
    append_varint(size);
  }

 private:
  std::string bytes_;

  void append_tag(int field, unsigned wire_type) {
    append_varint(static_cast<std::uint64_t>(field) << 3 | wire_type);
  }
  // Seven bits a byte, the lowest first; all but the last byte have the eighth.
  void append_varint(std::uint64_t x) {
    for (; x >= 0x80; x >>= 7) bytes_ += static_cast<char>(x | 0x80);
    bytes_ += static_cast<char>(x);
  }
};

}  // namespace tapeless::io
