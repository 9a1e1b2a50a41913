// SPDX-License-Identifier: BSL-1.0
// Checksums by published values, and records byte by byte.
#include <tapeless/io/tensorboard_event.hpp>

#include "catch.hpp"

namespace io = tapeless::io;

TEST_CASE("CRC-32C has the values of RFC 3720") {
  CHECK(io::crc32c("") == 0);
  CHECK(io::crc32c("123456789") == 0xe3069283u);
  CHECK(io::crc32c(std::string(32, '\0')) == 0x8a9136aau);
  CHECK(io::crc32c(std::string(32, '\xff')) == 0x62a8ab43u);
  std::string rising;
  for (char c = 0; c < 32; ++c) rising += c;
  CHECK(io::crc32c(rising) == 0x46dd794eu);
}

TEST_CASE("a record has its length, its bytes, and a checksum of each") {
  // python3 -c "from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import masked_crc32c as m;
  //             n = (3).to_bytes(8, 'little'); print(hex(m(n)), hex(m(b'abc')))"
  const std::string record = io::tfrecord("abc");
  CHECK(record == std::string("\x03\0\0\0\0\0\0\0\xb0\x99\x49\x0e"
                              "abc"
                              "\x6e\x57\xf1\x21",
                              19));
}

TEST_CASE("a scalar is an event with the time, the step and a summary of one value") {
  const std::string record = io::tensorboard_scalar(2.5, 300, "loss", 0.5);
  const std::string event(
      "\x09\0\0\0\0\0\0\x04\x40"     // 1: wall_time, double 2.5
      "\x10\xac\x02"                 // 2: step, varint 300
      "\x2a\x0d"                     // 5: summary of 13 bytes
      "\x0a\x0b"                     // 1: value of 11 bytes
      "\x0a\x04loss\x15\0\0\0\x3f",  // 1: tag, 2: simple_value, float 0.5
      27);
  CHECK(record == io::tfrecord(event));
}
