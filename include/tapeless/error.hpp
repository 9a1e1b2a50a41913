// SPDX-License-Identifier: BSL-1.0
// The one exception type of the library, how it is thrown, and how the texts in it are put together.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

/// A text or a number, to be put into a text. It refers to the text it is made from.
class text_piece {
 public:
  text_piece(std::string_view text) : kind_(kind::text), text_(text) {}
  text_piece(const std::string& text) : text_piece(std::string_view(text)) {}
  text_piece(const char* text) : text_piece(std::string_view(text)) {}
  text_piece(char) = delete;  // a one-letter text or a number?
  text_piece(bool) = delete;
  text_piece(std::signed_integral auto number) : kind_(kind::integer), integer_(number) {}
  text_piece(std::unsigned_integral auto number) : kind_(kind::natural), natural_(number) {}
  text_piece(double number) : kind_(kind::real), real_(number) {}

  friend inline void append(std::string& text, std::initializer_list<text_piece> pieces);

 private:
  enum class kind { text, integer, natural, real } kind_;
  union {
    std::string_view text_;
    std::int64_t integer_;
    std::uint64_t natural_;
    double real_;
  };
};

/// Appends the pieces, one after the other. One function for all texts: where a text is made, only a list is
/// filled, which compiles several times faster than a chain of `+`.
TAPELESS_SELDOM inline void append(std::string& text, std::initializer_list<text_piece> pieces) {
  for (const text_piece& piece : pieces) {
    char digits[std::numeric_limits<double>::max_exponent10 + 20] = {};
    switch (piece.kind_) {
      case text_piece::kind::text:
        text.append(piece.text_.data(), piece.text_.size());
        break;
      case text_piece::kind::integer:
        std::snprintf(digits, sizeof digits, "%lld", static_cast<long long>(piece.integer_));
        break;
      case text_piece::kind::natural:
        std::snprintf(digits, sizeof digits, "%llu", static_cast<unsigned long long>(piece.natural_));
        break;
      case text_piece::kind::real:
        std::snprintf(digits, sizeof digits, "%f", piece.real_);
        break;
    }
    text.append(digits);
  }
}

/// The pieces, one after the other.
inline std::string join(std::initializer_list<text_piece> pieces) {
  std::string text;
  append(text, pieces);
  return text;
}

/// What every run-time failure throws: the message says what was expected, what came, and which name. Other
/// than that, calls throw std::bad_alloc where memory runs out (a file that asks for too much is an error),
/// and what callables of the user's throw.
class error : public std::runtime_error {
 public:
  explicit error(const std::string& message) : error(std::initializer_list<text_piece>{message}) {}
  explicit error(const char* message) : error(std::initializer_list<text_piece>{message}) {}
  explicit error(std::initializer_list<text_piece> message)
      : std::runtime_error(join({"tapeless: ", join(message)})) {}
};

/// What is called in place of a throw where a program is compiled without exceptions (-fno-exceptions). It
/// must not return: where it does, std::terminate is called. The thread that it is called on is that of the
/// failure.
using error_handler = void (*)(const error&);

namespace detail {

inline void print_error(const error& e) { std::fprintf(stderr, "%s\n", e.what()); }

inline std::atomic<error_handler> current_error_handler = &print_error;

}  // namespace detail

/// Sets the handler of a program without exceptions, and returns the one before; a null pointer stands for
/// the first one, which prints the error's sentence. Programs with exceptions never call it.
inline error_handler set_error_handler(error_handler handler) {
  return detail::current_error_handler.exchange(handler != nullptr ? handler : &detail::print_error);
}

/// Throws `e`; in a program without exceptions, calls the handler with it instead. All errors of the library
/// go through here.
[[noreturn]] TAPELESS_COLD inline void throw_error(const error& e) {
#if defined(__cpp_exceptions)
  throw e;
#else
  detail::current_error_handler.load()(e);
  std::terminate();
#endif
}
/// The same of an error of another type, which is thrown as what it is.
template <std::derived_from<error> Error>
[[noreturn]] TAPELESS_COLD void throw_error(const Error& e) {
#if defined(__cpp_exceptions)
  throw e;
#else
  throw_error(static_cast<const error&>(e));
#endif
}
[[noreturn]] TAPELESS_COLD inline void throw_error(const std::string& message) {
  throw_error(error(message));
}
[[noreturn]] TAPELESS_COLD inline void throw_error(const char* message) { throw_error(error(message)); }
[[noreturn]] TAPELESS_COLD inline void throw_error(std::initializer_list<text_piece> message) {
  throw_error(error(message));
}

}  // namespace tapeless
