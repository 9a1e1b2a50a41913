// SPDX-License-Identifier: BSL-1.0
// Folders that files go to.
#pragma once

#include <cerrno>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/stat.h>
#else
#include <filesystem>
#endif

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/platform.hpp>

namespace tapeless::io {

/// Makes the folder at `path`, and those above it, where they are not there. Throws tl::error with the path
/// and the system's reason.
TAPELESS_COLD inline void make_folder(const std::string& path) {
  platform::require_name(path);
#if defined(__unix__) || defined(__APPLE__)
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (::mkdir(part.c_str(), 0777) != 0) {
      const int code = errno;  // stat changes it
      struct stat status = {};
      if (::stat(part.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
        platform::fail("make the folder", part, code == EEXIST ? ENOTDIR : code);
    }
    if (end == std::string::npos) return;
  }
#else
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) throw_error({"cannot make the folder ", path, ": ", code.message()});
#endif
}

}  // namespace tapeless::io
