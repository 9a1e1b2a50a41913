// SPDX-License-Identifier: BSL-1.0
// Files that grow, folders that are made, and numbers in them.
#include <tapeless/io/append_file.hpp>
#include <tapeless/io/folder.hpp>
#include <tapeless/io/number_text.hpp>

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "catch.hpp"
#include "temporary_folder.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace io = tapeless::io;
using test::contains;

TEST_CASE("bytes come behind those that are there, and make a file where there is none", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("log");
  io::append_to_file(path, "one\n");
  CHECK(test::bytes_of(path) == "one\n");
  io::append_to_file(path, std::string_view("\0two", 4));
  CHECK(test::bytes_of(path) == std::string("one\n\0two", 8));
  CHECK_THROWS_WITH(io::append_to_file(folder.path("no/log"), ""), contains("cannot write"));
  CHECK_THROWS_WITH(io::append_to_file(folder.path(), ""), contains("cannot write"));
  CHECK_THROWS_WITH(io::append_to_file("", ""), contains("name of a file"));
}

TEST_CASE("a new file is made only where nothing is", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("new");
  CHECK(io::make_new_file(path, "first"));
  CHECK_FALSE(io::make_new_file(path, "second"));
  CHECK(test::bytes_of(path) == "first");
  CHECK_FALSE(io::make_new_file(folder.path(), ""));
  CHECK_THROWS_WITH(io::make_new_file(folder.path("no/new"), ""), contains("cannot write"));
}

#if defined(__unix__) || defined(__APPLE__)
TEST_CASE("a pipe is refused, without waiting for who reads it", "[io]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(io::append_to_file(path, "x"), contains("cannot write"));
  CHECK_THROWS_WITH(io::append_to_file("/dev/full", "x"), contains("/dev/full"));
}
#endif

TEST_CASE("folders are made with those above them", "[io]") {
  const test::temporary_folder folder;
  io::make_folder(folder.path("a/b/c"));
  io::make_folder(folder.path("a/b/c"));
  io::make_folder(folder.path("a//d/"));
  CHECK(std::filesystem::is_directory(folder.path("a/b/c")));
  CHECK(std::filesystem::is_directory(folder.path("a/d")));
  const std::string file = folder.write("file", "");
  CHECK_THROWS_WITH(io::make_folder(file), contains("cannot make the folder"));
  CHECK_THROWS_WITH(io::make_folder(file + "/below"), contains("cannot make the folder"));
}

#if defined(__unix__) || defined(__APPLE__)
TEST_CASE("who may not make a folder hears why", "[io]") {
  const test::temporary_folder folder;
  const std::string closed = folder.path("closed");
  io::make_folder(closed);
  REQUIRE(::chmod(closed.c_str(), 0555) == 0);
  const uid_t user = ::geteuid();
  if (user == 0 && ::seteuid(65534) != 0) return;  // root may, wherever it is
  const std::string error = test::error_of([&] { io::make_folder(closed + "/below"); });
  REQUIRE(::seteuid(user) == 0);
  CHECK(test::missing_in(error, {"cannot make the folder", "closed/below: Permission denied"}) == "");
}
#endif

TEST_CASE("numbers read back as they were, in few digits", "[io]") {
  CHECK(io::number_text(0.1) == "0.1");
  CHECK(io::number_text(-2) == "-2");
  CHECK(io::number_text(1e-300) == "1e-300");
  CHECK(io::number_text(1.0 / 3) == "0.3333333333333333");
  CHECK(io::number_text(std::nan("")) == "nan");
  CHECK(io::number_text(-std::nan("")) == "nan");
  CHECK(io::number_text(-std::numeric_limits<double>::infinity()) == "-inf");
  for (const double x : {0.1 + 0.2, 5e-324, std::numeric_limits<double>::max(), 123456789.123456789})
    CHECK(std::strtod(io::number_text(x).c_str(), nullptr) == x);
}

TEST_CASE("numbers have a point in every locale", "[io]") {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "ps_AF.UTF-8", "C"}) {  // where they are installed
    std::setlocale(LC_NUMERIC, locale);
    CHECK(io::number_text(-1234.5) == "-1234.5");
    CHECK(io::number_text(1.5e-7) == "1.5e-07");
  }
  std::setlocale(LC_NUMERIC, before.c_str());
}
