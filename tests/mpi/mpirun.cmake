# SPDX-License-Identifier: BSL-1.0
# Open MPI as tests need it: as root too, with more ranks than cores, and in containers, which forbid one process to
# read another one's memory.
set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)
set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
set(ENV{OMPI_MCA_rmaps_base_oversubscribe} 1)
set(ENV{OMPI_MCA_btl_vader_single_copy_mechanism} none)
