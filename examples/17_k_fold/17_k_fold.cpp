// SPDX-License-Identifier: BSL-1.0
// 17  Cross-validation: how good is it really, when there are few data?
//
// Problem   A table of 240 birds: four measures and the species. How often will a classifier be right on new
//           ones?
// Idea      Each bird is tested once, by a network that has not seen it: divide the table into k folds, train
//           k times without one of them, and test on that one (Stone, 1974). All tests together are the
//           confusion matrix.
// Formula   accuracy = right / all,   recall of a species = right / birds of it
// Here      The table is a CSV file with a header: a file of yours, or one of birds that the program makes
// up.
//           Each fold's means and deviations come from its training part alone, or the test would be in on
//           the training.
// Usage     17_k_fold [FILE.csv]     numbers in all columns but the last one, which names the class
// Try       k = number of birds (leave one out); a wider network, which learns the training part by heart.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
constexpr int folds = 5, columns = 4, most_classes = 3;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, columns>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto logits = tl::linear<"out", most_classes>(tl::tanh(tl::linear<"fc1", 16>(x)));
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};

struct table {
  std::vector<std::string> header, classes;
  std::vector<float> x;  // row by row
  std::vector<std::int32_t> y;
  std::size_t rows() const { return y.size(); }
};

// A plain CSV file: no quotes, the first line is the header, the last column the class.
table read_csv(const std::string& path) {
  const auto cells_of = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream from(line);
    for (std::string cell; std::getline(from, cell, ',');) cells.push_back(cell);
    return cells;
  };
  table t;
  std::ifstream file(path);
  std::string line;
  if (std::getline(file, line)) t.header = cells_of(line);
  while (std::getline(file, line)) {
    const auto cells = cells_of(line);
    if (cells.size() != columns + 1) continue;
    for (std::size_t i = 0; i < columns; ++i) t.x.push_back(std::strtof(cells[i].c_str(), nullptr));
    const auto known = std::find(t.classes.begin(), t.classes.end(), cells[columns]);
    t.y.push_back(static_cast<std::int32_t>(known - t.classes.begin()));
    if (known == t.classes.end()) t.classes.push_back(cells[columns]);
  }
  return t;
}

// Made-up birds. Two species differ in the shape of the bill, and the third one in size; all measures go
// together.
void write_birds(const std::string& path) {
  struct species {
    const char* name;
    double bill_length, bill_depth, wing, mass;
  };
  const species all[] = {
      {"marsh", 21, 9.5, 104, 34}, {"rock", 24.5, 8.6, 106, 36}, {"shore", 25, 9.6, 113, 42}};
  std::mt19937 random{4};
  std::normal_distribution<double> normal;
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return;
  std::fputs("bill_length_mm,bill_depth_mm,wing_mm,mass_g,species\n", file);
  for (int i = 0; i < 240; ++i) {
    const species& s = all[i % 7 < 3 ? 0 : i % 7 < 5 ? 1 : 2];
    const double size = normal(random);  // of this bird
    std::fprintf(file, "%.1f,%.1f,%.0f,%.1f,%s\n", s.bill_length + 1.1 * size + 0.9 * normal(random),
                 s.bill_depth + 0.35 * size + 0.3 * normal(random), s.wing + 2.5 * size + 2 * normal(random),
                 s.mass + 2.2 * size + 1.5 * normal(random), s.name);
  }
  std::fclose(file);
}

// What a fold needs of the rows: standardized by the means and deviations of the training rows.
struct standardizer {
  std::array<float, columns> mean{}, deviation{};
  standardizer(const table& t, const std::vector<std::size_t>& rows) {
    for (std::size_t c = 0; c < columns; ++c) {
      for (const std::size_t r : rows) mean[c] += t.x[columns * r + c] / static_cast<float>(rows.size());
      for (const std::size_t r : rows)
        deviation[c] += std::pow(t.x[columns * r + c] - mean[c], 2.0f) / static_cast<float>(rows.size());
      deviation[c] = std::sqrt(deviation[c]);
    }
  }
  std::vector<float> operator()(const table& t, const std::vector<std::size_t>& rows) const {
    std::vector<float> x;
    for (const std::size_t r : rows)
      for (std::size_t c = 0; c < columns; ++c) x.push_back((t.x[columns * r + c] - mean[c]) / deviation[c]);
    return x;
  }
};

int main(int argc, char** argv) {
  if (argc < 2) write_birds("birds.csv");
  const table t = read_csv(argc > 1 ? argv[1] : "birds.csv");
  if (t.rows() < folds || t.classes.size() > most_classes)
    return std::printf("expected %d or more rows of %d numbers and one of at most %d classes\n", folds,
                       columns, most_classes),
           2;
  const std::size_t classes = t.classes.size();

  std::vector<std::size_t> order(t.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937{1});

  std::vector<int> confusion(classes * classes);  // [truth][guess]
  double on_training = 0;
  std::puts("fold   birds tested   right");
  for (std::size_t fold = 0; fold < folds; ++fold) {
    std::vector<std::size_t> train, test;
    for (std::size_t i = 0; i < order.size(); ++i) (i % folds == fold ? test : train).push_back(order[i]);
    const standardizer standardized(t, train);
    const auto x = standardized(t, train), x_test = standardized(t, test);
    std::vector<std::int32_t> y;
    for (const std::size_t r : train) y.push_back(t.y[r]);

    tl::trainer net{model, tl::adamw({.learning_rate = 1e-2, .weight_decay = 1e-2}), tl::cpu{},
                    fold};  // a new one
    for (int step = 0; step < 300; ++step) net.step("x"_t = x, "y"_t = y);

    const auto count_right = [&](const std::vector<float>& seen, const std::vector<std::size_t>& rows,
                                 bool count) {
      const auto logits = net.predict("x"_t = seen).get<"logits">();
      int right = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const float* const row = &logits[i * most_classes];
        const auto guess = static_cast<std::size_t>(std::max_element(row, row + classes) - row),
                   truth = static_cast<std::size_t>(t.y[rows[i]]);
        right += guess == truth;
        if (count) ++confusion[truth * classes + guess];
      }
      return right;
    };
    on_training += count_right(x, train, false) / static_cast<double>(train.size()) / folds;
    std::printf("%4zu       %3zu         %5.1f %%\n", fold + 1, test.size(),
                100.0 * count_right(x_test, test, true) / static_cast<double>(test.size()));
  }

  std::printf("\n%10s", "truth");
  for (const std::string& c : t.classes) std::printf("%10s", c.c_str());
  std::puts("    recall");
  int right = 0;
  std::vector<double> shares;
  for (std::size_t truth = 0; truth < classes; ++truth) {
    int all = 0;
    std::printf("%10s", t.classes[truth].c_str());
    for (std::size_t guess = 0; guess < classes; ++guess) {
      std::printf("%10d", confusion[truth * classes + guess]);
      all += confusion[truth * classes + guess];
    }
    for (std::size_t guess = 0; guess < classes; ++guess)
      shares.push_back(confusion[truth * classes + guess] / static_cast<double>(all));
    right += confusion[truth * classes + truth];
    std::printf("   %5.1f %%\n", 100 * shares[truth * classes + truth]);
  }
  const double accuracy = right / static_cast<double>(t.rows()),
               error = std::sqrt(accuracy * (1 - accuracy) / static_cast<double>(t.rows()));
  std::printf("accuracy on birds not seen: %.3f+-%.3f; on those of the training: %.3f\n", accuracy, error,
              on_training);

  const double end = static_cast<double>(classes) - 0.5;
  svg::axes plot({.title = "confusion matrix, 5 folds",
                  .x_label = "guess",
                  .y_label = "truth",
                  .x = {-0.5, end},
                  .y = {-0.5, end},
                  .ticks = false,
                  .width = 240,
                  .height = 200});
  plot.cells(shares, static_cast<int>(classes), static_cast<int>(classes), svg::blue, svg::purple, 0.3);
  for (std::size_t truth = 0; truth < classes; ++truth)
    for (std::size_t guess = 0; guess < classes; ++guess)
      plot.text(static_cast<double>(guess), static_cast<double>(truth),
                (truth == guess ? t.classes[truth] + ": " : "") +
                    std::to_string(confusion[truth * classes + guess]));
  svg::write("17_k_fold.svg", {plot});
  return accuracy > 0.8 && accuracy < on_training + 0.02 ? 0 : 1;
}
