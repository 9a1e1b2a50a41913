// SPDX-License-Identifier: BSL-1.0
// The main function of every test executable, compiled once.

#include <memory>

#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

// Tests that inline nothing call these, which the standard library's binary lacks: it has them always inlined.
template class std::allocator<char>;
template class std::allocator<wchar_t>;
