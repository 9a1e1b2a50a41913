// SPDX-License-Identifier: BSL-1.0
// save_checkpoint of a trainer that is one of several: rank 0 writes.
#pragma once

#include <string>

#include <tapeless/cluster/data_parallel.hpp>
#include <tapeless/train/files/checkpoint_file.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tapeless {

/// Rank 0 writes the file; a call of another rank does nothing. The file is that of a trainer by the rule
/// alone, without data_parallel: it goes on with any number of ranks, or as one process. Where states are
/// divided, all ranks call it together. Throws an error where gradients wait for their update, which each
/// rank has a part of.
template <class Model, class Rule, class Ranks, class Policy, class Timing>
void save_checkpoint(trainer<Model, data_parallel_rule<Rule, Ranks>, Policy, Timing>& net,
                     const std::string& path, const fit_state& kept = {}) {
  net.collect_for_checkpoint("save_checkpoint");
  using net_type = trainer<Model, data_parallel_rule<Rule, Ranks>, Policy, Timing>;
  if (net.group().rank() == 0) save_checkpoint<net_type>(net, path, kept);  // that of any trainer
}

}  // namespace tapeless
