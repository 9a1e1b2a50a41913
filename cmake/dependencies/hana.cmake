# SPDX-License-Identifier: BSL-1.0
# Boost.Hana: values of different types, at the edges of the library. Sets TAPELESS_HANA.

if(NOT TARGET Boost::headers)
  tapeless_find(Boost 1.74)
endif()

if(TARGET Boost::headers)
  set(TAPELESS_HANA Boost::headers)
  list(APPEND TAPELESS_FOUND Boost)
else()
  FetchContent_Declare(
    tapeless_hana # needs nothing else of Boost; the version in Boost 1.74
    URL https://github.com/boostorg/hana/archive/v1.6.0.tar.gz
    URL_HASH SHA256=4238f1a132c783b0013f2f6757370ff0ac2b28fc0c8b862de9d5fb296de5b1cb
    SOURCE_SUBDIR only-the-headers)
  FetchContent_MakeAvailable(tapeless_hana)
  tapeless_vendor(hana "${tapeless_hana_SOURCE_DIR}/include" boost)
  set(TAPELESS_HANA tapeless_hana)
endif()
