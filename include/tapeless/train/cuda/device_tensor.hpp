// SPDX-License-Identifier: BSL-1.0
// Elements that stay on a GPU, such as a data set, so that a step need not send them there.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>
#include <vector>

#include <tapeless/run/cuda/cuda.hpp>
#include <tapeless/train/binding/tag.hpp>

namespace tapeless {

/// A tensor on the policy's device, which inputs are bound to as a whole, or so many of its first axis at a
/// time: net.step("x"_t = images.slice(first, 500)). A trainer of another device, or of the CPU, refuses it.
/// It must not go before a step that reads it has been started; its destructor waits for their copies. It may
/// come and go while other threads run steps.
template <element_type T>
class device_tensor {
 public:
  /// Row-major elements in that shape. Throws an error where their numbers differ, or where there is no
  /// memory for them.
  device_tensor(const cuda& policy, std::span<const T> elements, std::span<const std::int64_t> shape)
      : device_(cuda_kernels::usable_device(policy.device)) {
    whole_.given = true;
    whole_.type = element_of<T>;
    whole_.count = 1;
    whole_.rank = static_cast<int>(shape.size());
    if (shape.empty() || shape.size() > max_rank)
      throw_error({"device_tensor: it has 1 to ", max_rank, " axes, but ", shape.size(), " are given"});
    for (std::size_t d = 0; d < shape.size(); ++d) whole_.count *= whole_.shape[d] = shape[d];
    if (whole_.count != static_cast<std::int64_t>(elements.size()))
      throw_error(
          {"device_tensor: the shape has ", whole_.count, " elements, but ", elements.size(), " are given"});
    cuda_kernels::copy_streams::all();  // made first, so that a static tensor goes before it
    const cuda_kernels::on_device here(device_);
    memory_ =
        cuda_kernels::device_memory(static_cast<std::int64_t>(elements.size_bytes()), "a device_tensor");
    if (!elements.empty()) {
      const cuda_kernels::stream s = cuda_kernels::make_stream();
      cuda_kernels::check(cudaMemcpyAsync(memory_.get(), elements.data(), elements.size_bytes(),
                                          cudaMemcpyHostToDevice, s.get()),
                          "cudaMemcpyAsync");
      cuda_kernels::check(cudaStreamSynchronize(s.get()),
                          "cudaStreamSynchronize");  // nothing reads it before
    }
    whole_.device = device_;
    whole_.device_data = static_cast<const std::byte*>(memory_.get());
    if constexpr (may_be_indices) {  // so that they can be checked before a step
      here_.assign(elements.begin(), elements.end());
      whole_.data = reinterpret_cast<const std::byte*>(here_.data());
    }
  }
  device_tensor(const cuda& policy, std::span<const T> elements, std::initializer_list<std::int64_t> shape)
      : device_tensor(policy, elements, std::span(shape.begin(), shape.size())) {}

  ~device_tensor() {
    if (memory_) cuda_kernels::copy_streams::all().wait();  // steps read copies of it
  }
  device_tensor(device_tensor&&) = default;
  device_tensor& operator=(device_tensor&&) = default;

  /// All of it.
  operator bound_elements() const { return whole_; }

  /// Members first, ..., first + count - 1 along the first axis. Throws an error where it has fewer.
  bound_elements slice(std::int64_t first, std::int64_t count) const {
    if (first < 0 || count < 0 || first + count > whole_.shape[0])
      throw_error({"device_tensor: members ", first, " to ", first + count, " are asked for, but there are ",
                   whole_.shape[0]});
    bound_elements part = whole_;
    const std::int64_t size = whole_.shape[0] == 0 ? 0 : whole_.count / whole_.shape[0];
    const std::int64_t bytes = first * size * static_cast<std::int64_t>(sizeof(T));
    part.shape[0] = count;
    part.count = count * size;
    part.device_data += bytes;
    if (part.data != nullptr) part.data += bytes;
    return part;
  }

 private:
  static constexpr bool may_be_indices = std::integral<T> && !std::same_as<T, bool>;

  int device_;
  cuda_kernels::device_pointer memory_;
  std::vector<T> here_;
  bound_elements whole_;
};

template <class Range>
device_tensor(const cuda&, const Range&, std::initializer_list<std::int64_t>)
    -> device_tensor<std::remove_cvref_t<decltype(*std::data(std::declval<const Range&>()))>>;

}  // namespace tapeless
