// SPDX-License-Identifier: BSL-1.0
// The kernel families: those that are listed here have tables in plans, and commands that run them.
#pragma once

#include <tapeless/plan/families/kernel_family.hpp>
#include <tapeless/plan/families/planned_attention.hpp>
#include <tapeless/plan/families/planned_convolution.hpp>
#include <tapeless/plan/families/planned_fourier.hpp>
#include <tapeless/plan/families/planned_gather.hpp>
#include <tapeless/plan/families/planned_matrix_function.hpp>
#include <tapeless/plan/families/planned_pooling.hpp>
#include <tapeless/plan/families/planned_prefix_scan.hpp>
#include <tapeless/plan/families/planned_scatter.hpp>
#include <tapeless/plan/families/planned_sort.hpp>

namespace tapeless {

using kernel_families =
    family_list<planned_convolution, planned_pooling, planned_gather, planned_scatter, planned_prefix_scan,
                planned_sort, planned_matrix_function, planned_fourier, planned_attention>;

}  // namespace tapeless
