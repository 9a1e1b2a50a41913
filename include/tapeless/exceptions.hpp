// SPDX-License-Identifier: BSL-1.0
// What the library does about exceptions that pass through it. All catching is done here, and all throwing
// here and in error.hpp, so that the library compiles without exceptions (-fno-exceptions): then calls are
// only made.
#pragma once

#include <atomic>
#include <exception>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

/// What `body` returns; where it throws, `undo` is called before the exception goes on.
template <class Body, class Undo>
auto undone_by([[maybe_unused]] const Undo& undo, const Body& body) {
#if defined(__cpp_exceptions)
  try {
    return body();
  } catch (...) {
    undo();
    throw;
  }
#else
  return body();
#endif
}

/// What `body` returns; where it does not get the memory that it asks for, an error with this message.
template <class Body>
auto with_memory_or(std::initializer_list<text_piece> message, const Body& body) {
#if defined(__cpp_exceptions)
  try {
    return body();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // more than a container may ever hold
  }
  throw_error(message);
#else
  static_cast<void>(message);
  return body();
#endif
}

/// Calls `body`; the code of the std::system_error that it throws, or of no error. Without exceptions the C++
/// library ends the program with that error's sentence.
template <class Body>
std::error_code system_error_of(const Body& body) {
#if defined(__cpp_exceptions)
  try {
    body();
  } catch (const std::system_error& e) {
    return e.code();
  }
#else
  body();
#endif
  return {};
}

/// Throws std::bad_alloc; without exceptions, the error handler gets this message.
[[noreturn]] TAPELESS_COLD inline void throw_bad_alloc([[maybe_unused]] const char* message) {
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  throw_error(message);
#endif
}

/// What calls on other threads throw, the first of them, until it is thrown on this one.
class first_exception {
 public:
  /// Calls `body`, and keeps what it throws. Any number of threads at once.
  template <class Body>
  void guard(const Body& body) noexcept {
#if defined(__cpp_exceptions)
    try {
      body();
    } catch (...) {
      if (!caught_.exchange(true)) exception_ = std::current_exception();
    }
#else
    body();
#endif
  }

  /// What the exception says that was kept; empty where none was. When no thread is in `guard`.
  std::string text() const {
#if defined(__cpp_exceptions)
    if (!caught_.load()) return {};
    try {
      std::rethrow_exception(exception_);
    } catch (const std::exception& e) {
      return *e.what() != 0 ? e.what() : "an exception without a text";
    } catch (...) {
      return "an exception of an unknown type";
    }
#else
    return {};
#endif
  }

  /// Throws what was kept, if anything was; then it is forgotten. When no thread is in `guard`.
  void rethrow() {
    if (caught_.load(std::memory_order_relaxed)) rethrow_caught();
  }

  /// Forgets what was kept. When no thread is in `guard`.
  void forget() {
    if (caught_.exchange(false)) exception_ = nullptr;
  }

 private:
  TAPELESS_COLD void rethrow_caught() {
    caught_.store(false);
    std::rethrow_exception(std::exchange(exception_, nullptr));
  }

  std::atomic<bool> caught_ = false;
  std::exception_ptr exception_;
};

}  // namespace tapeless
