// SPDX-License-Identifier: BSL-1.0
// data_parallel(gpus, rule): several processes with a GPU each train one network.
#pragma once

#include <utility>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/cluster/device_exchange.hpp>

namespace tapeless {

namespace detail {

template <>
struct travel_of<nccl> {
  using options = nccl_options;
  static process_group& group(nccl& ranks) { return ranks.world(); }
};

}  // namespace detail

/// The rule, for processes that train one network together, with a GPU each:
///   tl::mpi world(argc, argv);
///   tl::nccl gpus(world);
///   tl::trainer net{model, tl::data_parallel(gpus, tl::adamw({...})), tl::cuda{.device = gpus.device()}};
/// As data_parallel(world, rule), but gradients go from GPU to GPU by NCCL, on a stream of their own in the
/// graph of the step: while the backward pass goes on. Nothing of them comes to the CPU.
///
/// NCCL does not document in which order it adds up. Its developers say that all ranks get the same bits
/// (NVIDIA/nccl issue 855), and so all have the same weights; and that sums in an NVLink switch may have
/// other bits from call to call (issue 1497), which NCCL_NVLS_ENABLE=0 turns off. data_parallel(world, rule),
/// with the same trainer, adds up on the CPU in the order of ranks: the same bits each time. So does
/// compression, on the GPUs.
///
/// With eager_updates each parameter's update stands in the graph of the step, behind the sum of its own
/// gradients: where a rank is gone, the others' weights are then not those of the last update.
template <class Rule>
auto data_parallel(nccl& gpus, Rule rule, const nccl_options& options = {}) {
  if constexpr (detail::can_be_parallel<Rule>()) {
    return data_parallel_rule<Rule, nccl>(gpus, std::move(rule), options);
  } else {
    return erroneous{};
  }
}

}  // namespace tapeless
