// SPDX-License-Identifier: BSL-1.0
// What a profile of a step shows: its kernels with their times, as a table and as a trace.
#pragma once

#include <string>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/json_string.hpp>
#include <tapeless/train/inspect/extent_polynomial.hpp>
#include <tapeless/train/inspect/machine_peak.hpp>
#include <tapeless/train/inspect/text_table.hpp>
#include <tapeless/train/loop/measurement_text.hpp>

namespace tapeless {

/// A kernel of a step, or of one iteration of its loop.
struct profiled_kernel {
  int command = 0;  ///< its place in the plan
  std::string kind, operations, shape, phase, layer;
  std::int64_t calls = 0;  ///< in a step
  double seconds = 0;      ///< of all its calls in a step: the median of the steps that were measured
  double flops = 0;        ///< operations of all its calls, as summary counts them
  double bytes = 0;        ///< that are read or written
};

/// When a kernel ran, in seconds from the first one of its step.
struct traced_call {
  int kernel = 0;
  double begin = 0, end = 0;
};

/// The kernels of a step, in their order.
struct step_profile {
  std::vector<profiled_kernel> kernels;
  std::vector<traced_call> trace;  ///< of the last step that was measured
  double seconds = 0;              ///< of a step without any clock between its kernels: the median
  int steps = 0;                   ///< that were measured
  machine_peak peak;

  double flops() const {
    double sum = 0;
    for (const profiled_kernel& k : kernels) sum += k.flops;
    return sum;
  }
  double bytes() const {
    double sum = 0;
    for (const profiled_kernel& k : kernels) sum += k.bytes;
    return sum;
  }

  /// What share of what the machine can do a kernel does: of operations or of bytes, whichever is more; 0
  /// where the peak is not known. It is above 1 where bytes are nearer than in a copy of as many.
  double share_of_peak(const profiled_kernel& k) const {
    if (k.seconds <= 0) return 0;
    const double of_flops = peak.flops > 0 ? k.flops / k.seconds / peak.flops : 0;
    const double calls = k.calls > 0 ? static_cast<double>(k.calls) : 1;
    const double bandwidth = peak.bandwidth_of(k.bytes / calls);
    const double of_bytes = bandwidth > 0 ? k.bytes / k.seconds / bandwidth : 0;
    return of_flops > of_bytes ? of_flops : of_bytes;
  }

  TAPELESS_COLD std::string table() const;
  TAPELESS_COLD std::string trace_text() const;
  /// Writes the trace, which chrome://tracing and ui.perfetto.dev show, to a file.
  void save_trace(const std::string& path) const {
    const std::string text = trace_text();
    const array_view<const std::byte> bytes(reinterpret_cast<const std::byte*>(text.data()), text.size());
    io::write_file_atomically(path, {&bytes, 1});
  }
};

/// The kernels with their times, operations and bytes.
TAPELESS_COLD inline std::string step_profile::table() const {
  using detail::printed;
  double sum = 0;
  for (const profiled_kernel& k : kernels) sum += k.seconds;
  const bool has_peak = peak.flops > 0 || peak.bandwidth > 0;
  detail::text_table table(has_peak ? "rllllrrrrrrr" : "rllllrrrrrr");
  const auto add = [&](std::vector<std::string> cells, std::string of_peak) {
    if (has_peak) cells.push_back(std::move(of_peak));
    table.add(std::move(cells));
  };
  add({"", "kernel", "over", "phase", "layer", "time", "share", "operations", "bytes", "Gop/s", "GB/s"},
      "of peak");
  table.add_line();
  for (const profiled_kernel& k : kernels) {
    const double time = k.seconds > 0 ? k.seconds : 1e-9;
    add({join({k.command}), join({k.kind, ": ", k.operations}), k.shape, k.phase, k.layer,
         detail::duration_text(k.seconds), printed("%.1f %%", sum > 0 ? 100 * k.seconds / sum : 0),
         detail::count_text(k.flops), detail::byte_text(k.bytes), printed("%.2f", 1e-9 * k.flops / time),
         printed("%.2f", 1e-9 * k.bytes / time)},
        printed("%.0f %%", 100 * share_of_peak(k)));
  }
  table.add_line();
  const double all = sum > 0 ? sum : 1e-9;
  add({"", "all", "", "", "", detail::duration_text(sum), "", detail::count_text(flops()),
       detail::byte_text(bytes()), printed("%.2f", 1e-9 * flops() / all),
       printed("%.2f", 1e-9 * bytes() / all)},
      "");
  std::string text = table.text();
  append(text, {"a step without clocks between its kernels: ", detail::duration_text(seconds),
                "; medians of ", steps, " steps\n"});
  if (has_peak)
    append(text,
           {"peak: ", printed("%.1f", 1e-9 * peak.flops), " Gop/s in products, ",
            printed("%.1f", 1e-9 * peak.bandwidth), " GB/s from memory",
            peak.cached[0] > 0 ? ", up to " + printed("%.1f GB/s from caches", 1e-9 * peak.cached[0]) : "",
            "; shown is the share of the one that a kernel has more of\n"});
  return text;
}

/// The trace as JSON, in the format of Chrome's trace viewer: one event for each call of a kernel.
TAPELESS_COLD inline std::string step_profile::trace_text() const {
  std::string text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const traced_call& c = trace[i];
    const profiled_kernel& k = kernels[static_cast<std::size_t>(c.kernel)];
    const double calls = k.calls > 0 ? static_cast<double>(k.calls) : 1;
    append(text, {i > 0 ? ",\n" : "",
                  "{\"name\":",
                  io::json_string(join({k.kind, ": ", k.operations})),
                  ",\"cat\":",
                  io::json_string(k.phase),
                  ",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":",
                  detail::printed("%.3f", 1e6 * c.begin),
                  ",\"dur\":",
                  detail::printed("%.3f", 1e6 * (c.end - c.begin)),
                  ",\"args\":{\"command\":",
                  k.command,
                  ",\"layer\":",
                  io::json_string(k.layer),
                  ",\"over\":",
                  io::json_string(k.shape),
                  ",\"operations\":",
                  detail::printed("%.0f", k.flops / calls),
                  ",\"bytes\":",
                  detail::printed("%.0f", k.bytes / calls),
                  "}}"});
  }
  return text + "\n]}\n";
}

}  // namespace tapeless
