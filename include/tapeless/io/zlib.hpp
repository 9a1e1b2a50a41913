// SPDX-License-Identifier: BSL-1.0
// zlib, where it is there: linked where TAPELESS_HAS_ZLIB says so, as the CMake target does; otherwise looked
// for by the running program. So one that was compiled without any flag reads .gz files, and links, too.
//
// Weak symbols would do that with the linker alone, but it drops a library that only they ask for.
// TAPELESS_NO_ZLIB leaves all of it out.
#pragma once

#if defined(TAPELESS_HAS_ZLIB)
#define TAPELESS_ZLIB_LINKED
#elif !defined(TAPELESS_NO_ZLIB) && __has_include(<zlib.h>) && __has_include(<dlfcn.h>)
#include <climits>  // __GLIBC__, as any of the C library's headers
#if defined(__APPLE__) || (defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34))
#define TAPELESS_ZLIB_LOADED  // the C library has dlopen, without -ldl
#include <dlfcn.h>
#endif
#endif

#if defined(TAPELESS_ZLIB_LINKED) || defined(TAPELESS_ZLIB_LOADED)
#include <zlib.h>

#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>

namespace tapeless::io {

/// The functions of zlib that decompress.
struct zlib_functions {
  decltype(&::inflateInit2_) init = nullptr;
  decltype(&::inflate) inflate = nullptr;
  decltype(&::inflateReset) reset = nullptr;
  decltype(&::inflateEnd) end = nullptr;
};

namespace detail {

TAPELESS_COLD inline zlib_functions find_zlib() {
#if defined(TAPELESS_ZLIB_LINKED)
  return {&::inflateInit2_, &::inflate, &::inflateReset, &::inflateEnd};
#else
#if defined(__APPLE__)
  constexpr const char* file = "libz.1.dylib";
#else
  constexpr const char* file = "libz.so.1";
#endif
  zlib_functions found;
  void* const library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);  // for the rest of the program
  if (library == nullptr) return found;
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
    return function != nullptr;
  };
  const bool all = find("inflateInit2_", found.init) && find("inflate", found.inflate) &&
                   find("inflateReset", found.reset) && find("inflateEnd", found.end);
  return all ? found : zlib_functions{};
#endif
}

}  // namespace detail

/// zlib's functions; null pointers where the machine does not have it.
inline const zlib_functions& zlib() {
  static const zlib_functions found = detail::find_zlib();
  return found;
}

}  // namespace tapeless::io
#endif
