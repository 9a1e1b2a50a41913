#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Everything that needs a GPU, in three calls of less than nine minutes each, on a machine with 16 processors that
# has nothing of this project but its source and .carry, which vendor.sh fills:
#
#   check.sh bench      the figures: our programs alone, then in turns with PyTorch
#   check.sh tests      operations, laws, reference values, complete user programs
#   check.sh speedrun   CIFAR-10 to 94 per cent, then kernels under compute-sanitizer
#
# Each writes lines.jsonl, results.json, results.md and failures.log to OUT, anew after each stage, so that a call
# that is killed has lost no more than the stage that it was in.
#
# Compiling is most of the work, and needs no GPU. Where the time on one is short, a machine of the same processor
# compiles, and PREBUILT names its folder of programs on the other, which then compiles nothing:
#
#   COMPILE_ONLY=1 BUILD=build-gpu-tests LIMIT=3600 check.sh tests      here
#   PREBUILT=build-gpu-tests/bin check.sh tests                         there
#
# Settings, from the environment: OUT, BUILD (build-gpu), JOBS (all processors), LIMIT (525 seconds in all),
# CUDA_HOME (nvcc's, or /usr/local/cuda), ARCH (sm_90), PYTHON (python3), CXX (g++), ONLY (a pattern of jobs, such as
# "laws|ops kernels"), COMPILE_ONLY (1: on a machine without a GPU), PREBUILT (none), PYTORCH_ARGUMENTS (more for
# pytorch.py, such as --no-compile); TAPELESS_INCLUDE, TAPELESS_REFERENCE_DIR and TAPELESS_DATA_DIR in place of .carry, TAPELESS_API_DIR
# in place of tests/api.
set -u
what=${1:-}
case $what in
  bench | tests | speedrun) ;;
  *) echo "check.sh bench|tests|speedrun" >&2 && exit 2 ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
start=$(date +%s)
export FINISH=$((start + ${LIMIT:-525})) COMPILE_ONLY=${COMPILE_ONLY:-0}
export PREBUILT=${PREBUILT:-}
export OUT=${OUT:-benchmarks/gpu/results/$(date +%F)-$what} BUILD=${BUILD:-build-gpu}
python=${PYTHON:-python3} jobs=${JOBS:-$(nproc)} only=${ONLY:-}
. benchmarks/gpu/toolchain.sh

[ -n "$PREBUILT" ] || require_toolchain || exit 2
rm -rf "${BUILD:?}"
mkdir -p "$OUT" "$BUILD"/{bin,log,programs,units,reference,api,data}
export RESULT_LINES=$OUT/lines.jsonl # not LINES, which is the height of bash's window
: >"$RESULT_LINES"

carried() { # NAME FOLDER OTHERWISE: the folder that is named, or what was carried, or the last
  if [ -n "$2" ]; then echo "$2"; elif [ -d ".carry/$1" ]; then echo ".carry/$1"; else echo "$3"; fi
}
reference=$(carried reference "${TAPELESS_REFERENCE_DIR:-}" tests/reference/data)
data=$(carried data "${TAPELESS_DATA_DIR:-}" ../shared/data) api=${TAPELESS_API_DIR:-tests/api}

line() { printf '{%s}\n' "$1" >>"$RESULT_LINES"; }
text() { tr -d '\\"' | tr -c '[:print:]' ' ' | sed 's/^ *//; s/ *$//' | cut -c1-"${1:-300}"; }
left() { echo $(((FINISH - $(date +%s)) > 1 ? FINISH - $(date +%s) : 1)); }
at_most() { # SECONDS: or those that are left
  local seconds
  seconds=$(left)
  echo $((seconds < $1 ? seconds : $1))
}
report() {
  "$python" benchmarks/gpu/report.py "$RESULT_LINES" "$OUT"
  for log in "$BUILD"/log/*; do # the ends of the logs of what failed
    name=$(basename "$log")
    [ -s "$log" ] || continue
    if grep -q "\"name\": \"${name#*-}\", \"state\": \"\(passed\|built\)\"" "$RESULT_LINES"; then continue; fi
    printf '\n== %s\n' "$name"
    tail -c 3000 "$log" | cut -c1-400
  done >"$BUILD/failures.log"
  head -c 1M "$BUILD/failures.log" >"$OUT/failures.log"
}
stage_done() { # NAME
  line "\"part\": \"phase\", \"name\": \"$1\", \"seconds\": $(($(date +%s) - start))"
  report
}

# Runs the jobs of a list, whose longest come first, and reports every ten seconds.
run_jobs() {
  while sleep 10; do report; done >/dev/null 2>&1 &
  local reporter=$!
  grep -E "^($only)" | xargs -P "$jobs" -L 1 bash benchmarks/gpu/job.sh
  kill $reporter
  wait $reporter 2>/dev/null
}

gpu() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -1 | text; }
commit=${COMMIT:-$(git describe --always --dirty 2>/dev/null || echo unknown)}
line "\"part\": \"machine\", \"date\": \"$(date -u +%FT%TZ)\", \"commit\": \"$commit\", \"call\": \"$what\", \"gpu\": \"$(gpu name)\", \"driver\": \"$(gpu driver_version)\", \"nvcc\": \"$(nvcc --version | tail -2 | head -1 | text)\", \"host_compiler\": \"$("$CXX" --version | head -1 | text)\", \"processor\": \"$(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | text)\", \"processors\": $(nproc), \"jobs\": $jobs, \"kernel\": \"$(uname -r | text)\""
report

programs=(small_mlp mlp update pointwise transformer cnn transformer_768)

# 23 seconds of one processor for arrays, 27 for small models, 31 for cnn, 40 for transformer_768.
bench() {
  for name in transformer_768 transformer cnn update mlp small_mlp pointwise; do
    echo "bench $name -O3 benchmarks/gpu/$name.cpp"
  done | run_jobs
  stage_done built
  [ "$COMPILE_ONLY" = 0 ] || return
  for name in "${programs[@]}"; do # figures of our own first
    [ -x "$BUILD/bin/bench-$name" ] || continue
    ln -sf "$(realpath "$BUILD/bin/bench-$name")" "$BUILD/programs/$name"
    timeout -k 3 "$(at_most 40)" "$BUILD/programs/$name" >>"$RESULT_LINES" 2>"$BUILD/log/alone-$name"
  done
  stage_done 'measured alone'
  # shellcheck disable=SC2086
  timeout -k 3 "$(left)" "$python" -u benchmarks/gpu/pytorch.py --programs "$BUILD/programs" \
    --after "$python benchmarks/gpu/report.py $RESULT_LINES $OUT" \
    ${PYTORCH_ARGUMENTS:-} >>"$RESULT_LINES" 2>"$BUILD/log/pytorch"
  stage_done "compared, status $?"
}

# Reference values in so many sources for each file: a source is 20 to 60 seconds' work.
parts_of() {
  case $1 in
    ops-elementwise-binary) echo 6 ;;
    ops-reductions | ops-losses) echo 6 ;;
    ops-elementwise-unary | ops-recurrent | ops-conv) echo 3 ;;
    *) echo 2 ;;
  esac
}
reference_files() {
  for file in "$reference"/ops-*.safetensors "$reference"/second-order.safetensors; do
    basename "$file" .safetensors
  done
}
prepare() {
  # shellcheck disable=SC2086
  $CXX_LINE -O0 -c tests/catch_main.cpp -o "$BUILD/catch_main.o" >"$BUILD/log/catch_main" 2>&1 &
  # shellcheck disable=SC2086
  if $CXX_LINE -O0 tests/reference/generate.cpp -o "$BUILD/generate" >"$BUILD/log/generate" 2>&1; then
    for name in $(reference_files); do
      "$BUILD/generate" "$reference/$name.safetensors" "$(parts_of "$name")" "$BUILD/reference/$name" \
        >>"$BUILD/log/generate" 2>&1
    done
  fi
  wait
  touch "$BUILD/prepared"
}
prepare_programs() { # those that name tl::cpu get the GPU in its place
  for source in "$api"/0*.cpp; do
    sed 's/tl::cpu{}/tl::default_policy{}/' "$source" >"$BUILD/api/$(basename "$source")"
  done
}
# Tests of kernels that compare their stand-in on the CPU with the CPU: the GPU stands in its place.
kernels=(batch_kernel gather_kernel map_kernel prefix_scan_kernel reduce_batch rows scatter_kernel)
prepare_kernels() {
  local name on_gpu='s/thrust_host\/thrust_host.hpp/cuda\/cuda.hpp/; s/tl::thrust_host/tl::cuda/g'
  mkdir -p "$BUILD/kernels/run/gpu"
  sed "$on_gpu" tests/run/gpu/both.hpp >"$BUILD/kernels/run/gpu/both.hpp"
  for name in "${kernels[@]}"; do
    sed "$on_gpu" "tests/run/gpu/kernels/$name.cpp" >"$BUILD/kernels/$name.cpp"
  done
}

operations=(kinks pool ordering reductions views recurrent_sequences indexing/gather indexing/full
  indexing/quantile control/scan reduction/argmax reduction/cumprod reduction/cumsum shape/movedim linalg/decompositions
  linalg/einsum random/normal random/bernoulli spatial/grid_sample spatial/interpolate spatial/max_unpool spatial/unfold)

# Seconds of one processor, measured where there was no GPU: extremes about 90, kernels 43, a program 35 to 46, other
# files of operations 29, two files of laws 49 to 54, a part of reference values 25 to 30; in all 2,300 with five files of
# operations, by 16 processors 145 and more.
list_tests() {
  echo "ops extremes -O0 tests/ops/extremes.cpp"
  echo "api 06_transformer -O1 $BUILD/api/06_transformer.cpp $data/tinyshakespeare/input.txt"
  echo "api 04_optimizers -O1 $BUILD/api/04_optimizers.cpp"
  echo "api 02_mnist -O1 $BUILD/api/02_mnist.cpp $BUILD/data"
  echo "ops kernels -O0 tests/cuda/kernels.cu"
  [ -z "$NCCL" ] || echo "api nccl -O0 tests/cuda/nccl.cu" # as many ranks as there are devices, at most 4
  for name in 01_custom_loop 03_derivatives 05_custom_op; do echo "api $name -O1 $BUILD/api/$name.cpp"; done
  for name in "${operations[@]}"; do echo "ops $(basename "$name") -O0 tests/ops/$name.cpp"; done
  for name in "${kernels[@]}"; do echo "kernels $name -O0 $BUILD/kernels/$name.cpp"; done
  local laws half i # two in one source: what they include is compiled once
  mapfile -t laws < <(find tests/laws -name '*.cpp' | sort)
  half=$(((${#laws[@]} + 1) / 2))
  for ((i = 0; i < half; ++i)); do
    echo "laws $(basename "${laws[i]}" .cpp) -O0 ${laws[i]}${laws[i + half]:+,${laws[i + half]}}"
  done
  for name in $(reference_files); do
    for ((i = 0; i < $(parts_of "$name"); ++i)); do
      echo "reference ${name}_$i -O0 $BUILD/reference/${name}_$i.cpp"
    done
  done
}
tests() {
  prepare_programs
  prepare_kernels
  [ -n "$NCCL" ] ||
    line "\"part\": \"api\", \"name\": \"nccl\", \"state\": \"not built\", \"build_seconds\": 0, \"run_seconds\": 0, \"detail\": \"there is no NCCL\""
  for file in "$data"/mnist/*.gz; do # so that no zlib is needed
    gunzip -c "$file" >"$BUILD/data/$(basename "$file" .gz)"
  done
  [ -n "$PREBUILT" ] || prepare &
  list_tests | run_jobs
  stage_done tested
}

# sanitize TOOL SECONDS PROGRAM [ARGUMENTS]
sanitize() {
  local tool=$1 seconds=$2 program=$3 name=$1-$3${4:+-$4} state=passed began code
  local log=$BUILD/log/sanitizer-$name
  shift 3
  began=$(date +%s)
  if [ -z "$sanitizer" ] || [ ! -x "$BUILD/bin/$program" ]; then
    state='not built'
    echo "${sanitizer:-there is no compute-sanitizer}" >"$log"
  else
    timeout -k 3 "$(at_most "$seconds")" "$sanitizer" --tool "$tool" --error-exitcode 9 "$BUILD/bin/$program" "$@" \
      >"$log" 2>&1
    code=$?
    [ $code = 0 ] || state=failed
    [ $code != 124 ] || state='took too long'
  fi
  line "\"part\": \"sanitizer\", \"name\": \"$name\", \"state\": \"$state\", \"build_seconds\": 0, \"run_seconds\": $(($(date +%s) - began)), \"detail\": \"$(tail -3 "$log" | text 200)\""
}
# 84 seconds of one processor for the training program.
speedrun() {
  prepare_programs
  local decoder=
  if [ ! -e "$data/cifar10/to_binary.py" ]; then
    echo "there is no $data/cifar10: vendor.sh brings it" >"$BUILD/log/to_binary"
  elif [ "$COMPILE_ONLY" = 0 ]; then
    "$python" "$data/cifar10/to_binary.py" "$BUILD/data/cifar10" >"$BUILD/log/to_binary" 2>&1 &
    decoder=$!
  fi
  {
    echo "speedrun cifar10 -O2 examples/cifar10_speedrun/cifar10_speedrun.cpp later"
    echo "ops kernels -O0 tests/cuda/kernels.cu later"
    echo "api 01_custom_loop -O1 $BUILD/api/01_custom_loop.cpp later"
  } | run_jobs
  [ -z "$decoder" ] || wait "$decoder"
  stage_done 'built, decoded'
  [ "$COMPILE_ONLY" = 0 ] || return
  local began code=0 state=passed log=$BUILD/log/speedrun-94 detail
  began=$(date +%s)
  timeout -k 3 "$(at_most 180)" "$BUILD/bin/speedrun-cifar10" "$BUILD/data/cifar10" >"$log" 2>&1 || code=$?
  [ $code = 0 ] || state=failed
  [ $code != 124 ] || state='took too long'
  cp "$log" "$OUT/speedrun.log"
  detail=$(tail -2 "$log" | text)
  line "\"part\": \"speedrun\", \"name\": \"94\", \"state\": \"$state\", \"build_seconds\": 0, \"run_seconds\": $(($(date +%s) - began)), \"detail\": \"$detail\""
  stage_done 'CIFAR-10'
  # One after the other, with few rows: a sanitizer makes a program up to a hundred times slower. Races and barriers are
  # looked for without attention: those that are reported within cuDNN's kernels of it are cuDNN's.
  sanitizer=$(command -v compute-sanitizer || find "$CUDA_HOME" /usr/local /opt/nvidia -name compute-sanitizer \
    -type f -perm -u+x 2>/dev/null | head -1)
  sanitize memcheck 90 ops-kernels float 100
  report
  sanitize racecheck 90 ops-kernels float 100
  report
  sanitize memcheck 40 api-01_custom_loop
  sanitize memcheck 40 ops-kernels attention
  report
  sanitize initcheck 60 ops-kernels float 100
  sanitize synccheck 60 ops-kernels float 100
  stage_done sanitized
}

$what
cat "$OUT/results.md"
