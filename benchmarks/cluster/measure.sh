#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# benchmarks/cluster/measure.sh OUTPUT.md [ROUNDS]: steps of one and two processes, on this machine and, as root,
# between two network namespaces with 10 and 1 Gbit/s, which stand in for two hosts, and on a link where messages take
# 0.5 and 5 ms (delay.py); and what to expect of more ranks.
# Needs Open MPI, Eigen and, for the namespaces, iproute2, for the link Python and /dev/net/tun.
set -eu
output=$1
rounds=${2:-30}
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
folder=$(mktemp -d)
table=$folder/table
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_rmaps_base_oversubscribe=1

link=
remove() {
  [ -z "$link" ] || kill "$link" 2> /dev/null || true
  ip netns del tapeless_one 2> /dev/null || true
  ip netns del tapeless_two 2> /dev/null || true
  rm -rf "$folder"
}
trap remove EXIT

${CXX:-g++} -std=c++20 -O3 -march=native -DNDEBUG -fconstexpr-ops-limit=2000000000 -fconstexpr-loop-limit=100000000 \
  -fconstexpr-depth=4096 -ftemplate-depth=4096 -isystem "${EIGEN:-/usr/include/eigen3}" "-I$source/include" \
  $(mpicxx --showme:compile) -w "$here/steps.cpp" -o "$folder/steps" -pthread $(mpicxx --showme:link)

echo "one process" >&2
"$folder/steps" "$rounds" | sed 's/^|/| alone |/' > "$table"
echo "two processes" >&2
mpirun -n 2 "$folder/steps" "$rounds" | sed 's/^|/| shared memory |/' >> "$table"

# Nothing is bound: each namespace has a daemon of its own, which would bind its rank to the first core.
# As ssh would, in the other namespace, which has another host's name.
cat > "$folder/agent" << 'AGENT'
#!/bin/sh
shift
exec ip netns exec tapeless_two unshare --uts sh -c "hostname tapeless-two; $*"
AGENT
chmod +x "$folder/agent"
if ip netns add tapeless_one 2> /dev/null; then
  ip netns add tapeless_two
  ip link add tapeless_a netns tapeless_one type veth peer name tapeless_b netns tapeless_two
  ip -n tapeless_one addr add 10.77.0.1/24 dev tapeless_a
  ip -n tapeless_two addr add 10.77.0.2/24 dev tapeless_b
  for one in "tapeless_one tapeless_a" "tapeless_two tapeless_b"; do
    set -- $one
    ip -n "$1" link set lo up
    ip -n "$1" link set "$2" up
  done
  # Steps between the two, over the network that $1 begins with, in rows of the network $2.
  steps_between() {
    ip netns exec tapeless_one mpirun --mca plm_rsh_agent "$folder/agent" --mca pml ob1 --mca btl tcp,self \
      --mca btl_tcp_if_include "$1.0/24" --mca oob_tcp_if_include 10.77.0.0/24 --bind-to none \
      --host 10.77.0.1:1,10.77.0.2:1 -n 2 "$folder/steps" "$rounds" | sed "s/^|/| $2 |/" >> "$table"
  }
  if [ -c /dev/net/tun ] && command -v python3 > /dev/null; then
    for delay in 5 0.5; do
      echo "two namespaces, $delay ms, 1 Gbit/s" >&2
      chrt -f 50 python3 "$here/delay.py" tapeless_one tapeless_two "$delay" > "$folder/ready" &
      link=$!
      until [ -s "$folder/ready" ]; do sleep 0.1; done
      steps_between 10.78.0 "TCP, 1 Gbit\/s, $delay ms"
      kill "$link"
      wait "$link" || true
      rm "$folder/ready"
    done
  fi
  for speed in 10 1; do
    echo "two namespaces, $speed Gbit/s" >&2
    for one in "tapeless_one tapeless_a" "tapeless_two tapeless_b"; do
      set -- $one
      ip netns exec "$1" tc qdisc replace dev "$2" root tbf rate "${speed}gbit" burst 1mb latency 100ms
    done
    steps_between 10.77.0 "TCP, $speed Gbit\/s"
  done
else
  echo "no network namespaces: not root?" >&2
fi

# A step of n ranks is a step alone (the processor's time), and what of the gradients' way is not hidden behind the
# backward pass, two thirds of it: at least the last bucket. Each bucket is 2 (n - 1) messages of a rank, of 2 us each.
expect() {
  awk -F'|' -v name="$1" '
    $3 ~ name && $4 == 1 && $5 == " at the end " { alone = $7 / 1e3 }
    $3 ~ name && $4 == 2 && $5 == " at the end " { bytes = $8 }
    $3 ~ name && /buckets/ { split($3, words, " "); buckets[words[3] + 0] = words[4]; last[words[3] + 0] = words[10] }
    END {
      message = 2e-6
      printf "%s: T = %.1f ms, %d bytes of gradients\n\n", name, 1e3 * alone, bytes
      print "| ranks | buckets | bytes of the last one | 10 Gbit/s, at the end | overlapped | 100 Gbit/s, at the end | overlapped |"
      print "|---|---:|---:|---:|---:|---:|---:|"
      for (n = 8; n <= 1024; n *= n == 512 ? 2 : 8) {
        line = "| " n " | " buckets[n] " | " last[n] " |"
        for (speed = 10; speed <= 100; speed *= 10) {
          way = 2 * (n - 1) / n * 8 / (speed * 1e9)
          end = way * bytes + 2 * (n - 1) * message
          left = way * bytes + buckets[n] * 2 * (n - 1) * message - alone * 2 / 3
          least = way * last[n] + 2 * (n - 1) * message
          if (left < least) left = least
          line = line sprintf(" %.0f %% | %.0f %% |", 100 * alone / (alone + end), 100 * alone / (alone + left))
        }
        print line
      }
      print ""
    }' "$table"
}

{
  echo "# Steps of several processes: $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(date +%F)"
  echo
  echo "benchmarks/cluster/measure.sh: the median of $rounds rounds in which all ways take turns; milliseconds of the"
  echo "slowest rank, of the processor (waiting, too), and bytes that rank 0 has received in a step. One thread each."
  echo
  echo "| where | network | ranks | gradients travel | ms a step | ms of the processor | bytes |"
  echo "|---|---|---:|---|---:|---:|---:|"
  cat "$table"
  echo
  echo "## To expect of more"
  echo
  expect 784-500-10
  expect 784-500-500-10
  expect api/06
} > "$output"
