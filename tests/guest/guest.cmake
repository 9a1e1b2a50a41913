# SPDX-License-Identifier: BSL-1.0
# Programs of people who compile with other flags than ours.

# Adds a program of these sources as target guest_NAME, with the warnings that others turn on.
function(tapeless_guest name)
  set(sources ${ARGN})
  list(TRANSFORM sources PREPEND guest/)
  add_executable(guest_${name} ${sources})
  target_link_libraries(guest_${name} PRIVATE tapeless::tapeless)
  target_compile_options(guest_${name} PRIVATE -O0 -g0)
  tapeless_warnings(guest_${name} -Wconversion -Wshadow $<$<CXX_COMPILER_ID:GNU>:-Wsubobject-linkage>)
endfunction()

tapeless_guest(model_in_header model_in_header.cpp learner.cpp)
tapeless_add_test(guest.model_in_header guest_model_in_header)

tapeless_guest(no_exceptions no_exceptions.cpp)
target_compile_options(guest_no_exceptions PRIVATE -fno-exceptions -fno-rtti)
foreach(errors handled unhandled returns)
  tapeless_add_test(guest.no_exceptions.${errors} guest_no_exceptions ${errors})
endforeach()
tapeless_test_properties(guest.no_exceptions.unhandled PASS_REGULAR_EXPRESSION "tapeless: cannot open no-such-file: ")

tapeless_guest(fast_math fast_math.cpp)
target_compile_options(guest_fast_math PRIVATE -O2 -ffast-math $<$<CXX_COMPILER_ID:Clang>:-Wno-nan-infinity-disabled>)
tapeless_add_test(guest.fast_math guest_fast_math)

# What only some compilers take, and exceptions, each stand in the headers that are for it.
tapeless_add_test(guest.words "${CMAKE_COMMAND}" "-DINCLUDE=${PROJECT_SOURCE_DIR}/include/tapeless" -P
                  "${CMAKE_CURRENT_SOURCE_DIR}/guest/words.cmake")
tapeless_add_test(guest.words.check "${CMAKE_COMMAND}" "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/guest/words" -P
                  "${CMAKE_CURRENT_SOURCE_DIR}/guest/words_test.cmake")

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  tapeless_add_test(guest.kept_temporary "${CMAKE_CXX_COMPILER}" "@${TAPELESS_USER_FLAGS}" -fsyntax-only
                    "${CMAKE_CURRENT_SOURCE_DIR}/guest/kept_temporary.cpp")
  tapeless_test_properties(guest.kept_temporary PASS_REGULAR_EXPRESSION
                           "temporary whose address is used as value of local variable 'kept' will be destroyed")
endif()

tapeless_add_test(guest.macro "${CMAKE_CXX_COMPILER}" "@${TAPELESS_USER_FLAGS}" -fsyntax-only
                  "${CMAKE_CURRENT_SOURCE_DIR}/guest/macro.cpp")
tapeless_test_properties(
  guest.macro PASS_REGULAR_EXPRESSION "error: .*tapeless: there is a macro I, as <complex.h> has one" FAIL_REGULAR_EXPRESSION
  "expected")

# What another compiler on another system sees has no word that it would refuse.
tapeless_add_test(
  guest.elsewhere
  "${CMAKE_COMMAND}"
  "-DCOMPILER=${CMAKE_CXX_COMPILER}"
  "-DINCLUDE=${PROJECT_SOURCE_DIR}/include"
  "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/guest/elsewhere"
  -P
  "${CMAKE_CURRENT_SOURCE_DIR}/guest/elsewhere.cmake")

# Without a macro and without -lz, zlib is found while the program runs; 2 where the C library does not have dlopen.
add_executable(guest_unlinked_zlib guest/unlinked_zlib.cpp)
target_include_directories(guest_unlinked_zlib PRIVATE "${PROJECT_SOURCE_DIR}/include")
target_compile_features(guest_unlinked_zlib PRIVATE cxx_std_20)
tapeless_warnings(guest_unlinked_zlib -Wconversion -Wshadow)
set(plain_text "${CMAKE_CURRENT_BINARY_DIR}/guest/plain_text")
file(WRITE "${plain_text}" "plain text")
file(ARCHIVE_CREATE OUTPUT "${plain_text}.gz" PATHS "${plain_text}" FORMAT raw COMPRESSION GZip)
tapeless_add_test(guest.unlinked_zlib guest_unlinked_zlib "${plain_text}.gz")
tapeless_test_properties(guest.unlinked_zlib SKIP_RETURN_CODE 2)

# What every run calls does not make a user's function a cold one, in g++'s eyes.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  tapeless_add_test(
    guest.warm
    "${CMAKE_COMMAND}"
    "-DCOMPILER=${CMAKE_CXX_COMPILER}"
    "-DFLAGS=@${TAPELESS_USER_FLAGS}"
    "-DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/guest/own_loop.cpp"
    "-DASSEMBLY=${CMAKE_CURRENT_BINARY_DIR}/guest/own_loop.s"
    -P
    "${CMAKE_CURRENT_SOURCE_DIR}/guest/warm.cmake")
else()
  tapeless_add_test(guest.warm "${CMAKE_COMMAND}" -E echo "SKIPPED: it looks at what g++ does")
  tapeless_test_properties(guest.warm SKIP_REGULAR_EXPRESSION SKIPPED)
endif()
