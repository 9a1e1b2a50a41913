// SPDX-License-Identifier: BSL-1.0
// Names and layouts of all layers are those of PyTorch's state_dict: its weights give its results. The files
// are by tests/reference/sets/state_dicts.py.
#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto layers = [] {
  auto x = tl::input<"x", float, 2, 3>;
  auto x4 = tl::input<"x4", float, 2, 4>;
  auto index = tl::input<"index", std::int64_t, 2, 3>;
  auto signal = tl::input<"signal", float, 2, 4, 7>;
  auto image = tl::input<"image", float, 2, 4, 6, 5>;
  auto sequence = tl::input<"sequence", float, 5, 2, 3>;
  auto rows = tl::input<"rows", float, 2, 5, 4>;
  auto keys = tl::input<"keys", float, 2, 6, 3>;
  auto values = tl::input<"values", float, 2, 6, 5>;
  auto volume = tl::input<"volume", float, 1, 2, 3, 3, 4>;
  auto h = tl::input<"h", float, 2, 2>;
  auto c = tl::input<"c", float, 2, 2>;
  auto rnn = tl::rnn<"rnn", 2, tl::recurrent{.activation = tl::nonlinearity::relu}>(sequence);
  auto [lstm, lstm_h, lstm_c] =
      tl::lstm<"lstm", 2, tl::recurrent{.layers = 2, .bidirectional = true}>(sequence);
  auto [projected, projected_h, projected_c] =
      tl::lstm<"projected", 4, tl::recurrent{.layers = 2, .bidirectional = true, .proj_size = 2}>(
          sequence, tl::slice<0, 0, 4>(tl::slice<2, 0, 2>(sequence)),
          tl::slice<0, 0, 4>(tl::slice<2, 0, 4>(tl::concat<2>(sequence, sequence))));
  auto [gru, gru_h] = tl::gru<"gru", 2, tl::recurrent{.layers = 2}>(sequence);
  auto [cell_h, cell_c] = tl::lstm_cell<"lstm_cell", 2>(x, h, c);
  using tl::conv;
  return tl::outputs(
      tl::named<"linear">(tl::linear<"linear", 4>(x)), tl::named<"plain">(tl::linear<"plain", 2, false>(x)),
      tl::named<"bilinear">(tl::bilinear<"bilinear", 2>(x, x4)),
      tl::named<"weight_norm">(tl::linear(x, tl::weight_norm<"weight_norm.weight", float, 2, 3>(),
                                          tl::param<"weight_norm.bias", float, 2>)),
      tl::named<"embedding">(tl::embedding<"embedding", 5, 3>(index)),
      tl::named<"embedding_bag">(
          tl::embedding_bag<"embedding_bag", 5, 3, tl::bag{.padding_index = 0}>(index)),
      tl::named<"conv1d">(tl::conv1d<"conv1d", 6, conv{.kernel = 3, .padding = 1, .groups = 2}>(signal)),
      tl::named<"conv2d">(tl::conv2d<"conv2d", 6, conv{.kernel = {3, 2}, .stride = 2, .padding = 1}>(image)),
      tl::named<"transposed">(
          tl::conv_transpose2d<
              "transposed", 6,
              conv{.kernel = 3, .stride = 2, .padding = 1, .groups = 2, .output_padding = 1}>(image)),
      tl::named<"batch_norm">(tl::batch_norm<"batch_norm">(image)),
      tl::named<"group_norm">(tl::group_norm<"group_norm", 2>(image)),
      tl::named<"instance_norm">(tl::instance_norm<"instance_norm">(image)),
      tl::named<"layer_norm">(tl::layer_norm<"layer_norm">(x)),
      tl::named<"layer_norm2">(tl::layer_norm<"layer_norm2", 2>(image)),
      tl::named<"rms_norm">(tl::rms_norm<"rms_norm">(x)), tl::named<"rnn">(std::get<0>(rnn)),
      tl::named<"lstm">(lstm), tl::named<"lstm_h">(lstm_h), tl::named<"lstm_c">(lstm_c),
      tl::named<"projected">(projected), tl::named<"projected_h">(projected_h),
      tl::named<"projected_c">(projected_c), tl::named<"gru">(gru), tl::named<"gru_h">(gru_h),
      tl::named<"rnn_cell">(tl::rnn_cell<"rnn_cell", 2>(x, h)), tl::named<"lstm_cell_h">(cell_h),
      tl::named<"lstm_cell_c">(cell_c), tl::named<"gru_cell">(tl::gru_cell<"gru_cell", 2>(x, h)),
      tl::named<"attention">(tl::attention<"attention", tl::attention_options{.heads = 2}>(rows)),
      tl::named<"encoder">(
          tl::transformer_encoder_layer<
              "encoder", tl::transformer_options{.heads = 2, .hidden = 8, .norm_first = true}>(rows)),
      tl::named<"conv3d">(
          tl::conv3d<"conv3d", 4, conv{.kernel = {2, 3, 2}, .padding = 1, .groups = 2}>(volume)),
      tl::named<"transposed1d">(
          tl::conv_transpose1d<"transposed1d", 6, conv{.kernel = 3, .stride = 2, .groups = 2}>(signal)),
      tl::named<"transposed3d">(
          tl::conv_transpose3d<"transposed3d", 3, conv{.kernel = {2, 3, 2}, .stride = 2}>(volume)),
      tl::named<"prelu">(tl::prelu<"prelu", 4>(image)),
      tl::named<"spectral_norm">(tl::linear(x, tl::spectral_norm<"spectral_norm.weight", float, 2, 3>(),
                                            tl::param<"spectral_norm.bias", float, 2>)),
      tl::named<"attends_to_others">(
          tl::attention<"attends_to_others", tl::attention_options{.heads = 2, .add_bias_kv = true}>(
              rows, keys, values)),
      tl::named<"features_norm">(tl::batch_norm<"features_norm">(x)),
      tl::named<"no_bias">(
          std::get<0>(tl::gru<"no_bias", 2, tl::recurrent{.bidirectional = true, .bias = false}>(sequence))));
};

struct comparison {
  const tl::io::safetensors& values;
  int compared = 0;

  void operator()(const std::string& name, const auto& result) {
    const tl::io::tensor_entry& expected = values["out." + name];
    const auto numbers = expected.as<float>();
    INFO(name);
    const auto shape = result.shape();
    REQUIRE(std::equal(shape.begin(), shape.end(), expected.shape.begin(), expected.shape.end()));
    float worst = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      worst = std::max(worst, std::abs(result[i] - numbers[i]));
    CHECK(worst < 1e-5f);
    ++compared;
  }
};

}  // namespace

TEST_CASE("weights of PyTorch's layers give PyTorch's results, and go back") {
  const std::string folder = test::folder_from("TAPELESS_OWN_REFERENCE"),
                    path = folder + "/state-dict.safetensors";
  if (!std::filesystem::exists(path)) {
    WARN("SKIPPED: there is no " << path);
    return;
  }
  tl::function f{layers};
  // Nothing is missing, nothing has another shape, and two tensors have no counterpart.
  CHECK(test::error_of([&] { tl::load(f, path, {.allow_unexpected = false}); }) ==
        "tapeless: " + path +
            ": unexpected in the file: \"batch_norm.num_batches_tracked\", "
            "\"features_norm.num_batches_tracked\"");
  tl::load(f, path);

  const auto values = tl::io::safetensors::read(folder + "/state-dict-values.safetensors");
  const auto in = [&](const char* name) { return values[std::string("in.") + name].as<float>(); };
  const auto y = f("x"_t = in("x"), "x4"_t = in("x4"), "index"_t = values["in.index"].as<std::int64_t>(),
                   "signal"_t = in("signal"), "image"_t = in("image"), "sequence"_t = in("sequence"),
                   "rows"_t = in("rows"), "keys"_t = in("keys"), "values"_t = in("values"),
                   "volume"_t = in("volume"), "h"_t = in("h"), "c"_t = in("c"));
  comparison compare{values};
  const auto each = [&]<tl::name... Names> {
    (compare(std::string(Names.view()), y.template get<Names>()), ...);
  };
  each.operator()<"linear", "plain", "bilinear", "weight_norm", "embedding", "embedding_bag", "conv1d",
                  "conv2d", "transposed", "batch_norm", "group_norm", "instance_norm", "layer_norm",
                  "layer_norm2", "rms_norm", "rnn", "lstm", "lstm_h", "lstm_c", "projected", "projected_h",
                  "projected_c", "gru", "gru_h", "rnn_cell", "lstm_cell_h", "lstm_cell_c", "gru_cell",
                  "attention", "encoder", "conv3d", "transposed1d", "transposed3d", "prelu", "spectral_norm",
                  "attends_to_others", "features_norm", "no_bias">();
  const auto is_result = [](const tl::io::tensor_entry& t) { return t.name.starts_with("out."); };
  CHECK(compare.compared == std::count_if(values.begin(), values.end(), is_result));

  const test::temporary_folder own;
  tl::save(f, own.path("saved"));
  const auto saved = tl::io::safetensors::read(own.path("saved")), given = tl::io::safetensors::read(path);
  CHECK(saved.size() + 2 == given.size());
  for (const tl::io::tensor_entry& tensor : saved) {
    CHECK(tensor.shape == given[tensor.name].shape);
    CHECK(std::equal(tensor.bytes.begin(), tensor.bytes.end(), given[tensor.name].bytes.begin()));
  }
  if (const char* file = std::getenv("TAPELESS_SAVED_STATE_DICT")) tl::save(f, file);  // for PyTorch to read
}
