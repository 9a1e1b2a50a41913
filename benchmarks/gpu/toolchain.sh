# shellcheck shell=bash
# SPDX-License-Identifier: BSL-1.0
# What check.sh compiles with, found on the machine or in .carry. To be sourced in the repository's root; sets
# NVCC_LINE, CXX_LINE and LINK_LINE, which are exported as text, since arrays cannot be; NCCL, if it is there.
python=${python:-python3}

if [ -z "${CUDA_HOME:-}" ]; then # where nvcc is, if the shell finds it
  nvcc=$(readlink -f "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")
  CUDA_HOME=$(dirname "$(dirname "$nvcc")")
fi
export CUDA_HOME CXX=${CXX:-g++}
export PATH=$CUDA_HOME/bin:$PATH
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' 2>/dev/null)/nvidia

include=${TAPELESS_INCLUDE:-.carry/include}
[ -d "$include" ] || include=/usr/include/eigen3
common=(-std=c++20 -Iinclude -Itests -Iexamples -isystem "$include")
# a test's source takes more than a gigabyte: g++ would look for memory to use again from the first megabytes on
host_limits=-fconstexpr-ops-limit=2000000000,-fconstexpr-loop-limit=100000000,-fconstexpr-depth=4096,-ftemplate-depth=4096
host_memory=--param=ggc-min-heapsize=1000000,--param=ggc-min-expand=100

# What a toolkit without its libraries lacks: cuBLASLt is PyTorch's, too.
toolkit=()
[ -d "$CUDA_HOME/include/cccl" ] || toolkit+=(-isystem .carry/cccl)
cublas=$CUDA_HOME/lib64/libcublasLt.so
if [ ! -e "$CUDA_HOME/include/cublasLt.h" ] || [ ! -e "$cublas" ]; then
  toolkit+=(-isystem "$packages/cu13/include")
  cublas=$packages/cu13/lib/libcublasLt.so.13
fi
LINK_LINE="-Xlinker --no-as-needed,$cublas,-rpath,${cublas%/*}"
for cufft in "$CUDA_HOME/lib64/libcufft.so" "$packages"/cu13/lib/libcufft.so.1?; do # transforms are our own without
  [ -e "$cufft" ] && LINK_LINE+=",$cufft,-rpath,${cufft%/*}" && break
done
for folder in "$CUDA_HOME" "$packages/cudnn"; do
  for cudnn in "$folder"/lib64/libcudnn.so "$folder"/lib/libcudnn.so{,.9}; do
    if [ -e "$cudnn" ] && [ -e "$folder/include/cudnn.h" ]; then
      toolkit+=(-DTAPELESS_HAS_CUDNN -isystem "$folder/include")
      LINK_LINE+=",$cudnn,-rpath,${cudnn%/*}"
      break 2
    fi
  done
done
NCCL=
for folder in "$CUDA_HOME" "$packages/nccl" /usr; do
  for nccl in "$folder"/lib64/libnccl.so "$folder"/lib/libnccl.so{,.2} "$folder"/lib/*/libnccl.so; do
    if [ -e "$nccl" ] && [ -e "$folder/include/nccl.h" ]; then
      [ "$folder" = /usr ] || toolkit+=(-isystem "$folder/include")
      LINK_LINE+=",$nccl,-rpath,${nccl%/*}"
      NCCL=$nccl
      break 2
    fi
  done
done
# The architecture is named: "native" would start a process on the device for each of the compilers.
NVCC_LINE="nvcc --compiler-bindir $CXX -arch=${ARCH:-sm_90} ${common[*]} ${toolkit[*]} --expt-relaxed-constexpr -w"
NVCC_LINE+=" -Xcudafe --max_cost_constexpr_call=2000000000 -Xcicc --max_cost_constexpr_call=2000000000"
NVCC_LINE+=" -Xcompiler $host_limits,$host_memory -DTAPELESS_DEFAULT_POLICY=cuda"
CXX_LINE="$CXX ${common[*]} ${host_limits//,/ }"
export NVCC_LINE CXX_LINE LINK_LINE NCCL
# Programs that were linked on another machine have that one's folders in them: these libraries are found by this.
libraries=$(tr ',' '\n' <<<"$LINK_LINE" | grep '^/.*\.so' | sed 's,/[^/]*$,,' | sort -u | paste -sd:)
export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# Says what is missing, all of it.
require_toolchain() {
  local missing=()
  command -v nvcc >/dev/null || missing+=("nvcc, of CUDA 13, in $CUDA_HOME/bin")
  command -v "$CXX" >/dev/null || missing+=("$CXX: CXX names another compiler")
  for header in Eigen/Core boost/hana.hpp catch2/catch.hpp; do
    [ -e "$include/$header" ] || { [ "$include" = /usr/include/eigen3 ] && [ -e "/usr/include/$header" ]; } ||
      missing+=("$header: vendor.sh brings it")
  done
  [ -d "$CUDA_HOME/include/cccl" ] || [ -d .carry/cccl ] || missing+=("CCCL's headers: vendor.sh brings them")
  [ -e "$cublas" ] || missing+=("cuBLASLt, $cublas")
  [ ${#missing[@]} = 0 ] || printf 'check.sh: there is no %s\n' "${missing[@]}" >&2
  [ ${#missing[@]} = 0 ]
}
