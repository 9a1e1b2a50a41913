// SPDX-License-Identifier: BSL-1.0
// Several processes that train one network: mpi, data_parallel; all_reduce and all_gather for models whose
// parts several compute. Beside tapeless.hpp, for those who want it; programs link MPI (tapeless::mpi).
#pragma once

#include <tapeless/cluster/collectives.hpp>
#include <tapeless/cluster/cpu_ranks.hpp>
#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/cluster/mpi.hpp>
