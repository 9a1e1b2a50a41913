// SPDX-License-Identifier: BSL-1.0
// Events in TensorBoard's files: messages of Protocol Buffers in records of TensorFlow.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/byte_stream.hpp>
#include <tapeless/io/crc32c.hpp>
#include <tapeless/io/protobuf.hpp>

namespace tapeless::io {

/// The bytes as a record of a TFRecord file: their number (8 bytes, the lowest first), its checksum, the
/// bytes, their checksum. A checksum is CRC-32C, rotated and moved, since records may hold checksums
/// themselves (tensorflow/core/lib/hash/crc32c.h).
TAPELESS_COLD inline std::string tfrecord(std::string_view bytes) {
  std::string record;
  const auto append_checksum = [&](std::string_view of) {
    const std::uint32_t crc = crc32c(of);
    append_little(record, (crc >> 15 | crc << 17) + 0xa282ead8u);
  };
  append_little(record, std::uint64_t{bytes.size()});
  append_checksum(record);
  record += bytes;
  append_checksum(bytes);
  return record;
}

/// The beginning of an event (tensorflow/core/util/event.proto): when it was, in seconds since 1970, and at
/// which step.
TAPELESS_COLD inline protobuf_message tensorboard_event(double wall_time, std::int64_t step) {
  protobuf_message event;
  event.add_double(1, wall_time);
  event.add_integer(2, step);
  return event;
}

/// What a file begins with: the format's version, and that a run starts at this step, so that what an
/// interrupted one has written of it and later ones does not count.
TAPELESS_COLD inline std::string tensorboard_beginning(double wall_time, std::int64_t step) {
  protobuf_message version = tensorboard_event(wall_time, 0), start = tensorboard_event(wall_time, step);
  version.add_text(3, "brain.Event:2");
  protobuf_message session;
  session.add_integer(1, 1);  // SessionLog.START
  start.add_message(7, session);
  return tfrecord(version.bytes()) + tfrecord(start.bytes());
}

/// A number with a name at a step, as a record: an event whose Summary has one value.
TAPELESS_COLD inline std::string tensorboard_scalar(double wall_time, std::int64_t step, std::string_view tag,
                                                    double number) {
  protobuf_message value, summary, event = tensorboard_event(wall_time, step);
  value.add_text(1, tag);
  value.add_float(2, static_cast<float>(number));
  summary.add_message(1, value);
  event.add_message(5, summary);
  return tfrecord(event.bytes());
}

}  // namespace tapeless::io
