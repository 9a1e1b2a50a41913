#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Everything that needs a GPU, in one call of less than eight minutes: builds with nvcc, runs the laws, the
# reference values and complete user programs on the GPU, some of them under compute-sanitizer, and the
# benchmarks in turns with PyTorch. Writes results.json, results.md and logs to OUT, again after each part,
# so that a run that is cut short leaves files too. README.md says how to carry in what it needs.
#
# Settings, from the environment: OUT, BUILD (build-gpu), JOBS (all processors), LIMIT (470 seconds in all),
# BUILD_LIMIT (250 seconds of these for building and testing), CUDA_HOME (nvcc's, or /usr/local/cuda), ARCH (native),
# PYTHON (python3), CXX (g++), ONLY (a pattern, such as "laws reductions|api|bench|sanitizer"), COMPILE_ONLY (1:
# on a machine without a GPU, with ARCH=sm_90), PYTORCH_ARGUMENTS (more for pytorch.py, such as --no-compile).
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
if [ -z "${CUDA_HOME:-}" ]; then # where nvcc is, if the shell finds it
  nvcc=$(readlink -f "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")
  CUDA_HOME=$(dirname "$(dirname "$nvcc")")
fi
export CUDA_HOME CXX=${CXX:-g++} COMPILE_ONLY=${COMPILE_ONLY:-0}
export PATH=$CUDA_HOME/bin:$PATH
export OUT=${OUT:-benchmarks/gpu/results/$(date +%F)} BUILD=${BUILD:-build-gpu}
python=${PYTHON:-python3}
jobs=${JOBS:-$(nproc)}
only=${ONLY:-}
start=$(date +%s)
finish=$((start + ${LIMIT:-470}))
export TESTS_UNTIL=$((start + ${BUILD_LIMIT:-250}))
mkdir -p "$OUT" "$BUILD"/{reference,api,data}
rm -rf "${BUILD:?}"/{bin,log,programs,prepared}
mkdir -p "$BUILD"/{bin,log,programs}
export LINES=$BUILD/lines.jsonl
: >"$LINES"

carry=.carry
carried() { # NAME: the folder of what was carried, or that beside the repository
  if [ -d "$carry/$1" ]; then echo "$carry/$1"; else echo "../shared/$1"; fi
}
reference=$(carried reference) api=$(carried api) data=$(carried data)
if [ -d $carry/include ]; then include=$carry/include; else include=/usr/include/eigen3; fi
# What a toolkit without its libraries lacks: cuBLASLt is PyTorch's, too.
toolkit=()
[ -d "$CUDA_HOME/include/cccl" ] || toolkit+=(-isystem "$carry/cccl")
cublas=$CUDA_HOME/lib64/libcublasLt.so
if [ ! -e "$CUDA_HOME/include/cublasLt.h" ] || [ ! -e "$cublas" ]; then
  packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/nvidia/cu13
  toolkit+=(-isystem "$packages/include")
  cublas=$packages/lib/libcublasLt.so.13
fi
export LINK_LINE="-Xlinker --no-as-needed,$cublas,-rpath,${cublas%/*}"
for folder in "$CUDA_HOME" "$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/nvidia/cudnn"; do
  for cudnn in "$folder"/lib64/libcudnn.so "$folder"/lib/libcudnn.so{,.9}; do
    if [ -e "$cudnn" ] && [ -e "$folder/include/cudnn.h" ]; then
      toolkit+=(-DTAPELESS_HAS_CUDNN -isystem "$folder/include")
      LINK_LINE+=",$cudnn,-rpath,${cudnn%/*}"
      break 2
    fi
  done
done
common=(-std=c++20 -Iinclude -Itests -Iexamples -isystem "$include")
host_limits=-fconstexpr-ops-limit=2000000000,-fconstexpr-loop-limit=100000000,-fconstexpr-depth=4096,-ftemplate-depth=4096
nvcc=(nvcc --compiler-bindir "$CXX" "-arch=${ARCH:-native}" "${common[@]}" "${toolkit[@]}" --expt-relaxed-constexpr
  -w -Xcudafe --max_cost_constexpr_call=2000000000
  -Xcicc --max_cost_constexpr_call=2000000000 -Xcompiler "$host_limits" -DTAPELESS_DEFAULT_POLICY=cuda)
export NVCC_LINE="${nvcc[*]}" # arrays cannot be exported
export CXX_LINE="$CXX ${common[*]} ${host_limits//,/ }"

line() { printf '{%s}\n' "$1" >>"$LINES"; }
text() { tr -d '\\"' | tr -c '[:print:]' ' ' | sed 's/^ *//; s/ *$//' | cut -c1-"${1:-300}"; }
left() { echo $((($1 - $(date +%s)) > 1 ? $1 - $(date +%s) : 1)); }
export -f line text left

# job PART NAME LEVEL SOURCE [ARGUMENTS]: compiles, links and runs one program, and adds a line of what became
# of it. LEVEL is the host code's. Benchmarks run later, without others beside them.
job() {
  local part=$1 name=$2 level=$3 source=$4 began built ran=0 state=passed detail
  shift 4
  local program=$BUILD/bin/$part-$name log=$BUILD/log/$part-$name
  began=$(date +%s)
  while [ ! -e "$source" ] && [ ! -e "$BUILD/prepared" ]; do sleep 0.5; done # it may still be generated
  # shellcheck disable=SC2086
  timeout "$(left "$TESTS_UNTIL")" $NVCC_LINE "$level" -x cu -c "$source" -o "$program.o" >"$log" 2>&1
  local code=$?
  if [ $code = 0 ]; then
    local main=
    if [ "$part" != bench ] && [ "$part" != api ] && [ "$name" != kernels ]; then
      main=$BUILD/catch_main.o
      while [ ! -e "$BUILD/prepared" ]; do sleep 0.5; done
    fi
    # shellcheck disable=SC2086
    timeout "$(left "$TESTS_UNTIL")" $NVCC_LINE "$program.o" $main $LINK_LINE -o "$program" >>"$log" 2>&1
    code=$?
    rm -f "$program.o"
  fi
  built=$(($(date +%s) - began))
  if [ $code = 124 ]; then
    state='out of time'
  elif [ $code != 0 ]; then
    state='does not compile'
  elif [ "$part" = bench ] || [ "$COMPILE_ONLY" = 1 ]; then
    state=built
  else
    began=$(date +%s)
    timeout 90 "$program" "$@" >>"$log" 2>&1
    code=$?
    ran=$(($(date +%s) - began))
    [ $code = 0 ] || state=failed
    [ $code != 124 ] || state='took too long'
  fi
  case $state in
    passed) detail=$(grep -v '^[=[:space:]]*$' "$log" | tail -1 | text 200) ;;
    'does not compile') detail=$(grep -m1 -i error "$log" | text) ;;
    *) detail=$(grep -v '^[=[:space:]]*$' "$log" | tail -3 | text) ;;
  esac
  line "\"part\": \"$part\", \"name\": \"$name\", \"state\": \"$state\", \"build_seconds\": $built, \"run_seconds\": $ran, \"detail\": \"$detail\""
}
export -f job

# What tests are linked with, and the sources of those with reference values.
parts_of() { # so many sources for a file of reference values
  case $1 in
    ops-elementwise-binary | ops-reductions | ops-losses) echo 12 ;;
    ops-elementwise-unary | ops-shape) echo 6 ;;
    *) echo 4 ;;
  esac
}
prepare() {
  # shellcheck disable=SC2086
  $CXX_LINE -O0 -c tests/catch_main.cpp -o "$BUILD/catch_main.o" >"$BUILD/log/catch_main" 2>&1 &
  # shellcheck disable=SC2086
  if $CXX_LINE -O0 tests/reference/generate.cpp -o "$BUILD/generate" >"$BUILD/log/generate" 2>&1; then
    for file in "$reference"/*.safetensors; do
      name=$(basename "$file" .safetensors)
      case $name in ops-* | second-order) ;; *) continue ;; esac
      "$BUILD/generate" "$file" "$(parts_of "$name")" "$BUILD/reference/$name" >>"$BUILD/log/generate" 2>&1
    done
  fi
  wait
  touch "$BUILD/prepared"
}

# The list of jobs: first those that take the longest.
list_jobs() {
  for name in transformer_768 transformer cnn update mlp small_mlp pointwise; do
    echo "bench $name -O3 benchmarks/gpu/$name.cpp"
  done
  echo "api 06_transformer -O3 $BUILD/api/06_transformer.cpp $data/tinyshakespeare/input.txt"
  echo "api 04_optimizers -O3 $BUILD/api/04_optimizers.cpp"
  echo "api 02_mnist -O3 $BUILD/api/02_mnist.cpp $BUILD/data"
  for name in 01_custom_loop 03_derivatives 05_custom_op; do echo "api $name -O3 $BUILD/api/$name.cpp"; done
  echo "ops kernels -O0 tests/cuda/kernels.cu"
  for name in extremes kinks pool; do echo "ops $name -O0 tests/ops/$name.cpp"; done
  for source in tests/laws/losses_*.cpp tests/laws/[!l]*.cpp tests/laws/loops.cpp; do
    echo "laws $(basename "$source" .cpp) -O0 $source"
  done
  for file in "$reference"/*.safetensors; do
    name=$(basename "$file" .safetensors)
    case $name in ops-* | second-order) ;; *) continue ;; esac
    for ((i = 0; i < $(parts_of "$name"); ++i)); do
      echo "reference ${name}_$i -O0 $BUILD/reference/${name}_$i.cpp"
    done
  done
}

# sanitize TOOL PROGRAM [ARGUMENTS]
sanitize() {
  local tool=$1 program=$2 name log state began code
  shift 2
  name=$tool-$program
  log=$BUILD/log/sanitizer-$name
  began=$(date +%s)
  if [ ! -x "$BUILD/bin/$program" ]; then
    state='not built'
    : >"$log"
  else
    timeout 60 compute-sanitizer --tool "$tool" --error-exitcode 9 "$BUILD/bin/$program" "$@" >"$log" 2>&1
    code=$?
    state=passed
    [ $code = 0 ] || state=failed
    [ $code != 124 ] || state='took too long'
  fi
  line "\"part\": \"sanitizer\", \"name\": \"$name\", \"state\": \"$state\", \"build_seconds\": 0, \"run_seconds\": $(($(date +%s) - began)), \"detail\": \"$(tail -3 "$log" | text 200)\""
}

report() {
  "$python" benchmarks/gpu/report.py "$LINES" "$OUT"
  for log in "$BUILD"/log/*; do # the ends of the logs of what failed
    name=$(basename "$log")
    [ -s "$log" ] || continue
    if grep -q "\"name\": \"${name#*-}\", \"state\": \"\(passed\|built\)\"" "$LINES"; then continue; fi
    printf '\n== %s\n' "$name"
    tail -c 3000 "$log" | cut -c1-400
  done >"$OUT/failures.log"
  truncate -s '<1M' "$OUT/failures.log"
}

gpu() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -1 | text; }
commit=$(git describe --always --dirty 2>/dev/null || echo "${COMMIT:-unknown}")
line "\"part\": \"machine\", \"date\": \"$(date -u +%FT%TZ)\", \"commit\": \"$commit\", \"gpu\": \"$(gpu name)\", \"driver\": \"$(gpu driver_version)\", \"nvcc\": \"$(nvcc --version | tail -2 | head -1 | text)\", \"host_compiler\": \"$("$CXX" --version | head -1 | text)\", \"processor\": \"$(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | text)\", \"processors\": $(nproc), \"jobs\": $jobs, \"kernel\": \"$(uname -r | text)\""

# Programs that name tl::cpu get the GPU in its place; compressed data is unpacked, so that no zlib is needed.
for source in "$api"/0*.cpp; do
  sed 's/tl::cpu{}/tl::default_policy{}/' "$source" >"$BUILD/api/$(basename "$source")"
done
for file in "$data"/mnist/*.gz; do gunzip -c "$file" >"$BUILD/data/$(basename "$file" .gz)"; done

prepare &
list_jobs | grep -E "^($only)" | xargs -P "$jobs" -L 1 bash -c 'job "$@"' job
wait
line "\"part\": \"phase\", \"name\": \"built and tested\", \"seconds\": $(($(date +%s) - start))"
report

if [[ sanitizer =~ ^($only) ]] && [ "$COMPILE_ONLY" = 0 ]; then
  sanitize memcheck laws-reductions 'laws: sum_of_rows,laws: logsumexp' &
  sanitize memcheck laws-views 'laws: *' &
  sanitize memcheck ops-kernels &
  sanitize memcheck api-01_custom_loop &
  sanitize racecheck laws-reductions 'laws: sum_of_middle' &
  wait
  line "\"part\": \"phase\", \"name\": \"sanitized\", \"seconds\": $(($(date +%s) - start))"
  report
fi

if compgen -G "$BUILD/bin/bench-*" >/dev/null && [ "$COMPILE_ONLY" = 0 ]; then
  for program in "$BUILD"/bin/bench-*; do ln -sf "$(realpath "$program")" "$BUILD/programs/${program##*/bench-}"; done
  # shellcheck disable=SC2086
  timeout -k 3 "$(left $((finish - 5)))" "$python" -u benchmarks/gpu/pytorch.py --programs "$BUILD/programs" \
    ${PYTORCH_ARGUMENTS:-} >>"$LINES" 2>"$BUILD/log/pytorch"
  line "\"part\": \"phase\", \"name\": \"benchmarks, status $?\", \"seconds\": $(($(date +%s) - start))"
  # without PyTorch, our own figures alone
  if ! grep -q '"variant": "tapeless"' "$LINES"; then
    for name in small_mlp mlp update pointwise transformer cnn transformer_768; do
      timeout "$(left $finish)" "$BUILD/programs/$name" >>"$LINES" 2>>"$BUILD/log/pytorch"
    done
  fi
fi
report
cat "$OUT/results.md"
