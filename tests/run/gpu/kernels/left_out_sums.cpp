// SPDX-License-Identifier: BSL-1.0
// What a launch of several sums does where other ranks do some of them.
#include <iterator>

#include <tapeless/run/common/launch_argument_tables.hpp>
#include <tapeless/run/gpu/kernels/gpu_kernel_tables.hpp>
#include <tapeless/run/thrust_host/thrust_host.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto lengths = [] {
  return tl::outputs(tl::named<"a">(tl::sum(tl::square(tl::param<"a", float, 3>))),
                     tl::named<"b">(tl::sum(tl::square(tl::param<"b", float, 4>))),
                     tl::named<"c">(tl::sum(tl::square(tl::param<"c", float, 5>))));
};

/// Where the parameters' elements are, and the sums of them.
struct lengths_in_memory {
  static constexpr bool joins_loops = false;
  float parameters[3][5] = {{1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1, 1}};
  float sums[3] = {-1, -1, -1};

  static std::int64_t extent(std::int64_t e) { return e; }
  std::byte* address(const tl::placement& p) const {
    const float* at = p.kind == tl::storage::parameter ? parameters[p.index] : sums + p.index;
    return const_cast<std::byte*>(reinterpret_cast<const std::byte*>(at));
  }
};

}  // namespace

TEST_CASE("A batch's sum that is left out writes nothing, one of no elements 0") {
  using namespace tl::thrust_kernels;
  using graph_builder = tl::ready<tl::forward_graph_builder<decltype(lengths)>>;
  STATIC_REQUIRE(launch_groups_of<graph_builder>[0].kind == grouping::batch);
  STATIC_REQUIRE(launch_groups_of<graph_builder>[0].count == 3);
  const tl::plan_view& plan = tl::view_of_plan<graph_builder>();
  lengths_in_memory memory;
  tl::launch_argument_tables arguments(plan);
  arguments.clear();
  for (const tl::planned_command& command : plan.commands) arguments.make(command, memory);
  host_executor executor;
  const auto sums_now = [&] {
    run_group(kernels_of<graph_builder, host_executor>, plan.commands, arguments.fused_kernels.data(),
              executor);
    return std::vector<float>(std::begin(memory.sums), std::end(memory.sums));
  };
  arguments.make_empty(1);
  CHECK(sums_now() == std::vector<float>{3, -1, 5});
  arguments.fused_kernels[0].extents[0] = 0;
  CHECK(sums_now() == std::vector<float>{0, -1, 5});
}
