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
  const tl::io::tensor_entry& operator()(const std::string& one_case, tl::name role) const {
    return (*file_)[one_case + "." + std::string(role.view())];
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

/// A stored tensor as what is given to an input.
inline tl::bound_elements bound(const tl::io::tensor_entry& entry) {
  tl::bound_elements b{.given = true};
  b.type = entry.type;
  b.data = entry.bytes.data();
  b.rank = static_cast<int>(entry.shape.size());
  b.count = 1;
  for (std::size_t i = 0; i < entry.shape.size(); ++i) b.count *= b.shape[i] = entry.shape[i];
  return b;
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
  auto r = f(tl::binding<In>(bound(file(one_case, In)))...);
  (require_close(r.template get<Out>(), file(one_case, Out).template as<double>()), ...);
}

}  // namespace test
