// SPDX-License-Identifier: BSL-1.0
// JSON values: what the reader makes of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>

namespace test {

struct json_member;

/// A JSON value: null, a truth value, an integer of 64 bits, another number, a string, an array or an object.
/// Plain members instead of a variant, which takes far longer to compile.
class json {
 public:
  using array = std::vector<json>;
  using object = std::vector<json_member>;  ///< in the order of the text, every name once

  json(std::nullptr_t);
  json(bool value);
  json(std::int64_t value);
  json(double value);
  json(std::string value);
  json(array value);
  json(object value);
  json(const char*) = delete;  // would be a truth value

  /// The value if it is a T, otherwise null.
  template <class T>
  const T* get_if() const {
    return kind_ == kind_of<T>() ? &member<T>() : nullptr;
  }

  /// The value as a T; throws tl::error that says what it is instead.
  template <class T>
  const T& as() const {
    if (kind_ != kind_of<T>()) fail(kind_of<T>());
    return member<T>();
  }

  /// The value as a number, integer or not; throws tl::error that says what it is instead.
  double number() const;

  /// The member of that name, null if there is none or this is no object.
  const json* find(std::string_view name) const;

  /// The member of that name; throws tl::error with the name if there is none or this is no object.
  const json& operator[](std::string_view name) const;

  /// What the value is, for messages: "an integer", "a string", ...
  std::string_view kind() const { return kind_; }

 private:
  template <class T>
  const T& member() const {
    if constexpr (std::is_same_v<T, std::nullptr_t>) return null_;
    if constexpr (std::is_same_v<T, bool>) return truth_;
    if constexpr (std::is_same_v<T, std::int64_t>) return integer_;
    if constexpr (std::is_same_v<T, double>) return real_;
    if constexpr (std::is_same_v<T, std::string>) return text_;
    if constexpr (std::is_same_v<T, array>) return items_;
    if constexpr (std::is_same_v<T, object>) return members_;
  }

  template <class T>
  static constexpr std::string_view kind_of() {
    if constexpr (std::is_same_v<T, std::nullptr_t>) return "null";
    if constexpr (std::is_same_v<T, bool>) return "a truth value";
    if constexpr (std::is_same_v<T, std::int64_t>) return "an integer";
    if constexpr (std::is_same_v<T, double>) return "a number";
    if constexpr (std::is_same_v<T, std::string>) return "a string";
    if constexpr (std::is_same_v<T, array>) return "an array";
    if constexpr (std::is_same_v<T, object>) return "an object";
  }

  [[noreturn]] void fail(std::string_view expected) const {
    tapeless::throw_error({"JSON: expected ", expected, ", found ", kind_});
  }

  std::string_view kind_ = "null";
  std::nullptr_t null_ = nullptr;
  bool truth_ = false;
  std::int64_t integer_ = 0;
  double real_ = 0;
  std::string text_;
  array items_;
  object members_;
};

/// One name and value of an object.
struct json_member {
  std::string name;
  json value;
};

inline json::json(std::nullptr_t) {}
inline json::json(bool value) : kind_(kind_of<bool>()), truth_(value) {}
inline json::json(std::int64_t value) : kind_(kind_of<std::int64_t>()), integer_(value) {}
inline json::json(double value) : kind_(kind_of<double>()), real_(value) {}
inline json::json(std::string value) : kind_(kind_of<std::string>()), text_(std::move(value)) {}
inline json::json(array value) : kind_(kind_of<array>()), items_(std::move(value)) {}
inline json::json(object value) : kind_(kind_of<object>()), members_(std::move(value)) {}

inline double json::number() const {
  if (const std::int64_t* integer = get_if<std::int64_t>()) return static_cast<double>(*integer);
  return as<double>();
}

inline const json* json::find(std::string_view name) const {
  for (const json_member& member : members_) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

inline const json& json::operator[](std::string_view name) const {
  if (const json* member = find(name)) return *member;
  tapeless::throw_error(
      {"JSON: expected an object with \"", name, "\", found ", kind(), get_if<object>() ? " without" : ""});
}

}  // namespace test
