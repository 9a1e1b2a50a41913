// SPDX-License-Identifier: BSL-1.0
// JSON values: what the reader makes of a text, and the spelling of strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

struct json_member;

/// A JSON value: null, a truth value, an integer of 64 bits, another number, a string, an array or an object.
struct json {
  using array = std::vector<json>;
  using object = std::vector<json_member>;  ///< in the order of the text, every name once

  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, array, object> value;

  /// The value if it is a T, otherwise null.
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&value);
  }

  /// The value as a T; throws tl::error that says what it is instead.
  template <class T>
  const T& as() const;

  /// The value as a number, integer or not; throws tl::error that says what it is instead.
  double number() const;

  /// The member of that name, null if there is none or this is no object.
  const json* find(std::string_view name) const;

  /// The member of that name; throws tl::error with the name if there is none or this is no object.
  const json& operator[](std::string_view name) const;

  /// What the value is, for messages: "an integer", "a string", ...
  std::string_view kind() const;
};

/// One name and value of an object.
struct json_member {
  std::string name;
  json value;
};

namespace detail {
inline constexpr std::string_view json_kinds[] = {"null",     "a truth value", "an integer", "a number",
                                                  "a string", "an array",      "an object"};
}

template <class T>
const T& json::as() const {
  if (const T* result = get_if<T>()) return *result;
  const std::size_t wanted = decltype(value)(T{}).index();
  throw error({"JSON: expected ", detail::json_kinds[wanted], ", found ", kind()});
}

inline double json::number() const {
  if (const std::int64_t* integer = get_if<std::int64_t>()) return static_cast<double>(*integer);
  return as<double>();
}

inline const json* json::find(std::string_view name) const {
  const object* members = get_if<object>();
  if (!members) return nullptr;
  for (const json_member& member : *members) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

inline const json& json::operator[](std::string_view name) const {
  if (const json* member = find(name)) return *member;
  throw error(
      {"JSON: expected an object with \"", name, "\", found ", kind(), get_if<object>() ? " without" : ""});
}

inline std::string_view json::kind() const { return detail::json_kinds[value.index()]; }

/// `text` as a JSON string with its quotes; throws tl::error if it is not UTF-8.
inline std::string json_string(std::string_view text) {
  if (!is_utf8(text)) throw error("JSON: a string must be UTF-8, found other bytes");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) {
      append(result, {"\\u00", digits.substr(code >> 4, 1), digits.substr(code & 15, 1)});
    } else {
      append(result, {c == '"' || c == '\\' ? "\\" : "", std::string_view(&c, 1)});
    }
  }
  append(result, {"\""});
  return result;
}

}  // namespace tapeless::io
