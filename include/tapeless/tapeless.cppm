// SPDX-License-Identifier: BSL-1.0
// The library as a named module: `import tapeless;` in place of its headers, but for those of GPUs, of
// several processes and of bare machines. A source imports it or includes headers of the library, not both.
// How it is compiled: docs/guide/large_code_bases.md.
module;

// All that its headers include and that is not the library's. A test says what is missing.
#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/core/to.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/unpack.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <unsupported/Eigen/FFT>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cinttypes>
#include <climits>
#include <cmath>
#include <complex>
#include <concepts>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#ifdef TAPELESS_HAS_ZLIB
#include <zlib.h>
#endif
#if defined(__SSE2__)
#include <immintrin.h>
#endif
#if __has_include(<unistd.h>)
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#endif
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

export module tapeless;

#ifdef __clang__
#pragma clang diagnostic ignored "-Winclude-angled-in-module-purview"  // headers in a module are meant
#endif

// Where a template is instantiated, clang 19 finds operators of the standard library only if a source sees
// them.
export namespace std {
using std::operator==;
using std::operator<=>;
using std::operator<;
using std::operator+;
using std::operator-;
using std::operator|;
using std::operator&;
}  // namespace std

// extern "C++": the same declarations as in sources that include these headers.
export extern "C++" {
#include <tapeless/data/data.hpp>
#include <tapeless/gguf.hpp>
#include <tapeless/numpy.hpp>
#include <tapeless/onnx.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/inspect.hpp>
}
