// SPDX-License-Identifier: BSL-1.0
// A program's locale with a decimal comma, for tests of texts that must not depend on it.
#pragma once

#include <clocale>
#include <cstdlib>
#include <string>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace test {

/// As long as it lives, numbers have a decimal comma: in a locale that is installed, or one that localedef
/// makes. Where there is neither, they have a point, and a warning says so.
class decimal_comma {
 public:
  decimal_comma() : before_(std::setlocale(LC_NUMERIC, nullptr)) {
    for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"})
      if (is_set(name)) return;
    const std::string make =
        "localedef -i de_DE -f UTF-8 " + folder_.path("de_DE.UTF-8") + " > /dev/null 2>&1";
    if (std::system(make.c_str()) == 0 && setenv("LOCPATH", folder_.path().c_str(), 1) == 0) {
      const bool is_made = is_set("de_DE.UTF-8");
      unsetenv("LOCPATH");
      if (is_made) return;
    }
    WARN("SKIPPED: no locale with a decimal comma is installed, and localedef makes none");
  }
  ~decimal_comma() { std::setlocale(LC_NUMERIC, before_.c_str()); }
  decimal_comma(const decimal_comma&) = delete;
  decimal_comma& operator=(const decimal_comma&) = delete;

 private:
  std::string before_;
  temporary_folder folder_;

  static bool is_set(const char* name) {
    return std::setlocale(LC_NUMERIC, name) != nullptr && *std::localeconv()->decimal_point == ',';
  }
};

}  // namespace test
