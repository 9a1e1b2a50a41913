// SPDX-License-Identifier: BSL-1.0
// What Thrust's headers find when they look for the CUDA toolkit, even where there is one: none.
#pragma once

#define CUDART_VERSION 13000
#undef _CCCL_HAS_CTK
#define _CCCL_HAS_CTK() 0
