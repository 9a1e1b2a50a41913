// SPDX-License-Identifier: BSL-1.0
// A socket in a folder; POSIX only.
#pragma once

#include <string>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "catch.hpp"

namespace test {

/// A socket that has a name.
class socket_file {
 public:
  explicit socket_file(const std::string& path) : descriptor_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(path.size() < sizeof address.sun_path);
    path.copy(address.sun_path, path.size());
    REQUIRE(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  socket_file(const socket_file&) = delete;
  socket_file& operator=(const socket_file&) = delete;
  ~socket_file() { ::close(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace test
