// SPDX-License-Identifier: BSL-1.0
// operator new as a test wants it: it counts, and fails when it is told to. For one source of a program only.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include "catch.hpp"

namespace test {

/// What has been asked of operator new, in all forms and on all threads.
struct allocations {
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  static inline std::atomic<std::int64_t> asked = 0, alive = 0;
  static inline std::atomic<std::int64_t> first_failure = never, last_failure = never;  // by `asked`

  static void* take(std::size_t size, std::size_t alignment) noexcept {
    const std::int64_t number = ++asked;
    if (number >= first_failure && number <= last_failure) return nullptr;
    size = (size + alignment - 1) / alignment * alignment;
    void* const taken = std::aligned_alloc(alignment, size > 0 ? size : alignment);
    if (taken != nullptr) ++alive;
    return taken;
  }
  static void* take_or_throw(std::size_t size, std::size_t alignment) {
    if (void* const taken = take(size, alignment)) return taken;
    throw std::bad_alloc();
  }
  static void give(void* taken) noexcept {
    if (taken == nullptr) return;
    --alive;
    std::free(taken);
  }
};

/// As long as it lives, allocation number `first` from now on, counted from 1, fails; or all from that on.
class failures {
 public:
  failures(std::int64_t first, bool all_from_there_on) {
    const std::int64_t number = allocations::asked + first;
    allocations::last_failure = all_from_there_on ? allocations::never : number;
    allocations::first_failure = number;
  }
  ~failures() { allocations::first_failure = allocations::last_failure = allocations::never; }
  failures(const failures&) = delete;
  failures& operator=(const failures&) = delete;
};

/// Fails each allocation that call(*make()) makes: alone, and with all behind it. The call then throws
/// std::bad_alloc (a reader of files may say it in an error), nothing is lost, and called again it does what
/// it does where nothing has failed: look(*subject) tells, after the second call and, where `unchanged` says
/// so, after the failed one. A call that can do without the memory is right as well.
template <class Make, class Call, class Look, class Unchanged>
void fail_each_allocation(const char* what, Make make, Call call, Look look, Unchanged after_failure) {
  INFO(what);
  std::int64_t count = 0;
  std::string before, expected;
  {
    const auto subject = make();
    before = after_failure(*subject);
    count = allocations::asked;
    call(*subject);
    count = allocations::asked - count;
    expected = look(*subject);
  }
  CHECK(count > 0);
  int threw = 0;
  for (const bool all : {false, true})
    for (std::int64_t k = 1; k <= count; ++k) {
      enum { went_through, no_memory, something_else } outcome = went_through;
      std::array<char, 200> message{};
      bool same = false, as_before = true;
      const std::int64_t alive = allocations::alive;
      {
        const auto subject = make();
        try {
          const failures fail(k, all);
          call(*subject);
        } catch (const std::bad_alloc&) {
          outcome = no_memory;
        } catch (const std::exception& e) {
          const bool says_so =
              std::strstr(e.what(), "there is not enough memory for what it holds") != nullptr;
          outcome = says_so ? no_memory : something_else;
          if (!says_so) std::snprintf(message.data(), message.size(), "%s", e.what());
        }
        if (outcome == no_memory) {
          ++threw;
          as_before = after_failure(*subject) == before;
          call(*subject);
        }
        same = look(*subject) == expected;
      }
      const std::int64_t left = allocations::alive - alive;
      INFO("allocation " << k << " of " << count << (all ? " and all that follow" : ""));
      CHECK(std::string(message.data()) == "");
      CHECK(as_before);
      CHECK(same);
      CHECK(left == 0);
    }
  CHECK(threw > 0);
}
template <class Make, class Call, class Look>
void fail_each_allocation(const char* what, Make make, Call call, Look look) {
  fail_each_allocation(what, make, call, look, [](auto&) { return std::string(); });
}

}  // namespace test

// Never inlined: a compiler would warn of what new and delete have in common.
#define TEST_REPLACED [[gnu::noinline]]
TEST_REPLACED void* operator new(std::size_t size) {
  return test::allocations::take_or_throw(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
TEST_REPLACED void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return test::allocations::take(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
TEST_REPLACED void* operator new(std::size_t size, std::align_val_t alignment) {
  return test::allocations::take_or_throw(size, static_cast<std::size_t>(alignment));
}
TEST_REPLACED void* operator new(std::size_t size, std::align_val_t alignment,
                                 const std::nothrow_t&) noexcept {
  return test::allocations::take(size, static_cast<std::size_t>(alignment));
}
TEST_REPLACED void* operator new[](std::size_t size) {
  return test::allocations::take_or_throw(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
TEST_REPLACED void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return test::allocations::take(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
TEST_REPLACED void* operator new[](std::size_t size, std::align_val_t alignment) {
  return test::allocations::take_or_throw(size, static_cast<std::size_t>(alignment));
}
TEST_REPLACED void* operator new[](std::size_t size, std::align_val_t alignment,
                                   const std::nothrow_t&) noexcept {
  return test::allocations::take(size, static_cast<std::size_t>(alignment));
}
TEST_REPLACED void operator delete(void* p) noexcept { test::allocations::give(p); }
TEST_REPLACED void operator delete(void* p, std::size_t) noexcept { test::allocations::give(p); }
TEST_REPLACED void operator delete(void* p, std::align_val_t) noexcept { test::allocations::give(p); }
TEST_REPLACED void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  test::allocations::give(p);
}
TEST_REPLACED void operator delete(void* p, const std::nothrow_t&) noexcept { test::allocations::give(p); }
TEST_REPLACED void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept {
  test::allocations::give(p);
}
TEST_REPLACED void operator delete[](void* p) noexcept { test::allocations::give(p); }
TEST_REPLACED void operator delete[](void* p, std::size_t) noexcept { test::allocations::give(p); }
TEST_REPLACED void operator delete[](void* p, std::align_val_t) noexcept { test::allocations::give(p); }
TEST_REPLACED void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
  test::allocations::give(p);
}
TEST_REPLACED void operator delete[](void* p, const std::nothrow_t&) noexcept { test::allocations::give(p); }
TEST_REPLACED void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept {
  test::allocations::give(p);
}
#undef TEST_REPLACED
