// SPDX-License-Identifier: BSL-1.0
// cuDNN has engines for our operations on a device that is only described to it: it chooses among them and
// finishes their plans without a GPU. What it would compute is not seen here.
#include <cstdint>
#include <span>
#include <string_view>

#include <tapeless/run/cuda/attention_graph.hpp>
#include <tapeless/run/cuda/convolutions.hpp>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tapeless::cuda_kernels;

namespace {

/// An H200 in cuDNN's JSON, where nothing of this may be missing. The numbers are from NVIDIA's data sheet
/// and from CUDA's tables for compute capability 9.0; they were not read from a device.
constexpr std::string_view h200 = R"({
  "deviceName": "NVIDIA H200",
  "deviceVer": 900,
  "cudaDeviceId": 0,
  "pciDeviceId": 0,
  "driverVer": 13000,
  "isTccDriver": 0,
  "supportCoopLaunch": 1,
  "multiProcessorCount": 132,
  "warpSize": 32,
  "maxThreadsPerBlock": 1024,
  "maxThreadsPerSM": 2048,
  "maxCtasPerSM": 32,
  "maxBlockSize": [1024, 1024, 64],
  "maxGridSize": [2147483647, 65535, 65535],
  "regsPerBlock": 65536,
  "maxRegistersPerSM": 65536,
  "maxSharedMemoryPerBlock": 49152,
  "maxSharedMemoryPerBlockOptin": 232448,
  "reservedSharedMemoryPerBlock": 1024,
  "l2CacheSize": 62914560,
  "totalGlobalMem": 151397597184,
  "smClockRateKHz": 1980000,
  "memClockRateKHz": 3201000
})";

/// A device that need not be there.
struct described_device {
  backend_descriptor properties{CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR};

  explicit described_device(std::string_view json) {
    properties.set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR, std::span<const char>(json));
    REQUIRE(properties.finish());
  }

  void tell_graph(backend_descriptor&) const {}  // only a handle could be told
  void tell_heuristics(backend_descriptor& d) const { d.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, properties); }
  void tell_plan(backend_descriptor& d) const { d.set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, properties); }
};

/// Says so where the library is too old to be told of a device.
bool takes_descriptions() {
  const std::size_t version = cudnnGetVersion();
  if (version < 90800)
    WARN("SKIPPED: devices can be described to cuDNN 9.8 or later, and this is " << version);
  return version >= 90800;
}

/// How windows lie over an image.
struct windows {
  std::string_view name;
  std::int64_t image[2], kernel[2], stride[2] = {1, 1}, padding[2] = {}, dilation[2] = {1, 1};
};

tl::convolution_arguments with_windows(tl::convolution_arguments arguments, const windows& w) {
  for (int axis = 0; axis < 2; ++axis) {
    arguments.image[axis] = w.image[axis];
    arguments.kernel[axis] = w.kernel[axis];
    arguments.stride[axis] = w.stride[axis];
    arguments.padding[axis] = w.padding[axis];
    arguments.dilation[axis] = w.dilation[axis];
    const std::int64_t covered = w.dilation[axis] * (w.kernel[axis] - 1) + 1;
    arguments.positions[axis] = (w.image[axis] + 2 * w.padding[axis] - covered) / w.stride[axis] + 1;
  }
  return arguments;
}

constexpr std::int64_t most_workspace_bytes = std::int64_t{2} << 30;

/// That there is an engine by our rules whose plan cuDNN has finished. Returns what memory it takes.
std::int64_t check_engine(const tl::convolution_arguments& arguments, tl::element type, bool allows_tf32,
                          const described_device& device,
                          std::int64_t workspace_bytes = most_workspace_bytes) {
  INFO(tl::name_of(type) << (allows_tf32 ? ", by TF32" : ""));
  const cudnn_limits limits{allows_tf32, workspace_bytes};
  const cudnn_plan plan(operation_of(arguments, type), type, limits, device, {});
  CHECK(plan.is_ready());
  CHECK(plan.workspace_bytes() <= workspace_bytes);
  return plan.workspace_bytes();
}

/// That the operation is left to the library's own kernels.
void check_no_engine(const tl::convolution_arguments& arguments, tl::element type,
                     const described_device& device) {
  INFO(tl::name_of(type));
  const cudnn_plan plan(operation_of(arguments, type), type, {false, most_workspace_bytes}, device, {});
  CHECK(!plan.is_ready());
  CHECK(plan.workspace_bytes() == 0);
}

constexpr tl::convolution_part parts[] = {tl::convolution_part::y, tl::convolution_part::x,
                                          tl::convolution_part::weight};
constexpr std::string_view name_of(tl::convolution_part p) {
  return p == tl::convolution_part::y ? "y" : p == tl::convolution_part::x ? "x" : "weight";
}

void check_convolutions(tl::convolution_arguments arguments, const windows& w,
                        const described_device& device) {
  for (const tl::convolution_part part : parts) {
    INFO(w.name << ", for " << name_of(part));
    arguments.computes = part;
    for (const tl::element type : {tl::element::f32, tl::element::f64, tl::element::f16, tl::element::bf16})
      check_engine(with_windows(arguments, w), type, false, device);
    check_engine(with_windows(arguments, w), tl::element::f32, true, device);
  }
}

/// That cuDNN takes all descriptors, and a graph of the operations among them.
void check_graph(const cudnn_operation& operation) {
  for (const backend_descriptor& d : operation.descriptors) CHECK(d.status() == CUDNN_STATUS_SUCCESS);
  backend_descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
            std::span<const cudnnBackendDescriptor_t>(operation.operations));
  graph.finish();
  CHECK(graph.status() == CUDNN_STATUS_SUCCESS);
}

/// Attention whose heads are side by side in a row.
tl::attention_arguments attention_of(std::int64_t batch, std::int64_t heads, std::int64_t queries,
                                     std::int64_t keys, std::int64_t width) {
  tl::attention_arguments a{
      .rank = 2, .extents = {batch, heads}, .queries = queries, .keys = keys, .width = width};
  a.value_width = width;
  a.scores.scale = 0.5;
  const auto place = [&](tl::strided_operand& o, std::int64_t rows) {
    const std::int64_t strides[] = {rows * heads * width, width, heads * width, 1};
    for (int d = 0; d < 4; ++d) o.strides[d] = strides[d];
  };
  place(a.query, queries);
  place(a.key, keys);
  place(a.values, keys);
  return a;
}

}  // namespace

TEST_CASE("engines: cuDNN has one for convolutions and their transposes, of all types") {
  if (!takes_descriptions()) return;
  const described_device device(h200);
  const windows all[] = {
      {.name = "3 by 3", .image = {32, 32}, .kernel = {3, 3}},
      {.name = "1 by 1", .image = {32, 32}, .kernel = {1, 1}},
      {.name = "padded", .image = {32, 32}, .kernel = {3, 3}, .padding = {1, 1}},
      {.name = "strided", .image = {33, 31}, .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}},
      {.name = "dilated", .image = {32, 32}, .kernel = {3, 3}, .padding = {2, 2}, .dilation = {2, 2}},
      {.name = "different along each axis",
       .image = {17, 32},
       .kernel = {2, 5},
       .stride = {2, 1},
       .padding = {0, 3},
       .dilation = {1, 2}},
      {.name = "one row", .image = {1, 64}, .kernel = {1, 3}, .padding = {0, 1}},
  };
  for (const windows& w : all) {
    check_convolutions({.batch = 8, .in = 16, .out = 32}, w, device);
    check_convolutions({.batch = 3, .in = 3, .out = 5}, w, device);  // no multiples of anything
  }
  for (const std::int64_t groups : {2, 4, 16}) {  // the last: by channel
    INFO(groups << " groups");
    for (const windows& w : all)
      check_convolutions({.groups = groups, .batch = 8, .in = 16, .out = 32}, w, device);
  }
}

TEST_CASE("engines: cuDNN has one with copies of the operands, and one with little memory") {
  if (!takes_descriptions()) return;
  const described_device device(h200);
  const windows w = {
      .name = "7 by 7", .image = {224, 224}, .kernel = {7, 7}, .stride = {2, 2}, .padding = {3, 3}};
  for (const tl::convolution_part part : parts) {
    INFO("for " << name_of(part));
    const auto arguments =
        with_windows(tl::convolution_arguments{.computes = part, .batch = 256, .in = 3, .out = 64}, w);
    const std::int64_t little = std::int64_t{1} << 26;
    CHECK(check_engine(arguments, tl::element::f16, false, device) > little);
    check_engine(arguments, tl::element::f16, false, device, little);
  }
}

TEST_CASE("engines: that cuDNN has none for operands without elements is no error") {
  if (!takes_descriptions()) return;
  const described_device device(h200);
  const windows some = {.name = "some", .image = {8, 8}, .kernel = {3, 3}, .padding = {1, 1}};
  const windows no_image = {.name = "no image", .image = {0, 8}, .kernel = {3, 3}, .padding = {1, 1}};
  const windows no_positions = {.name = "no positions", .image = {2, 8}, .kernel = {3, 3}};
  for (const tl::element type : {tl::element::f32, tl::element::f64, tl::element::f16, tl::element::bf16}) {
    for (const tl::convolution_part part : parts) {
      const auto check_none = [&](std::int64_t batch, std::int64_t in, std::int64_t out, const windows& w) {
        INFO(w.name << ", " << name_of(part) << " of " << batch << ", " << in << ", " << out);
        check_no_engine(
            with_windows(tl::convolution_arguments{.computes = part, .batch = batch, .in = in, .out = out},
                         w),
            type, device);
      };
      check_none(0, 4, 4, some);
      check_none(2, 0, 4, some);
      check_none(2, 4, 0, some);
      check_none(2, 4, 4, no_image);
      check_none(2, 4, 4, no_positions);
    }
  }
}

// Its engines are compiled when a plan is made, which takes a driver.
TEST_CASE("engines: cuDNN takes the graphs of attention and of its gradients") {
  if (!takes_descriptions()) return;
  struct sizes {
    std::int64_t batch, heads, queries, keys, width;
  };
  for (const auto& [batch, heads, queries, keys, width] :
       {sizes{2, 3, 64, 64, 64}, sizes{1, 1, 513, 100, 128}, sizes{4, 2, 7, 9, 8}})
    for (const bool causal : {false, true})
      for (const tl::element type : {tl::element::f16, tl::element::bf16}) {
        INFO(batch << " times " << heads << " heads, " << queries << " queries and " << keys << " keys of "
                   << width << ", " << tl::name_of(type) << (causal ? ", causal" : ""));
        tl::attention_arguments a = attention_of(batch, heads, queries, keys, width);
        a.scores.causal = causal;
        const auto rows = [&](std::int64_t count) { return contiguous_matrix(batch, heads, count, width); };
        check_graph(attention_graph(a, type).result(rows(queries)));
        check_graph(attention_graph(a, type).gradients(rows(queries), rows(queries), rows(queries),
                                                       rows(keys), rows(keys)));
      }
}
