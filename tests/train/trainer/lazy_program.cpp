// SPDX-License-Identifier: BSL-1.0
// A program that is made when it is first needed.
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/train/trainer/lazy_program.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto twice = [] {
  auto x = tl::input<"x", float, tl::dyn<"n">>;
  return tl::outputs(tl::sum(x), tl::named<"y">(2_c * x));
};

using builder = tl::ready_for<tl::forward_graph_builder<decltype(twice)>, tl::cpu>;
template <tl::empty_inputs Empty>
using program = tl::lazy_program<builder, tl::cpu, Empty>;

auto bound(const std::vector<float>& x) {
  return tl::detail::sort_bindings<decltype(twice), builder>("x"_t = x);
}

}  // namespace

TEST_CASE("a program is made once, and runs on the inputs it is given") {
  tl::cpu::resources resources{tl::cpu{}};
  const program<tl::empty_inputs::taken>::memory memory{{}, {}, {}, &resources};
  program<tl::empty_inputs::taken> p;
  const std::vector<float> one{1, 2}, other{5, 6, 7};
  CHECK(p.run(memory, bound(one)).loss() == 3);
  const auto* const made = &p.bound();
  CHECK(p.run(memory, bound(other)).get<"y">()[2] == 14);
  CHECK(&p.bound() == made);
  CHECK(p.last_result().loss() == 18);
}

TEST_CASE("straight-line code that changes nothing else runs alone, until something else has run") {
  constexpr auto three = [] {
    auto x = tl::input<"x", float, 3>;
    return tl::outputs(tl::sum(x), tl::named<"y">(2_c * x));
  };
  using policy = tl::straight_line;
  using line_builder = tl::ready_for<tl::forward_graph_builder<decltype(three)>, policy>;
  using plain_inputs = tl::detail::plain_inputs<line_builder, tl::detail::lines_on<policy, line_builder>>;
  policy::resources resources{policy{}};
  const tl::lazy_program<line_builder, policy, tl::empty_inputs::taken, tl::code_alone::used>::memory memory{
      {}, {}, {}, &resources};
  tl::lazy_program<line_builder, policy, tl::empty_inputs::taken, tl::code_alone::used> p;
  float x[3] = {1, 2, 3};
  const auto sorted = [&] { return tl::detail::sort_bindings<decltype(three), line_builder>("x"_t = x); };
  const plain_inputs plain("x"_t = x);
  const auto check_alone = [&] {
    CHECK(!p.run_alone(plain));
    CHECK(p.run(memory, plain).loss() == x[0] + 5);
    x[0] += 1;
    CHECK(p.run_alone(plain));
    CHECK(p.last_result().loss() == x[0] + 5);
  };
  check_alone();
  p.bound();
  check_alone();
  p.run(memory, sorted());
  check_alone();
  auto inputs = sorted();
  p.make_ready(memory, inputs);
  check_alone();
  const std::byte* const own = p.bound().program().arena();
  p.run(memory, plain);
  const auto inside = tl::array_view<const float>(reinterpret_cast<const float*>(own), 3);
  CHECK(!p.run_alone(plain_inputs("x"_t = inside)));
}

TEST_CASE("inputs that a program is ready for may be written to") {
  tl::cpu::resources resources{tl::cpu{}};
  const program<tl::empty_inputs::refused>::memory memory{{}, {}, {}, &resources};
  program<tl::empty_inputs::refused> p;
  std::vector<float> x{1, 2};
  auto inputs = bound(x);
  p.make_ready(memory, inputs);
  CHECK(p.run(memory, inputs).loss() == 3);
}

TEST_CASE("a batch without samples is taken or refused") {
  tl::cpu::resources resources{tl::cpu{}};
  const program<tl::empty_inputs::taken>::memory memory{{}, {}, {}, &resources};
  program<tl::empty_inputs::taken> takes;
  CHECK(takes.run(memory, bound({})).loss() == 0);
  program<tl::empty_inputs::refused> refuses;
  CHECK_THROWS_AS(refuses.run(memory, bound({})), tl::error);
  auto inputs = bound({});
  CHECK_THROWS_AS(refuses.make_ready(memory, inputs), tl::error);
}
