// SPDX-License-Identifier: BSL-1.0
// Elements of one's own: copied, moved, assigned.
#include <tapeless/train/binding/tensor_copy.hpp>

#include <utility>

#include "catch.hpp"

namespace tl = tapeless;

TEST_CASE("a copy owns its elements") {
  float elements[] = {1, 2, 3, 4, 5, 6};
  const std::int64_t shape[] = {3, 2};
  tl::tensor_copy<float> a(elements, shape);
  elements[5] = 0;
  CHECK((a.size() == 6 && a[5] == 6 && a.shape().size() == 2 && a.shape()[0] == 3));

  tl::tensor_copy<float> b = a;
  b[5] = 7;
  CHECK(a[5] == 6);
  a = b;
  CHECK((a[5] == 7 && a.data() != b.data()));

  const tl::tensor_copy<float> c = std::move(b);
  CHECK((c[5] == 7 && c.shape()[1] == 2));
  CHECK((b.size() == 0 && b.begin() == b.end()));
  b = c;
  CHECK((b.size() == 6 && b[0] == 1));
}

TEST_CASE("a copy of bool, of one element, of none") {
  const bool yes = true;
  const tl::tensor_copy<bool> one(&yes, {});
  CHECK((one.size() == 1 && one[0] && one.shape().empty()));
  const std::int64_t shape[] = {0, 4};
  const double nothing = 0;
  const tl::tensor_copy<double> none(&nothing, shape);
  CHECK((none.size() == 0 && none.shape()[1] == 4));
}
