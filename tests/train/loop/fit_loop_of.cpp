// SPDX-License-Identifier: BSL-1.0
// What a fit does with its trainer in each batch.
#include <tapeless/train/loop/fit_loop_of.hpp>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "parameters.hpp"
#include "train/loop/circle.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using namespace test;

TEST_CASE("parts of a batch add up to the batch") {
  const auto data = circle(50);
  auto whole = make_net(), parts = make_net();
  tl::fit_in_parts_options options{.epochs = 3, .batch = 20, .seed = 5};
  const auto a = tl::fit(whole, data, options, tl::accuracy<"logits", "label">{});
  options.physical_batch = 6;  // 6 + 6 + 6 + 2, and 6 + 4
  std::vector<std::size_t> sizes;
  const auto b = tl::fit(parts, data, options, tl::accuracy<"logits", "label">{}, batch_sizes{&sizes});
  CHECK(std::vector(sizes.begin(), sizes.begin() + 10) ==
        std::vector<std::size_t>{6, 6, 6, 2, 6, 6, 6, 2, 6, 4});
  CHECK(parts.steps() == 9);
  const auto x = all_parameters(whole), y = all_parameters(parts);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == Approx(y[i]).margin(1e-4));
  CHECK(a.back().train["loss"].mean == Approx(b.back().train["loss"].mean).epsilon(1e-4));
  CHECK(a.back().train["accuracy"].mean == b.back().train["accuracy"].mean);
}

TEST_CASE("a last part of one sample is a step of its own where it is the batch") {
  auto net = make_net();
  tl::fit(net, circle(9), {.batch = 4, .physical_batch = 2});
  CHECK(net.steps() == 3);
}
