// SPDX-License-Identifier: BSL-1.0
// What the program is told on its command line.
#pragma once

#include <tapeless/error.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace speedrun {

struct arguments {
  std::string folder;           ///< of CIFAR-10's files; empty: the program draws its images
  std::int64_t width = 64;      ///< channels of the first block: 64 or 8
  std::int64_t epochs = 12;     ///< passes over the images
  std::int64_t batch = 1000;    ///< images in one step
  std::int64_t images = 50000;  ///< to train on
  double goal = 94;             ///< per cent of the test images
};

/// The arguments; throws tl::error with the one that is not known or has no number.
inline arguments parse(int argc, char** argv) {
  arguments result;
  int i = 1;
  const auto number = [&] {
    const char* name = argv[i++];
    char* end = nullptr;
    const long long value = i < argc ? std::strtoll(argv[i], &end, 10) : 0;
    if (value < 1 || *end != '\0')
      throw tapeless::error({name, ": expected a number from 1 on, found ", i < argc ? argv[i] : "nothing"});
    return value;
  };
  for (; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--width") {
      result.width = number();
    } else if (name == "--epochs") {
      result.epochs = number();
    } else if (name == "--batch") {
      result.batch = number();
    } else if (name == "--images") {
      result.images = number();
    } else if (name == "--goal") {
      result.goal = static_cast<double>(number());
    } else if (name.starts_with("--") || !result.folder.empty()) {
      throw tapeless::error({"there is no argument ", name});
    } else {
      result.folder = name;
    }
  }
  if (result.width != 64 && result.width != 8)
    throw tapeless::error({"--width: expected 64 or 8, found ", result.width});
  return result;
}

}  // namespace speedrun
