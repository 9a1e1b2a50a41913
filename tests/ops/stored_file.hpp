// SPDX-License-Identifier: BSL-1.0
// Cases of a reference file, for tests that compare a program's outputs with them by hand.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"

#include <tapeless/io/safetensors.hpp>

namespace test {

/// A file of shared/reference; absent, with a warning, where the folder is not known.
class stored_file {
 public:
  explicit stored_file(const std::string& name) {
    const std::string folder = folder_from("TAPELESS_REFERENCE_DIR");
    if (folder.empty()) {
      WARN("SKIPPED: TAPELESS_REFERENCE_DIR is not set");
    } else {
      file_ = tl::io::safetensors::read(folder + "/" + name + ".safetensors");
    }
  }
  bool exists() const { return file_.has_value(); }
  std::span<const double> operator()(const std::string& one_case, tl::name role) const {
    return (*file_)[one_case + "." + std::string(role.view())].as<double>();
  }

 private:
  std::optional<tl::io::safetensors> file_;
};

/// As close as shared/reference asks for.
template <class View>
void require_close(const View& got, std::span<const double> want) {
  REQUIRE(got.size() == want.size());
  double scale = 1e-3;
  for (const double x : want) scale = std::max(scale, std::abs(x));
  scale = std::min(scale, 1.0);
  for (std::size_t i = 0; i < want.size(); ++i) {
    INFO("element " << i << ": " << got[i] << ", expected " << want[i]);
    CHECK(std::abs(got[i] - want[i]) <= 1e-10 * (std::abs(want[i]) + scale));
  }
}

/// Names of inputs or outputs, which are the stored tensors' roles.
template <tl::name... Role>
struct roles {};

/// Runs a model on a case's inputs and compares its outputs.
template <class Model, tl::name... In, tl::name... Out>
void check_stored(Model model, const stored_file& file, const std::string& one_case, roles<In...>,
                  roles<Out...>) {
  INFO(one_case);
  tl::function f{model};
  auto r = f((tl::tag<In>() = file(one_case, In))...);
  (require_close(r.template get<Out>(), file(one_case, Out)), ...);
}

}  // namespace test
