// SPDX-License-Identifier: BSL-1.0
// Weights of samples that are floats of Eigen's.
// expect: the weights of samples are double: give weights.cast<double>().eval()
#include <Eigen/Core>
#include <vector>

#include <tapeless/data/dataset.hpp>
#include <tapeless/data/resample.hpp>

namespace tl = tapeless;

int main() {
  tl::data::dataset set;
  set.add("x", {}, std::vector<float>{1, 2, 3});
  const Eigen::VectorXf weights = Eigen::VectorXf::Ones(3);
#ifdef CORRECTED
  tl::data::resample(set, weights.cast<double>().eval());
#else
  tl::data::resample(set, weights);
#endif
}
