// SPDX-License-Identifier: BSL-1.0
// Attention of 16 bits by cuDNN, and by the library's own kernel where cuDNN has nothing for it.
#include "cudnn_failures.hpp"
#include "models.hpp"

namespace {

using namespace std::string_view_literals;

constexpr auto queries = tl::dyn<"queries">, keys = tl::dyn<"keys">;
constexpr int heads = 2, width = 8;

/// y, and the gradients of queries, keys and values where y's is g.
template <tl::attention_options Options>
constexpr auto with_gradients(auto q, auto k, auto v, auto g) {
  auto y = tl::scaled_dot_product_attention<Options>(q, k, v);
  auto loss = tl::sum(y * g);
  return tl::outputs(tl::named<"y">(y), tl::named<"dq">(tl::grad(loss, q)),
                     tl::named<"dk">(tl::grad(loss, k)), tl::named<"dv">(tl::grad(loss, v)));
}

template <class T, bool Causal>
constexpr auto attended = [] {
  return with_gradients<tl::attention_options{.causal = Causal}>(
      tl::input<"q", T, test::batch, heads, queries, width>,
      tl::input<"k", T, test::batch, heads, keys, width>, tl::input<"v", T, test::batch, heads, keys, width>,
      tl::input<"g", T, test::batch, heads, queries, width>);
};

/// Queries, keys and values are columns of inputs, from the First one on, of which each is wider.
template <class T, int Columns, int First>
constexpr auto sliced = [] {
  constexpr auto columns = [](auto x) { return tl::slice<3, First, First + width>(x); };
  auto q = tl::input<"q", T, test::batch, heads, queries, Columns>;
  auto k = tl::input<"k", T, test::batch, heads, keys, Columns + 8>;
  auto v = tl::input<"v", T, test::batch, heads, keys, Columns + 16>;
  auto y = tl::scaled_dot_product_attention(columns(q), columns(k), columns(v));
  auto loss = tl::sum(y * tl::input<"g", T, test::batch, heads, queries, width>);
  return tl::outputs(tl::named<"y">(y), tl::named<"dq">(tl::grad(loss, q)),
                     tl::named<"dk">(tl::grad(loss, k)), tl::named<"dv">(tl::grad(loss, v)));
};

/// Queries, keys and values of all heads are side by side.
template <class T>
constexpr auto side_by_side = [] {
  constexpr int features = heads * width;
  auto all = tl::input<"all", T, test::batch, queries, 3 * features>;
  const auto part = [&]<int I>() {
    auto x = tl::slice<2, I * features, (I + 1) * features>(all);
    return tl::transpose<1, 2>(tl::reshape<test::batch, queries, heads, width>(x));
  };
  auto y = tl::scaled_dot_product_attention<tl::attention_options{.causal = true}>(
      part.template operator()<0>(), part.template operator()<1>(), part.template operator()<2>());
  auto rows = tl::reshape<test::batch, queries, features>(tl::transpose<1, 2>(y));
  auto loss = tl::sum(rows * tl::input<"g", T, test::batch, queries, features>);
  return tl::outputs(tl::named<"y">(rows), tl::named<"d">(tl::grad(loss, all)));
};

/// One head of keys and values for all heads of queries.
template <class T>
constexpr auto shared_head = [] {
  const auto for_all_heads = [](auto x) { return tl::expand<test::batch, heads, keys, width>(x); };
  auto k = for_all_heads(tl::input<"k", T, test::batch, 1, keys, width>);
  auto v = for_all_heads(tl::input<"v", T, test::batch, 1, keys, width>);
  auto q = tl::input<"q", T, test::batch, heads, queries, width>;
  return tl::outputs(tl::named<"y">(tl::scaled_dot_product_attention(q, k, v)));
};

struct sizes {
  std::size_t batch = 2, queries = 5, keys = 5;
};

template <class T, class From>
std::vector<T> converted(const std::vector<From>& v) {
  return std::vector<T>(v.begin(), v.end());
}

/// What a model gives of random numbers that are rounded to Element. Keys have so many columns more than
/// queries, and values than keys.
template <class Element, class T, class Model, class Policy>
std::vector<double> results(const Model& model, const sizes& s, const Policy& policy,
                            std::size_t columns = width, std::size_t more = 0) {
  tl::function f{model, policy};
  test::numbers random(3);
  const auto numbers = [&](std::size_t rows, std::size_t columns) {
    return converted<T>(converted<float>(random.vector<Element>(s.batch * heads * rows * columns, -2, 2)));
  };
  const auto q = numbers(s.queries, columns), k = numbers(s.keys, columns + more),
             v = numbers(s.keys, columns + 2 * more), g = numbers(s.queries, width);
  std::vector<double> all;
  const auto add = [&](const auto& view) {
    for (const auto x : view) all.push_back(static_cast<double>(x));
  };
  const auto r =
      f("q"_t = q, "k"_t = k, "v"_t = v, "g"_t = g, "batch"_t = static_cast<std::int64_t>(s.batch),
        "queries"_t = static_cast<std::int64_t>(s.queries), "keys"_t = static_cast<std::int64_t>(s.keys));
  add(r.template get<"y">());
  add(r.template get<"dq">());
  add(r.template get<"dk">());
  add(r.template get<"dv">());
  return all;
}

template <class T>
constexpr double tolerance = std::is_same_v<T, tl::bf16> ? 0.04 : 0.005;

template <class T, bool Causal>
std::vector<double> on_device(const sizes& s) {
  return results<T, T>(attended<T, Causal>, s, tl::cuda{});
}
template <class T, bool Causal>
std::vector<double> on_cpu(const sizes& s) {
  return results<T, float>(attended<float, Causal>, s, tl::cpu{});
}

template <class F>
void for_all(F f) {
  f.template operator()<tl::bf16, false>();
  f.template operator()<tl::bf16, true>();
  f.template operator()<tl::f16, false>();
  f.template operator()<tl::f16, true>();
}

/// That a device computes the same as the CPU, by so many calls of cuDNN's.
template <class T, bool Causal>
void check(const sizes& s, int executions) {
  INFO(s.batch << " times " << s.queries << " queries, " << s.keys << " keys, "
               << tl::name_of(tl::element_of<T>) << (Causal ? ", causal" : ""));
  const auto expected = on_cpu<T, Causal>(s);
  test::gpu gpu;
  CHECK(test::difference(on_device<T, Causal>(s), expected) <= tolerance<T>);
  CHECK(gpu.calls("cudnnBackendExecute") == executions);
}

}  // namespace

TEST_CASE("attention: cuDNN's, in each order, is that of the CPU") {
  const auto o = test::each_order();
  for_all([&]<class T, bool Causal>() {
    const sizes s;
    const auto expected = on_cpu<T, Causal>(s);
    test::gpu gpu(o);
    CHECK(test::difference(on_device<T, Causal>(s), expected) <= tolerance<T>);
    CHECK(gpu.calls("cudnnBackendExecute") == 2);
    CHECK(gpu.calls("cudnnCreate") == 1);
  });
}

TEST_CASE("attention: of more keys than queries, and of fewer") {
  for_all([]<class T, bool Causal>() {
    check<T, Causal>({1, 3, 7}, 2);
    check<T, Causal>({3, 9, 4}, 2);
    check<T, Causal>({2, 2, 2}, 2);
  });
}

TEST_CASE("attention: of single queries or keys, and of none, it is the library's own kernel") {
  for_all([]<class T, bool Causal>() {
    check<T, Causal>({2, 1, 1}, 0);
    check<T, Causal>({2, 1, 5}, 0);
    check<T, Causal>({2, 5, 1}, 0);
    check<T, Causal>({0, 5, 5}, 0);
    check<T, Causal>({2, 0, 5}, 0);
  });
}

TEST_CASE("attention: rows that cuDNN cannot read are for the library's own kernel") {
  const auto check_sliced = []<int Columns, int First>(int executions) {
    INFO("from " << First << " of " << Columns);
    const auto expected = results<tl::bf16, float>(sliced<float, Columns, First>, {}, tl::cpu{}, Columns, 8);
    test::gpu gpu;
    const auto found =
        results<tl::bf16, tl::bf16>(sliced<tl::bf16, Columns, First>, {}, tl::cuda{}, Columns, 8);
    CHECK(test::difference(found, expected) <= tolerance<tl::bf16>);
    CHECK(gpu.calls("cudnnBackendExecute") == executions);
  };
  check_sliced.operator()<24, 8>(2);
  check_sliced.operator()<16, 4>(0);  // does not begin at a multiple of 16 bytes
  check_sliced.operator()<20, 0>(0);  // nor does the next row
}

TEST_CASE("attention: heads side by side are read where they are") {
  const std::size_t batch = 3, length = 6, features = heads * width;
  const auto found = [&]<class T>(T, const auto& policy) {
    tl::function f{side_by_side<T>, policy};
    test::numbers random(4);
    const auto numbers = [&](std::size_t columns) {
      return converted<T>(converted<float>(random.vector<tl::bf16>(batch * length * columns, -2, 2)));
    };
    const auto all = numbers(3 * features), g = numbers(features);
    const auto r = f("all"_t = all, "g"_t = g, "batch"_t = 3, "queries"_t = 6);
    auto result = test::elements(r.template get<"y">());
    const auto d = test::elements(r.template get<"d">());
    result.insert(result.end(), d.begin(), d.end());
    return result;
  };
  const auto expected = found(float(), tl::cpu{});
  test::gpu gpu;
  CHECK(test::difference(found(tl::bf16(), tl::cuda{}), expected) <= tolerance<tl::bf16>);
  CHECK(gpu.calls("cudnnBackendExecute") == 2);
}

TEST_CASE("attention: a head that is read for several is for the library's own kernel") {
  const auto found = [&]<class T>(T, const auto& policy) {
    tl::function f{shared_head<T>, policy};
    test::numbers random(4);
    const auto numbers = [&](std::size_t count) {
      return converted<T>(converted<float>(random.vector<tl::bf16>(2 * count * 5 * width, -2, 2)));
    };
    const auto q = numbers(heads), k = numbers(1), v = numbers(1);
    return test::elements(
        f("q"_t = q, "k"_t = k, "v"_t = v, "batch"_t = 2, "queries"_t = 5, "keys"_t = 5).template get<"y">());
  };
  const auto expected = found(float(), tl::cpu{});
  test::gpu gpu;
  CHECK(test::difference(found(tl::bf16(), tl::cuda{}), expected) <= tolerance<tl::bf16>);
  CHECK(gpu.calls("cudnnBackendCreateDescriptor") == 0);  // cuDNN is not asked
}

TEST_CASE("attention: by the engine that is given and supported, else by the library's own kernel") {
  const auto expected = on_cpu<tl::bf16, true>({});
  struct table {
    int executions;
    std::vector<fake_cuda::engine> engines;
  };
  const auto [executions, engines] = GENERATE(values<table>(
      {{2, {{.workspace = 512}}},
       {2, {{.is_fallback = true}}},
       {2,
        {{.notes = {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC}}, {.notes = {CUDNN_NUMERICAL_NOTE_TENSOR_CORE}}}},
       {0, {{.notes = {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC}}}},
       {0, {{.is_given = false}, {.is_fallback = true, .is_given = false}}},
       {0, {{.is_supported = false}, {.is_supported = false, .is_fallback = true}}},
       {0, {}}}));
  const fake_cuda::engines_for_now now(engines);
  test::gpu gpu;
  CHECK(test::difference(on_device<tl::bf16, true>({}), expected) <= tolerance<tl::bf16>);
  CHECK(gpu.calls("cudnnBackendExecute") == executions);
}

TEST_CASE("attention: where cuDNN refuses a descriptor, by another engine or the library's own kernel") {
  const auto expected = on_cpu<tl::bf16, true>({});
  const auto executed = [&](int refused) {
    INFO("refused: " << refused);
    test::gpu gpu;
    gpu.fail("cudnnBackendFinalize", refused, CUDNN_STATUS_NOT_SUPPORTED);
    CHECK(test::difference(on_device<tl::bf16, true>({}), expected) <= tolerance<tl::bf16>);
    return gpu.calls("cudnnBackendExecute");
  };
  for (const int refused : {1, 2, 5, 20}) CHECK(executed(refused) == 1);
  for (int refused = 50; refused < 70; ++refused) CHECK(executed(refused) >= 1);
}

TEST_CASE("attention: gradients that would keep too much at once are computed for some heads at a time") {
  struct table {
    std::size_t batch;
    std::int64_t bytes_kept;
    int executions;
  };
  const auto [batch, bytes_kept, executions] = GENERATE(values<table>({{4, 2, 1 + 1},
                                                                       {4, 64 << 10, 1 + 2},   // 2 samples
                                                                       {4, 128 << 10, 1 + 4},  // a sample
                                                                       {4, 256 << 10, 1},  // none is tried
                                                                       {3, 128 << 10, 1 + 3},
                                                                       {1, 128 << 10, 1 + 1},
                                                                       {1, 256 << 10, 1 + 2},  // a head
                                                                       {1, 512 << 10, 1}}));
  INFO(batch << " samples, " << bytes_kept << " bytes for each query and key");
  const sizes s{.batch = batch};
  const auto whole = [&] {
    test::gpu gpu;
    return on_device<tl::bf16, true>(s);
  }();
  const fake_cuda::engines_for_now now(
      std::vector<fake_cuda::engine>{{.workspace = 8, .bytes_kept = bytes_kept}});
  fake_cuda::options o;
  o.memory = std::size_t{64} << 20;  // an eighth of which may be taken
  test::gpu gpu(o);
  const double difference = test::difference(on_device<tl::bf16, true>(s), whole);
  CHECK(difference <= (executions > 1 ? 0 : tolerance<tl::bf16>));
  CHECK(gpu.calls("cudnnBackendExecute") == executions);
}

TEST_CASE("attention: its memory is taken before the first step of new extents, not in one") {
  test::gpu gpu;
  tl::function f{attended<tl::f16, false>, tl::cuda{}};
  const auto x = test::numbers().vector<tl::f16>(2 * heads * 5 * width);
  const auto step = [&] {
    f("q"_t = x, "k"_t = x, "v"_t = x, "g"_t = x, "batch"_t = 2, "queries"_t = 5, "keys"_t = 5);
  };
  step();
  step();
  const int before = gpu.calls("cudaMalloc"), descriptors = gpu.calls("cudnnBackendCreateDescriptor");
  for (int i = 0; i < 5; ++i) step();
  CHECK(gpu.calls("cudaMalloc") == before);
  CHECK(gpu.calls("cudnnBackendCreateDescriptor") == descriptors);
}

TEST_CASE("attention: a failure is a sentence that names the call and the model") {
  constexpr auto operation = ", for the operations attention of the model "sv;
  test::check_failures({{"cudnnCreate", 1, CUDNN_STATUS_EXECUTION_FAILED, ""},
                        {"cudnnBackendFinalize", 2, CUDNN_STATUS_INTERNAL_ERROR, operation},
                        {"cudnnBackendExecute", 1, CUDNN_STATUS_EXECUTION_FAILED, operation},
                        {"cudnnBackendExecute", 2, CUDNN_STATUS_EXECUTION_FAILED, operation}},
                       [] { on_device<tl::f16, false>({}); });
}
