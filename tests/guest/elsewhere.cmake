# SPDX-License-Identifier: BSL-1.0
# What a compiler sees that has none of GCC's words and a system that has none of POSIX's headers, such as MSVC on
# Windows: the headers are preprocessed with its macros, and in place of the standard library, Eigen and Boost stand
# empty files. So they do for MPI, NCCL and CUDA, with nvcc's macro. Usage:
# cmake -DCOMPILER=g++ -DINCLUDE=include -DFOLDER=folder -P elsewhere.cmake
cmake_minimum_required(VERSION 3.24)

set(standard_headers
    algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits
    clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef cstdint
    cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception execution expected filesystem format forward_list
    fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map
    mdspan memory memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex
    scoped_allocator semaphore set shared_mutex source_location span spanstream sstream stack stacktrace stdexcept
    stop_token streambuf string string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo
    unordered_map unordered_set utility valarray variant vector version
    # Microsoft's own, and those that it shares with GCC
    intrin.h immintrin.h emmintrin.h xmmintrin.h io.h windows.h stdint.h stddef.h)
file(GLOB_RECURSE headers "${INCLUDE}/*.hpp")
foreach(header IN LISTS headers) # what users bring
  file(STRINGS "${header}" lines REGEX "^#include <(Eigen|unsupported|boost|thrust|cub|cuda|cu[A-Za-z0-9_]*\\.h|cudnn|mpi|nccl)")
  list(TRANSFORM lines REPLACE "^#include <([^>]*)>.*" "\\1")
  list(APPEND standard_headers ${lines})
endforeach()
list(REMOVE_DUPLICATES standard_headers)
file(REMOVE_RECURSE "${FOLDER}")
foreach(header IN LISTS standard_headers)
  file(WRITE "${FOLDER}/std/${header}" "")
endforeach()
# What is seen of these headers, with these definitions, is appended to `seen`.
set(seen "")
function(preprocess headers)
  set(text "")
  foreach(header IN LISTS headers)
    string(APPEND text "#include <tapeless/${header}.hpp>\n")
  endforeach()
  file(WRITE "${FOLDER}/all.cpp" "${text}")
  execute_process(
    COMMAND "${COMPILER}" -std=c++20 -E -P -undef -nostdinc -nostdinc++ -D_MSC_VER=1944 -D_MSC_FULL_VER=194435207
            -D_WIN32=1 -D_WIN64=1 -D_M_X64=100 ${ARGN} "-I${INCLUDE}" -isystem "${FOLDER}/std" "${FOLDER}/all.cpp"
    RESULT_VARIABLE code
    OUTPUT_VARIABLE now
    ERROR_VARIABLE problem)
  if(NOT code STREQUAL "0")
    message(FATAL_ERROR "A header is included that not every system has:\n${problem}")
  endif()
  set(seen "${seen}\n${now}" PARENT_SCOPE)
endfunction()
preprocess("tapeless;operations;numpy;gguf;onnx;bare;mpi;run/thrust_host/thrust_host")
file(WRITE "${FOLDER}/std/unistd.h" "") # NCCL is for Linux alone
preprocess("tapeless;operations;nccl" -D__CUDACC__=1 -DTAPELESS_HAS_CUDNN)

string(REPLACE "[" " ( " seen "${seen}") # brackets and semicolons are marks of CMake's lists
string(REPLACE "]" " ) " seen "${seen}")
string(REPLACE ";" "\n" seen "${seen}")
string(REGEX REPLACE "\"([^\"\n\\]|\\\\.)*\"" "\"\"" seen "${seen}")
set(words "__builtin_[a-z_0-9]*|__attribute__|__extension__|__int128|__float128|__typeof__|typeof|__asm__|asm|vector_size|")
string(APPEND words "__PRETTY_FUNCTION__|__atomic_[a-z_]*|__sync_[a-z_]*|pthread_[a-z_]*|#pragma GCC|#pragma clang|_Pragma|")
string(APPEND words "return [(][{]|= [(][{]") # a block as a value
string(REGEX MATCHALL "[^\n]*[^A-Za-z0-9_](${words})[^A-Za-z0-9_][^\n]*" wrong "${seen}")
if(wrong)
  string(REPLACE ";" "\n" wrong "${wrong}")
  message(FATAL_ERROR "What not every compiler takes stands where all see it:\n${wrong}")
endif()
string(REGEX MATCHALL "\n" lines "${seen}")
list(LENGTH lines lines)
if(lines LESS 1000)
  message(FATAL_ERROR "Only ${lines} lines are seen; is the library there?")
endif()
message(STATUS "${lines} lines have no word that only GCC and Clang take")
