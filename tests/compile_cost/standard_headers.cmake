# SPDX-License-Identifier: BSL-1.0
# Which of the standard library's headers tapeless.hpp reads, with what they read themselves: no others than KNOWN
# lists. Every program pays for them: <functional> alone was a twelfth of what libstdc++ costs here.
# Usage: cmake -DCOMPILER=g++ -DFLAGS=@file -DKNOWN=standard_headers.txt -DFOLDER=folder -P standard_headers.cmake
cmake_minimum_required(VERSION 3.24)

file(MAKE_DIRECTORY "${FOLDER}")
set(program "${FOLDER}/standard_headers.cpp")
file(WRITE "${program}" "#include <tapeless/tapeless.hpp>\n")
execute_process(COMMAND "${COMPILER}" "${FLAGS}" -M "${program}" OUTPUT_VARIABLE rule COMMAND_ERROR_IS_FATAL ANY)

# libstdc++'s public headers have no ending and lie in c++/VERSION itself.
string(REGEX MATCHALL "/c[+][+]/[0-9.]+/[a-z_]+[ \n]" paths "${rule}")
set(read)
foreach(path IN LISTS paths)
  string(STRIP "${path}" path)
  cmake_path(GET path FILENAME header)
  list(APPEND read "${header}")
endforeach()
list(LENGTH read count)
if(count LESS 10)
  message(FATAL_ERROR "expected libstdc++'s headers in what ${COMPILER} -M says, found ${count}:\n${rule}")
endif()

file(STRINGS "${KNOWN}" known REGEX "^[a-z]")
list(REMOVE_ITEM read ${known})
foreach(header IN LISTS read)
  message(SEND_ERROR "tapeless.hpp reads <${header}>, which it did not before: see -H of the compiler for who includes it")
endforeach()
