# SPDX-License-Identifier: BSL-1.0
# The platform's threads: tl::cpu splits fused kernels over them.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED GLOBAL)
list(APPEND TAPELESS_FOUND Threads)
