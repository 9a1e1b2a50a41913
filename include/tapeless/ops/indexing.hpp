// SPDX-License-Identifier: BSL-1.0
// All operations that index.
#pragma once

#include <tapeless/ops/indexing/bincount.hpp>
#include <tapeless/ops/indexing/cummax.hpp>
#include <tapeless/ops/indexing/embedding.hpp>
#include <tapeless/ops/indexing/embedding_bag.hpp>
#include <tapeless/ops/indexing/full.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/indexing/index_add.hpp>
#include <tapeless/ops/indexing/index_copy.hpp>
#include <tapeless/ops/indexing/index_fill.hpp>
#include <tapeless/ops/indexing/index_select.hpp>
#include <tapeless/ops/indexing/index_slices.hpp>
#include <tapeless/ops/indexing/index_values.hpp>
#include <tapeless/ops/indexing/iota.hpp>
#include <tapeless/ops/indexing/linspace.hpp>
#include <tapeless/ops/indexing/masked_fill.hpp>
#include <tapeless/ops/indexing/masked_select.hpp>
#include <tapeless/ops/indexing/median.hpp>
#include <tapeless/ops/indexing/one_hot.hpp>
#include <tapeless/ops/indexing/ones.hpp>
#include <tapeless/ops/indexing/put.hpp>
#include <tapeless/ops/indexing/quantile.hpp>
#include <tapeless/ops/indexing/replace_rows.hpp>
#include <tapeless/ops/indexing/scatter.hpp>
#include <tapeless/ops/indexing/scatter_add.hpp>
#include <tapeless/ops/indexing/scatter_extreme.hpp>
#include <tapeless/ops/indexing/scatter_reduce.hpp>
#include <tapeless/ops/indexing/searchsorted.hpp>
#include <tapeless/ops/indexing/sort.hpp>
#include <tapeless/ops/indexing/take_along.hpp>
#include <tapeless/ops/indexing/times_named.hpp>
#include <tapeless/ops/indexing/topk.hpp>
#include <tapeless/ops/indexing/unique.hpp>
#include <tapeless/ops/indexing/zeros.hpp>
