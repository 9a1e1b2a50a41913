// SPDX-License-Identifier: BSL-1.0
// Attention by blocks and its gradients against plain loops: extents around those of blocks and vectors,
// causal order, windows, masks, numbers that are added to scores and their gradients, slopes by distance,
// dropped weights, shared heads, strides, threads.
#include <tapeless/run/cpu/attention/cpu_attention.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "catch.hpp"
#include "thread_shares.hpp"

namespace k = tapeless::cpu_kernels;
using tapeless::attention_arguments;
using tapeless::attention_kind;

namespace {

constexpr std::int64_t batch = 2, heads = 3;

struct attention_case {
  std::int64_t queries, keys, width, value_width;
  bool causal = false;
  std::int64_t window = 0;
  bool shares_keys = false, has_mask = false, mask_is_of_keys = false;
  bool adds = false, numbers_are_of_heads = false, slopes = false;
  double dropout = 0;
};

using numbers = std::vector<double>;

/// [batch, heads, rows, columns] in the order batch, rows, heads, columns, as a projection leaves them.
template <class T>
struct tensor {
  std::int64_t heads_here, rows, columns;
  std::unique_ptr<T[]> all{new T[static_cast<std::size_t>(batch * heads_here * rows * columns)]};

  T& at(std::int64_t b, std::int64_t h, std::int64_t r, std::int64_t c) const {
    return all[static_cast<std::size_t>(((b * rows + r) * heads_here + (heads_here == 1 ? 0 : h)) * columns +
                                        c)];
  }
  tapeless::strided_operand operand() const {
    return {reinterpret_cast<std::byte*>(all.get()),
            {rows * heads_here * columns, heads_here == 1 ? 0 : columns, rows == 1 ? 0 : heads_here * columns,
             columns == 1 ? 0 : 1}};
  }
  std::size_t size() const { return static_cast<std::size_t>(batch * heads_here * rows * columns); }
};

template <class T>
class attention {
 public:
  explicit attention(const attention_case& c)
      : c_(c),
        q_{heads, c.queries, c.width},
        k_{c.shares_keys ? 1 : heads, c.keys, c.width},
        v_{c.shares_keys ? 1 : heads, c.keys, c.value_width},
        mask_{1, c.mask_is_of_keys ? 1 : c.queries, c.keys},
        added_{c.numbers_are_of_heads ? heads : 1, c.queries, c.keys},
        by_added_{c.numbers_are_of_heads ? heads : 1, c.queries, c.keys},
        y_{heads, c.queries, c.value_width + 2},
        r_{heads, c.queries, 2 * c.value_width + 2},
        g_{heads, c.queries + 2 * c.keys, std::max(c.width, c.value_width)} {
    std::mt19937 random(1);
    std::normal_distribution<T> normal;
    for (const tensor<T>* x : {&q_, &k_, &v_, &r_})
      for (std::size_t i = 0; i < x->size(); ++i) x->all[i] = normal(random);
    for (std::size_t i = 0; i < added_.size(); ++i) added_.all[i] = normal(random);
    for (std::int64_t j = 0; c.adds && c.queries > 1 && j < c.keys; ++j) {
      added_.at(0, 0, 1, j) = std::numeric_limits<T>::lowest();
      if (j % 3 == 0) added_.at(0, 0, 0, j) = -std::numeric_limits<T>::infinity();
    }
    // the first query attends to none, where each has a mask of its own
    for (std::size_t i = 0; i < mask_.size(); ++i)
      mask_.all[i] = random() % 3 != 0 && (c.mask_is_of_keys || i >= static_cast<std::size_t>(c.keys));
  }

  void run(int threads) {
    const bool adds = c_.adds || c_.slopes;
    if (adds && c_.dropout > 0) return run<true, true>(threads);
    if (adds) return run<true, false>(threads);
    if (c_.dropout > 0) return run<false, true>(threads);
    run<false, false>(threads);
  }

  template <bool Adds, bool Drops>
  void run(int threads) {
    const test::smallest_shares shares;
    k::thread_team team(threads);
    attention_arguments a{.rank = 2,
                          .extents = {batch, heads},
                          .queries = c_.queries,
                          .keys = c_.keys,
                          .width = c_.width,
                          .value_width = c_.value_width,
                          .scores = {.causal = c_.causal,
                                     .window = c_.window,
                                     .masked = c_.has_mask || c_.adds,
                                     .scale = scale,
                                     .adds = c_.adds,
                                     .dropout = c_.dropout,
                                     .sloping = c_.slopes ? heads : 0},
                          .query = q_.operand(),
                          .key = k_.operand(),
                          .values = v_.operand()};
    if (c_.has_mask) a.mask = mask_.operand();
    if (c_.adds) a.mask = shared_by_batch(added_);
    a.random.data = reinterpret_cast<std::byte*>(&key);
    a.target = y_.operand();
    fill(y_);
    compute<attention_kind::result, Adds, Drops>(a, team);
    for_each_row([&](std::int64_t b, std::int64_t h, std::int64_t q) {
      for (std::int64_t j = 0; j < c_.value_width + 2; ++j)
        r_.at(b, h, q, c_.value_width + j) = y_.at(b, h, q, j);
    });
    a.result = r_.operand();
    a.target = g_.operand();
    fill(g_);
    compute<attention_kind::gradients, Adds, Drops>(a, team);
    if constexpr (Adds) {
      if (!c_.adds) return;
      a.target = shared_by_batch(by_added_);
      fill(by_added_);
      compute<attention_kind::of_mask, Adds, Drops>(a, team);
    }
  }

  void compare() const {
    double error = 0;
    const double tolerance = std::is_same_v<T, float> ? 2e-5 : 1e-13;
    const auto see = [&](T found, double expected) {
      // a NaN, too
      if (!(std::abs(static_cast<double>(found) - expected) <= error)) error = std::abs(found - expected);
    };
    numbers of_added(static_cast<std::size_t>(heads * c_.queries * c_.keys));
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t h = 0; h < heads; ++h) {
        numbers of_keys(static_cast<std::size_t>(c_.keys * c_.width)),
            of_values(static_cast<std::size_t>(c_.keys * c_.value_width));
        for (std::int64_t q = 0; q < c_.queries; ++q) compare(b, h, q, of_keys, of_values, of_added, see);
        for (std::int64_t j = 0; j < c_.keys; ++j) {
          for (std::int64_t d = 0; d < c_.width; ++d)
            see(g_.at(b, h, c_.queries + j, d), of_keys[static_cast<std::size_t>(j * c_.width + d)]);
          for (std::int64_t d = 0; d < c_.value_width; ++d)
            see(g_.at(b, h, c_.queries + c_.keys + j, d),
                of_values[static_cast<std::size_t>(j * c_.value_width + d)]);
        }
      }
    if (c_.adds)
      for (std::int64_t h = 0; h < (c_.numbers_are_of_heads ? heads : 1); ++h)
        for (std::int64_t q = 0; q < c_.queries; ++q)
          for (std::int64_t j = 0; j < c_.keys; ++j)
            see(by_added_.at(0, h, q, j),
                of_added[static_cast<std::size_t>((h * c_.queries + q) * c_.keys + j)]);
    CHECK(error <= tolerance);
  }

  std::string bytes() const {
    std::string all(reinterpret_cast<const char*>(y_.all.get()), y_.size() * sizeof(T));
    if (c_.adds) all.append(reinterpret_cast<const char*>(by_added_.all.get()), by_added_.size() * sizeof(T));
    return all.append(reinterpret_cast<const char*>(g_.all.get()), g_.size() * sizeof(T));
  }

 private:
  static constexpr double scale = 0.4;
  std::int64_t key = 12345;
  attention_case c_;
  tensor<T> q_, k_, v_;
  tensor<bool> mask_;
  tensor<T> added_, by_added_;
  tensor<T> y_, r_, g_;

  // In the first part of a batch, which all share.
  static tapeless::strided_operand shared_by_batch(const tensor<T>& x) {
    tapeless::strided_operand o = x.operand();
    o.strides[0] = 0;
    return o;
  }
  template <attention_kind Computes, bool Adds, bool Drops>
  static void compute(const attention_arguments& a, k::thread_team& team) {
    constexpr tapeless::attention_key own{Computes, tapeless::element_of<T>, Adds, Drops};
    team.reserve_workspace(k::workspace_bytes<own>(a), k::threads_of(a, team));
    k::attend<own>(a, team);
  }
  double added(std::int64_t h, std::int64_t q, std::int64_t key_index) const {
    double sum = c_.adds ? static_cast<double>(added_.at(0, h, q, key_index)) : 0;
    constexpr double slopes[] = {0.0625, 0.00390625,
                                 0.25};  // of three heads: those of two, and one of four's
    if (c_.slopes) sum -= slopes[h] * static_cast<double>(std::abs(q - key_index));
    return sum;
  }
  double kept(std::int64_t b, std::int64_t h, std::int64_t q, std::int64_t key_index) const {
    if (c_.dropout == 0) return 1;
    const std::int64_t index = ((b * heads + h) * c_.queries + q) * c_.keys + key_index;
    const bool keeps = tapeless::random_operation::apply(index, key) >= static_cast<float>(c_.dropout);
    return keeps ? 1 / (1 - c_.dropout) : 0;
  }

  // What no kernel writes is not compared.
  static void fill(const tensor<T>& x) { std::fill_n(x.all.get(), x.size(), T(77)); }
  template <class F>
  void for_each_row(F f) const {
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t h = 0; h < heads; ++h)
        for (std::int64_t q = 0; q < c_.queries; ++q) f(b, h, q);
  }
  bool attends(std::int64_t b, std::int64_t q, std::int64_t key) const {
    return (!c_.causal || key <= q) && (c_.window == 0 || std::abs(q - key) < c_.window) &&
           (!c_.has_mask || mask_.at(b, 0, c_.mask_is_of_keys ? 0 : q, key));
  }

  template <class F>
  void compare(std::int64_t b, std::int64_t h, std::int64_t q, numbers& of_keys, numbers& of_values,
               numbers& of_added, F see) const {
    numbers p(static_cast<std::size_t>(c_.keys));
    double total = 0, expected_slope = 0, largest = -1e30;
    for (std::int64_t j = 0; j < c_.keys; ++j) largest = std::max(largest, added(h, q, j));
    for (std::int64_t j = 0; j < c_.keys; ++j) {
      if (!attends(b, q, j)) continue;
      double score = 0;
      for (std::int64_t d = 0; d < c_.width; ++d)
        score += static_cast<double>(q_.at(b, h, q, d)) * static_cast<double>(k_.at(b, h, j, d));
      if (largest > -1e30) total += p[static_cast<std::size_t>(j)] = std::exp(scale * score + added(h, q, j));
    }
    for (double& one : p) one = total == 0 ? 0 : one / total;
    for (std::int64_t d = 0; d < c_.value_width; ++d) {
      double y = 0;
      for (std::int64_t j = 0; j < c_.keys; ++j)
        y += p[static_cast<std::size_t>(j)] * kept(b, h, q, j) * static_cast<double>(v_.at(b, h, j, d));
      see(y_.at(b, h, q, d), y);
      expected_slope += y * static_cast<double>(r_.at(b, h, q, d));
    }
    numbers of_query(static_cast<std::size_t>(c_.width));
    for (std::int64_t j = 0; j < c_.keys; ++j) {
      double slope = -expected_slope;
      const double weight = p[static_cast<std::size_t>(j)], share = kept(b, h, q, j);
      for (std::int64_t d = 0; d < c_.value_width; ++d) {
        const auto gradient = static_cast<double>(r_.at(b, h, q, d));
        slope += share * gradient * static_cast<double>(v_.at(b, h, j, d));
        of_values[static_cast<std::size_t>(j * c_.value_width + d)] += share * weight * gradient;
      }
      of_added[static_cast<std::size_t>(((c_.numbers_are_of_heads ? h : 0) * c_.queries + q) * c_.keys +
                                        j)] += weight * slope;
      for (std::int64_t d = 0; d < c_.width; ++d) {
        of_keys[static_cast<std::size_t>(j * c_.width + d)] +=
            scale * weight * slope * static_cast<double>(q_.at(b, h, q, d));
        of_query[static_cast<std::size_t>(d)] +=
            scale * weight * slope * static_cast<double>(k_.at(b, h, j, d));
      }
    }
    for (std::int64_t d = 0; d < c_.width; ++d) see(g_.at(b, h, q, d), of_query[static_cast<std::size_t>(d)]);
  }
};

constexpr attention_case cases[] = {
    {1, 1, 1, 1},
    {3, 5, 2, 4},
    {17, 17, 5, 3, true},
    {64, 64, 16, 16, true},
    {65, 63, 8, 24},
    {63, 65, 20, 8, true},
    {130, 130, 7, 9, true},
    {70, 140, 33, 16},
    {140, 20, 4, 4, true},
    {20, 140, 4, 4, true},
    {131, 131, 8, 8, true, 5},
    {131, 140, 8, 8, false, 70},
    {20, 200, 8, 8, false, 3},
    {200, 20, 8, 8, false, 3},
    {66, 70, 8, 12, true, 0, true},
    {66, 70, 8, 12, false, 0, true, true},
    {70, 66, 12, 8, true, 9, false, true},
    {70, 130, 8, 8, false, 0, false, true, true},
    {.queries = 70, .keys = 130, .width = 8, .value_width = 12, .adds = true},
    {.queries = 130,
     .keys = 130,
     .width = 8,
     .value_width = 8,
     .causal = true,
     .adds = true,
     .numbers_are_of_heads = true},
    {.queries = 66,
     .keys = 70,
     .width = 8,
     .value_width = 12,
     .causal = true,
     .shares_keys = true,
     .slopes = true},
    {.queries = 70, .keys = 66, .width = 8, .value_width = 8, .window = 9, .adds = true, .slopes = true},
    {.queries = 70, .keys = 130, .width = 8, .value_width = 12, .dropout = 0.25},
    {.queries = 130, .keys = 130, .width = 8, .value_width = 8, .causal = true, .dropout = 0.1},
    {.queries = 66,
     .keys = 130,
     .width = 8,
     .value_width = 8,
     .shares_keys = true,
     .has_mask = true,
     .dropout = 0.5},
    {.queries = 66,
     .keys = 70,
     .width = 8,
     .value_width = 8,
     .causal = true,
     .adds = true,
     .numbers_are_of_heads = true,
     .dropout = 0.3},
};

TEMPLATE_TEST_CASE("attention by blocks is attention", "", float, double) {
  for (const attention_case& c : cases) {
    INFO(c.queries << " queries, " << c.keys << " keys, " << c.width << " and " << c.value_width << " wide"
                   << (c.causal ? ", causal" : "") << (c.has_mask ? ", with a mask" : "")
                   << (c.adds ? ", with numbers" : "") << (c.slopes ? ", with slopes" : "") << ", window "
                   << c.window << ", dropout " << c.dropout);
    attention<TestType> all(c);
    all.run(1);
    all.compare();
    const std::string expected = all.bytes();
    for (const int threads : {2, 3, 5, 16}) {
      INFO(threads << " threads");
      all.run(threads);
      CHECK(all.bytes() == expected);
    }
  }
}

// What is exact: one key gets all the weight, however large its score, and equal scores equal weights.
TEST_CASE("weights of scores that are equal, and of one, are exact") {
  k::thread_team team(1);
  const std::vector<float> q(64, 1e18f), keys(100, 0.f), v(100, 3.f);
  std::vector<float> y(192);
  attention_arguments a{.rank = 0, .queries = 64, .keys = 100, .width = 1, .value_width = 1};
  const auto place = [](const std::vector<float>& x, std::int64_t row) {
    return tapeless::strided_operand{reinterpret_cast<std::byte*>(const_cast<float*>(x.data())), {row, 1}};
  };
  a.query = place(q, 1);
  a.key = place(keys, 1);
  a.values = place(v, 1);
  a.target = place(y, 3);
  team.reserve_workspace(k::workspace_bytes<{attention_kind::result, tapeless::element::f32}>(a), 1);
  k::attend<{attention_kind::result, tapeless::element::f32}>(a, team);
  for (std::size_t i = 0; i < 64; ++i) CHECK(std::abs(y[3 * i] - 3.f) < 1e-6f);
  a.key = place(q, 1);
  a.keys = 1;
  k::attend<{attention_kind::result, tapeless::element::f32}>(a, team);
  for (std::size_t i = 0; i < 64; ++i) CHECK(y[3 * i] == 3.f);
}

// A logarithm of the sum of exponentials would be rounded away beside scores of 1e18.
TEST_CASE("gradients know how many equal scores there are, however large these are") {
  k::thread_team team(1);
  const float scores = GENERATE(0.f, 1e9f, -1e9f, 1e18f);
  const std::vector<float> q(64, scores), keys(100, 1.f), v(100, 3.f);
  std::vector<float> y(64 * 4, 1.f), gradients(264);
  attention_arguments a{.rank = 0, .queries = 64, .keys = 100, .width = 1, .value_width = 1};
  const auto place = [](const float* x, std::int64_t row) {
    return tapeless::strided_operand{reinterpret_cast<std::byte*>(const_cast<float*>(x)), {row, 1}};
  };
  a.query = place(q.data(), 1);
  a.key = place(keys.data(), 1);
  a.values = place(v.data(), 1);
  a.target = place(y.data() + 1, 4);  // behind its gradient, 1
  constexpr tapeless::attention_key result{attention_kind::result, tapeless::element::f32},
      of_all{attention_kind::gradients, tapeless::element::f32};
  team.reserve_workspace(k::workspace_bytes<of_all>(a), 1);
  k::attend<result>(a, team);
  a.result = place(y.data(), 4);
  a.target = place(gradients.data(), 1);
  k::attend<of_all>(a, team);
  for (std::size_t i = 164; i < 264; ++i) CHECK(std::abs(gradients[i] - 0.64f) < 1e-6f);
}

TEST_CASE("a dropout next to 1, which is 1 as a float, drops all weights") {
  bool kept[k::attention_block];
  k::kept_weights(1 - 1e-12, 3).find(0, 1, kept);
  CHECK(std::none_of(kept, kept + k::attention_block, [](bool x) { return x; }));
}

}  // namespace
