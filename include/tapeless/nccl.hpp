// SPDX-License-Identifier: BSL-1.0
// Several processes with a GPU each that train one network: nccl, and data_parallel by it. Beside
// tapeless.hpp, in sources that nvcc compiles; programs link NCCL (tapeless::nccl). Of more than one process,
// tapeless/mpi.hpp too.
#pragma once

#include <tapeless/cluster/nccl.hpp>
#include <tapeless/cluster/nccl_data_parallel.hpp>
