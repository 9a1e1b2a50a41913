// SPDX-License-Identifier: BSL-1.0
// What the rest of a program sees of a trainer: no header of the library.
#pragma once

#include <memory>
#include <span>
#include <string>

class classifier {
 public:
  classifier();
  ~classifier();
  classifier(classifier&&) noexcept;
  classifier& operator=(classifier&&) noexcept;

  float learn(std::span<const float> points, std::span<const int> labels);
  int classify(float x, float y);
  void save(const std::string& path) const;

 private:
  struct implementation;
  std::unique_ptr<implementation> self_;
};
