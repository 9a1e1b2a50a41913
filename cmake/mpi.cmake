# SPDX-License-Identifier: BSL-1.0
# What else a program links that includes <tapeless/mpi.hpp>, where MPI is found (MPI_HOME says where):
#   tapeless::mpi  tapeless::tapeless and MPI
# A file of the installed package too, since MPI belongs to the machine.

if(NOT TARGET MPI::MPI_CXX)
  set(MPI_CXX_SKIP_MPICXX ON) # MPI's own classes for C++, which have gone from it
  find_package(MPI QUIET COMPONENTS CXX)
endif()
if(TARGET MPI::MPI_CXX AND NOT TARGET tapeless::mpi)
  add_library(tapeless::mpi INTERFACE IMPORTED GLOBAL)
  target_link_libraries(tapeless::mpi INTERFACE tapeless::tapeless MPI::MPI_CXX)
endif()
