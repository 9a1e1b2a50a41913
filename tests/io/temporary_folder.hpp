// SPDX-License-Identifier: BSL-1.0
// For tests of files: a folder that goes away again, shared data, and the text of an error.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include <tapeless/error.hpp>

namespace test {

/// A new folder, removed at the end with all that is in it.
class temporary_folder {
 public:
  temporary_folder() {
    std::random_device random;
    do {
      folder_ = std::filesystem::temp_directory_path() / ("tapeless-test-" + std::to_string(random()));
    } while (!std::filesystem::create_directory(folder_));
  }

  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string path() const { return folder_.string(); }
  std::string path(std::string_view name) const { return (folder_ / name).string(); }

  /// Writes a file and returns its path.
  std::string write(std::string_view name, std::string_view bytes) const {
    std::ofstream(folder_ / name, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path(name);
  }

  /// How many files and folders are in it.
  std::ptrdiff_t size() const {
    return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
  }

 private:
  std::filesystem::path folder_;
};

/// What is in a file.
inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The value of an environment variable that names a folder of shared data, empty without one.
inline std::string folder_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

/// The text of the error that `function` throws.
template <class Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const tapeless::error& error) {
    return error.what();
  }
  return "(no error)";
}

/// Empty if all `parts` occur in `text`, otherwise the first that does not, and the text.
inline std::string missing_in(const std::string& text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    if (text.find(part) == std::string::npos) return std::string(part).append(" is not in: ").append(text);
  }
  return "";
}

}  // namespace test
