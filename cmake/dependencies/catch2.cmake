# SPDX-License-Identifier: BSL-1.0
# Catch2 3, or 2.13 as Debian 12 has it: the tests (tests/catch.hpp takes either). Defines Catch2::Catch2.

if(NOT TARGET Catch2::Catch2)
  tapeless_find(Catch2 3)
endif()
if(NOT TARGET Catch2::Catch2)
  tapeless_find(Catch2 2.13)
endif()

if(NOT TARGET Catch2::Catch2)
  FetchContent_Declare(
    Catch2
    URL https://github.com/catchorg/Catch2/archive/v3.7.1.tar.gz
    URL_HASH SHA256=c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c)
  FetchContent_MakeAvailable(Catch2)
  tapeless_system(Catch2)
endif()
