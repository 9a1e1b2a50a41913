// SPDX-License-Identifier: BSL-1.0
// save_array(net, path, name): the parameters of a trainer or function as a source file, for a program that
// holds its weights.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/train/files/save_bytes.hpp>
#include <tapeless/train/program/save_options.hpp>

namespace tapeless {

namespace detail {

/// Whether an array can have this name.
constexpr bool is_identifier(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (name.empty() || !is_letter(name[0])) return false;
  for (const char c : name)
    if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
  return true;
}

}  // namespace detail

/// Writes the bytes of the file that save writes as an array, `inline constexpr unsigned char name[]`, into a
/// header that needs no other. It begins at a multiple of 64, so that function f{model, weights(name),
/// bare{}} reads the weights where they are, and load_bytes(net, name) copies them. Options are those of
/// save. The file is replaced as a whole or not at all. Throws an error where it cannot be written, or where
/// no array can have the name.
template <detail::no_stub Net>
TAPELESS_WARM void save_array(Net&& net, const std::string& path, std::string_view name,
                              const save_options& options = {}) {
  if (!detail::is_identifier(name))
    throw_error({"save_array: the array needs a name of letters, digits and _, but here is \"", name, "\""});
  detail::check_patterns(options, net.parameter_descriptions(), path);
  if (!detail::writes_files(net)) return;
  constexpr std::size_t numbers_in_line = 24;
  std::string text = "// The weights of a model, as tapeless::save writes them.\n#pragma once\n\n";
  append(text, {"alignas(64) inline constexpr unsigned char ", name, "[] = {"});
  std::size_t count = 0;
  for (const std::byte b : save_bytes(net, options)) {
    append(text, {count++ % numbers_in_line == 0 ? "\n    " : " ", std::to_integer<int>(b), ","});
  }
  text += "\n};\n";
  const array_view<const std::byte> bytes(reinterpret_cast<const std::byte*>(text.data()), text.size());
  io::write_file_atomically(path, {&bytes, 1});
}

// Of a trainer whose model's error has been reported.
inline void save_array(error_stub&, const std::string&, std::string_view, const save_options& = {}) {}

}  // namespace tapeless
