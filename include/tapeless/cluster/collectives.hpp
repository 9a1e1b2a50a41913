// SPDX-License-Identifier: BSL-1.0
// Values of several processes as expressions, with derivatives of every order.
#pragma once

#include <tapeless/cluster/collectives/all_gather.hpp>
#include <tapeless/cluster/collectives/all_reduce.hpp>
#include <tapeless/cluster/collectives/own_part.hpp>
#include <tapeless/cluster/collectives/sync_batch_norm.hpp>
#include <tapeless/cluster/collectives/vary_by_rank.hpp>
