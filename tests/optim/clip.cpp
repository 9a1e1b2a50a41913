// SPDX-License-Identifier: BSL-1.0
// Clipping against PyTorch's, and clipping by parts of a parameter.
#include "optim/reference.hpp"

namespace {

constexpr auto any_model = [] {
  return tl::sum(tl::param<"a", double, 3, 4> * tl::input<"ga", double, 3, 4>) +
         tl::sum(tl::param<"b", double, 5> * tl::input<"gb", double, 5>);
};

/// The largest difference between what becomes of the stored gradients and what is stored of them.
template <class Transform>
double difference(const tl::io::safetensors& file, const std::string& name, Transform t) {
  tl::trainer net{any_model, tl::chain(std::move(t))};
  const auto tensor = [&](const char* role) { return file[name + "." + role].template as<double>(); };
  net.step("ga"_t = tensor("grad_a"), "gb"_t = tensor("grad_b"));
  double worst = 0;
  for (std::size_t i = 0; i < 12; ++i)
    worst = std::max(worst, std::abs(net.template parameter<"a">()[i] - tensor("clipped_a")[i]));
  for (std::size_t i = 0; i < 5; ++i)
    worst = std::max(worst, std::abs(net.template parameter<"b">()[i] - tensor("clipped_b")[i]));
  return worst;
}

double clipped(const tl::io::safetensors& file, const std::string& name, const tl::io::json& hyper) {
  if (hyper.find("clip_value") != nullptr)
    return difference(file, name, tl::clip_by_value(hyper["clip_value"].number()));
  const double limit = hyper["max_norm"].number();
  if (hyper["norm_type"].get_if<std::string>() != nullptr)
    return difference(file, name, tl::clip_by_global_norm(limit, tl::order<tl::infinity>));
  if (hyper["norm_type"].number() == 1)
    return difference(file, name, tl::clip_by_global_norm(limit, tl::order<1>));
  if (hyper["norm_type"].number() == 3)
    return difference(file, name, tl::clip_by_global_norm(limit, tl::order<3>));
  REQUIRE(hyper["norm_type"].number() == 2);
  return difference(file, name, tl::clip_by_global_norm(limit));
}

}  // namespace

TEST_CASE("clipping follows the reference") {
  const auto file = reference::read("optim-clip.safetensors");
  if (!file) return;
  int cases = 0;
  for (const auto& [name, text] : file->metadata()) {
    if (name[0] == '_') continue;
    INFO(name);
    CHECK(clipped(*file, name, reference::metadata(*file, name)["hyper"]) < 1e-10);
    ++cases;
  }
  CHECK(cases == 10);
}
