// SPDX-License-Identifier: BSL-1.0
// The share of rows whose largest logit is the right one.
#include "catch.hpp"

#include <array>
#include <cstdint>

#include <tapeless/train/binding/tensor_view.hpp>
#include <tapeless/train/loop/metrics/accuracy.hpp>

namespace tl = tapeless;

namespace {

/// A result or a batch with one tensor in it.
template <class T>
struct one_tensor {
  tl::tensor_view<const T> view;
  template <tl::name>
  auto get() const {
    return view;
  }
};

}  // namespace

TEST_CASE("accuracy counts rows, over batches, also of several axes; the first of equal logits counts") {
  const std::array<float, 12> logits{0, 1, 0, /**/ 2, 2, 1, /**/ -3, -2, -1, /**/ 5, 0, 0};
  const std::array<std::int64_t, 2> rows{4, 3};
  const std::array<std::int64_t, 3> more_axes{2, 2, 3};
  const std::array<std::int64_t, 1> flat{4};
  const std::array<std::int64_t, 2> square{2, 2};
  const std::array<int, 4> right{1, 0, 2, 0}, wrong{1, 1, 0, 2};

  tl::accuracy<"logits", "label"> metric;
  metric.add(one_tensor<float>{{logits.data(), rows}}, one_tensor<int>{{right.data(), flat}});
  CHECK(metric.get().mean == 1);
  metric.add(one_tensor<float>{{logits.data(), more_axes}}, one_tensor<int>{{wrong.data(), square}});
  CHECK(metric.get().mean == test::Approx(5.0 / 8));
  metric.clear();
  metric.add(one_tensor<float>{{logits.data(), rows}}, one_tensor<int>{{wrong.data(), flat}});
  CHECK(metric.get().mean == test::Approx(1.0 / 4));
}
