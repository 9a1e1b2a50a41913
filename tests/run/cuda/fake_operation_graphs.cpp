// SPDX-License-Identifier: BSL-1.0
// The cuDNN that is not there computes graphs of operations, and finds what is wrong with them.
#include <array>

#include "last_words.hpp"

namespace {

using tapeless::cuda_kernels::backend_descriptor;
using tapeless::cuda_kernels::cudnn_operation;
using extents = std::array<std::int64_t, 4>;

constexpr extents rows{1, 1, 2, 8}, contiguous{16, 16, 8, 1};

struct tensor_options {
  extents shape = rows, strides = contiguous;
  cudnnDataType_t type = CUDNN_DATA_HALF;
  bool is_virtual = false, is_number = false;
};
constexpr tensor_options number{{1, 1, 1, 1}, {1, 1, 1, 1}, CUDNN_DATA_FLOAT, false, true};

/// Operations on tensors that are told by their numbers.
struct tensor_graph {
  cudnn_operation operation = {};
  std::map<std::int64_t, cudnnBackendDescriptor_t> tensors = {};

  cudnnStatus_t add(std::int64_t id, const tensor_options& o = {}) {
    backend_descriptor t(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    t.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, o.type);
    t.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, std::span<const std::int64_t>(o.shape));
    t.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, std::span<const std::int64_t>(o.strides));
    t.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, id);
    t.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, std::int64_t{16});
    t.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, o.is_virtual);
    t.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, o.is_number);
    tensors[id] = t.get();
    return finished(std::move(t));
  }
  /// y = x times other.
  cudnnStatus_t multiply(std::int64_t x, std::int64_t other, std::int64_t y) {
    backend_descriptor how(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, CUDNN_POINTWISE_MUL);
    how.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    how.finish();
    backend_descriptor o(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    o.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
    const auto set = [&](cudnnBackendAttributeName_t name, std::int64_t id) {
      o.set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, tensors.at(id));
    };
    set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
    set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, other);
    set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
    operation.operations.push_back(o.get());
    return finished(std::move(o));
  }
  cudnnStatus_t status(cudnnHandle_t handle) const {
    backend_descriptor g(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    g.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle);
    g.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
          std::span<const cudnnBackendDescriptor_t>(operation.operations));
    g.finish();
    return g.status();
  }

 private:
  cudnnStatus_t finished(backend_descriptor d) {
    d.finish();
    operation.descriptors.push_back(std::move(d));
    return operation.descriptors.back().status();
  }
};

/// 1: y = (x times a number) times x, of tensors 1, 2 and 3; what is between has the number 100.
tensor_graph scaled_square(const tensor_options& x = {}) {
  tensor_graph g;
  g.add(1, x);
  g.add(2, number);
  g.add(3);
  g.add(100, {.is_virtual = true});
  CHECK(g.multiply(1, 2, 100) == CUDNN_STATUS_SUCCESS);
  CHECK(g.multiply(100, 1, 3) == CUDNN_STATUS_SUCCESS);
  return g;
}

/// Runs a graph of a device's operands.
class runner {
 public:
  explicit runner(const tensor_graph& g)
      : plan_(g.operation, tl::element::f16, {false, 1 << 20},
              tapeless::cuda_kernels::cudnn_device{handle_.get()}, {}) {
    REQUIRE(plan_.is_ready());
  }
  void run(const std::vector<std::int64_t>& ids, const std::vector<void*>& operands) const {
    plan_.run(ids, operands, workspace_.p, handle_.get(), {});
  }
  cudaStream_t stream() const { return stream_.get(); }

 private:
  tapeless::cuda_kernels::stream stream_ = tapeless::cuda_kernels::make_stream();
  tapeless::cuda_kernels::cudnn_handle handle_ = tapeless::cuda_kernels::make_cudnn(stream_.get());
  test::device_block workspace_{2048};
  tapeless::cuda_kernels::cudnn_plan plan_;
};

}  // namespace

TEST_CASE("operation graphs: what is between rounds to its type, and numbers are read at the call") {
  test::gpu gpu;
  const runner r(scaled_square());
  test::device_block x(32), y(32);
  std::array<tl::f16, 16> values{}, results{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = tl::f16(1.0f + static_cast<float>(i) / 64);
  cudaMemcpyAsync(x.p, values.data(), 32, cudaMemcpyHostToDevice, r.stream());
  float by = 1.0f / 3;
  r.run({1, 2, 3}, {x.p, &by, y.p});
  by = 100;
  cudaMemcpyAsync(results.data(), y.p, 32, cudaMemcpyDeviceToHost, r.stream());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto v = static_cast<float>(values[i]);
    CHECK(static_cast<float>(results[i]) ==
          static_cast<float>(tl::f16(static_cast<float>(tl::f16(v * (1.0f / 3))) * v)));
  }
}

TEST_CASE("operation graphs: are refused whose tensors do not fit together") {
  test::gpu gpu;
  const auto handle = tapeless::cuda_kernels::make_cudnn(nullptr);
  CHECK(scaled_square().status(handle.get()) == CUDNN_STATUS_SUCCESS);
  tensor_graph g;
  g.add(1);
  g.add(2);
  g.add(3, {.shape = {1, 1, 2, 4}});
  g.add(4, {.shape = {1, 1, 1, 8}});
  g.add(100, {.is_virtual = true});
  CHECK(g.multiply(1, 3, 2) == CUDNN_STATUS_BAD_PARAM);
  CHECK(g.multiply(4, 4, 2) == CUDNN_STATUS_BAD_PARAM);
  g.operation.operations.clear();
  CHECK(g.multiply(1, 4, 2) == CUDNN_STATUS_SUCCESS);
  CHECK(g.status(handle.get()) == CUDNN_STATUS_SUCCESS);
  CHECK(g.multiply(4, 1, 2) == CUDNN_STATUS_SUCCESS);
  CHECK(g.status(handle.get()) == CUDNN_STATUS_BAD_PARAM);  // it is written twice
  g.operation.operations.clear();
  CHECK(g.multiply(1, 100, 2) == CUDNN_STATUS_SUCCESS);
  CHECK(g.status(handle.get()) == CUDNN_STATUS_BAD_PARAM);  // it is read before it is written
  CHECK(g.add(5, {.shape = {1, 0, 2, 8}}) == CUDNN_STATUS_NOT_SUPPORTED);
  CHECK(g.add(5, {.type = CUDNN_DATA_INT32}) == CUDNN_STATUS_NOT_SUPPORTED);
}

TEST_CASE("operation graphs: what would be undefined on a GPU ends the test") {
  fake_cuda::options o;
  o.devices = 2;
  test::gpu gpu(o);
  const test::device_block x(64), y(32);
  float by = 1, host[8] = {};
  const auto ends_with = [&](const tensor_graph& g, const std::vector<std::int64_t>& ids,
                             const std::vector<void*>& operands, std::string_view sentence) {
    const runner r(g);
    const auto run = [&] {
      r.run(ids, operands);
      cudaStreamSynchronize(r.stream());
    };
    CHECK_THAT(test::last_words(run), test::contains(std::string(sentence)));
  };
  const auto at = [](const test::device_block& b, std::ptrdiff_t bytes) {
    return static_cast<std::byte*>(b.p) + bytes;
  };
  const tensor_graph g = scaled_square();
  ends_with(g, {1, 2, 3}, {x.p, &by, y.p}, "");
  ends_with(g, {1, 2}, {x.p, &by}, "cuDNN misses an operand");
  ends_with(g, {1, 2, 3}, {x.p, nullptr, y.p}, "cuDNN misses an operand");
  ends_with(g, {1, 2, 3}, {host, &by, y.p}, "cuDNN is given memory of somebody else");
  ends_with(g, {1, 2, 3}, {x.p, x.p, y.p}, "a number that is not on the host");
  ends_with(g, {1, 2, 3}, {at(x, 8), &by, y.p}, "aligned less than was said");
  ends_with(g, {1, 2, 3}, {x.p, &by, at(y, 16)}, "32 bytes that go beyond a block of 32 bytes");
  ends_with(scaled_square({.strides = {24, 24, 12, 1}}), {1, 2, 3}, {x.p, &by, y.p},
            "rows that do not begin at multiples of 16 bytes");
  ends_with(scaled_square({.strides = {32, 32, 16, 2}}), {1, 2, 3}, {x.p, &by, y.p}, "cuDNN is given rows");
  cudaSetDevice(1);
  {
    const test::device_block other(32);
    cudaSetDevice(0);
    ends_with(g, {1, 2, 3}, {other.p, &by, y.p}, "cuDNN is given memory of somebody else");
  }
}
