# SPDX-License-Identifier: BSL-1.0
# The windows of compilers that the library is compiled and run in: cell(NAME COMPILER OPTIONS...). Each has passed;
# README.md has them as a table. The options are the compiler's; EIGEN=5 takes Eigen 5 for 3.4, RUN=CPU or
# RUN=EMULATOR says where the program runs that is built for another processor than every x86-64.

foreach(version 12 13)
  foreach(standard 20 23)
    cell(g++-${version}/c++${standard} g++-${version} -std=c++${standard})
  endforeach()
endforeach()
foreach(standard 20 23 26)
  cell(g++-14/c++${standard} g++-14 -std=c++${standard})
endforeach()
foreach(version 18 19 22)
  foreach(standard 20 23 26)
    cell(clang++-${version}/c++${standard} clang++-${version} -std=c++${standard})
  endforeach()
endforeach()
foreach(version 19 22) # Debian installs one of both libraries at a time
  foreach(standard 20 26)
    cell(clang++-${version}/libc++/c++${standard} clang++-${version} -std=c++${standard} -stdlib=libc++)
  endforeach()
endforeach()
foreach(compiler g++-12 clang++-19)
  cell(${compiler}/eigen5 ${compiler} -std=c++20 EIGEN=5)
  foreach(level v3 v4)
    cell(${compiler}/x86-64-${level} ${compiler} -std=c++20 -march=x86-64-${level} RUN=CPU)
  endforeach()
  cell(${compiler}/x86-64-v4/eigen5 ${compiler} -std=c++20 -march=x86-64-v4 EIGEN=5 RUN=CPU)
endforeach()
cell(g++-12/aarch64 aarch64-linux-gnu-g++-12 -std=c++20 RUN=EMULATOR)
cell(g++-12/aarch64/eigen5 aarch64-linux-gnu-g++-12 -std=c++20 EIGEN=5 RUN=EMULATOR)
cell(clang++-19/aarch64 clang++-19 -std=c++20 --target=aarch64-linux-gnu RUN=EMULATOR)
