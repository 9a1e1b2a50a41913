// SPDX-License-Identifier: BSL-1.0
// A table of 200,000 rows, of which a step looks four up for each sample: of these Adam changes the rows that
// a step names alone, as PyTorch's SparseAdam does.
#include "row.hpp"

namespace steps {

namespace {

constexpr int rows_of_table = 200'000, width = 64, looked_up = 4;

template <int Batch>
constexpr auto bag = [] {
  auto indices = tl::input<"indices", std::int32_t, Batch, looked_up>;
  auto y = tl::input<"y", float, Batch, 1>;
  auto sums = tl::sum<1>(tl::embedding<"table", rows_of_table, width>(indices));
  auto h = tl::relu(tl::linear<"a", 32>(sums));
  return tl::mse_loss(tl::linear<"b", 1>(h), y);
};

template <int Batch>
void add_with_batch(std::vector<row>& rows) {
  row r = row_of(
      "lookups-200k/" + std::to_string(Batch), 0,
      [] {
        return inputs{.y = inputs::numbers(Batch, 2),
                      .indices = inputs::classes(Batch * looked_up, rows_of_table, 3)};
      },
      [](int threads) {
        return tl::trainer{bag<Batch>, tl::lazy_rows(tl::adam({})), tl::cpu{.threads = threads}};
      },
      [](auto& net, const inputs& in) { return net.step("indices"_t = in.indices, "y"_t = in.y).loss(); });
  // of each row: parameter and two moments, read and written
  r.bytes = 6.0 * sizeof(float) * Batch * looked_up * width;
  rows.push_back(r);
}

}  // namespace

void add_lookups(std::vector<row>& rows) {
  add_with_batch<32>(rows);
  add_with_batch<512>(rows);
}

}  // namespace steps
