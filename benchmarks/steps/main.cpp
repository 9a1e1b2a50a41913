// SPDX-License-Identifier: BSL-1.0
// The library's steps that benchmarks/compare.py measures, a benchmark each: "784-500-10/32/tapeless".
//
//   steps --rows             prints the rows' names, with operations and bytes of a step
//   steps --write FOLDER     writes each row's first parameters and inputs, for the other programs
//   steps [--threads N] --peak
//                            prints what the machine can do at most: operations and bytes a second
//   steps [--threads N] [--benchmark_...]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tapeless/train/inspect/machine_peak.hpp>

#include "row.hpp"

int main(int argc, char** argv) {
  std::vector<steps::row> rows;
  steps::add_classifiers(rows);
  steps::add_small_networks(rows);
  steps::add_recurrent_networks(rows);
  steps::add_convolutional_networks(rows);
  steps::add_transformers(rows);
  steps::add_large_transformers(rows);
  steps::add_updates(rows);
  steps::add_lookups(rows);

  if (argc == 2 && std::strcmp(argv[1], "--rows") == 0) {
    for (const steps::row& r : rows)
      std::printf("{\"name\": \"%s\", \"operations\": %.6g, \"bytes\": %.6g}\n", r.name.c_str(), r.operations,
                  r.bytes);
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[1], "--write") == 0) {
    for (const steps::row& r : rows) r.write(argv[2]);
    return 0;
  }
  int threads = 1;
  if (argc > 2 && std::strcmp(argv[1], "--threads") == 0) {
    threads = std::atoi(argv[2]);
    argv[2] = argv[0];
    argv += 2;
    argc -= 2;
  }
  if (argc > 1 && std::strcmp(argv[1], "--peak") == 0) {
    const tapeless::machine_peak peak = tapeless::measure_peak(threads);
    std::printf("{\"operations\": %.6g, \"bytes\": %.6g}\n", peak.flops, peak.bandwidth);
    return 0;
  }
  for (const steps::row& r : rows)
    steps::measure(r.name + "/tapeless", [begin = r.begin, threads] { return begin(threads); });
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
