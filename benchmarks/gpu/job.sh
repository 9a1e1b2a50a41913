#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# job.sh PART NAME LEVEL SOURCE [ARGUMENTS]: compiles, links and runs one program of check.sh's, and adds a line of
# what became of it. LEVEL is the host code's. Programs of the part bench, and those that are to be run without
# others beside them (ARGUMENTS: later), are only built. SOURCE may be several, with commas: they are one source then.
# With PREBUILT nothing is compiled: programs are links to those of that folder.
set -u
part=$1 name=$2 level=$3 source=$4 PREBUILT=${PREBUILT:-}
shift 4
program=$BUILD/bin/$part-$name log=$BUILD/log/$part-$name ran=0 state=passed

line() { printf '{%s}\n' "$1" >>"$RESULT_LINES"; }
text() { tr -d '\\"' | tr -c '[:print:]' ' ' | sed 's/^ *//; s/ *$//' | cut -c1-"${1:-300}"; }
left() { echo $(((FINISH - $(date +%s)) > 1 ? FINISH - $(date +%s) : 1)); }
wait_for() { while [ ! -e "$1" ]; do sleep 0.5; done; }

compile() {
  unit=$BUILD/units/$part-$name.cpp
  : >"$unit"
  for one in ${source//,/ }; do
    case $one in
      "$BUILD"/reference/*) wait_for "$BUILD/prepared" ;; # it may still be generated
    esac
    echo "#include \"$(realpath "$one")\"" >>"$unit"
  done
  # shellcheck disable=SC2086
  timeout "$(left)" $NVCC_LINE "$level" -x cu -c "$unit" -o "$program.o" >"$log" 2>&1
  local code=$? main
  if [ $code = 0 ]; then
    main=
    case $part in ops | kernels | laws | reference) main=$BUILD/catch_main.o ;; esac
    [ "$name" != kernels ] || main=
    [ -z "$main" ] || wait_for "$BUILD/prepared"
    # shellcheck disable=SC2086
    timeout "$(left)" $NVCC_LINE "$program.o" $main $LINK_LINE -o "$program" >>"$log" 2>&1
    code=$?
    rm -f "$program.o"
  fi
  return $code
}

began=$(date +%s)
if [ -z "$PREBUILT" ]; then
  compile
elif [ -x "$PREBUILT/$part-$name" ]; then
  ln -sf "$(realpath "$PREBUILT/$part-$name")" "$program"
else
  echo "there is no $PREBUILT/$part-$name" >"$log" && false
fi
code=$?
built=$(($(date +%s) - began))
if [ $code = 124 ]; then
  state='out of time'
elif [ $code != 0 ]; then
  state='does not compile'
  [ -z "$PREBUILT" ] || state='not built'
elif [ "$part" = bench ] || [ "${1:-}" = later ] || [ "$COMPILE_ONLY" = 1 ]; then
  state=built
else
  began=$(date +%s)
  seconds=$(left)
  timeout -k 3 "$((seconds < 90 ? seconds : 90))" "$program" "$@" >>"$log" 2>&1
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
