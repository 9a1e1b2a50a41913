// SPDX-License-Identifier: BSL-1.0
// Finds matrix products that take the fused kernel behind them along, as the epilogue of a library:
//   a bias, a ReLU or a GELU
//   the gradient of a GELU
// Ordinary constexpr code over a plan's tables.
//
// The gradient of a ReLU stays a fused kernel: the masks that cuBLASLt keeps for it count 0 as positive,
// where the derivative is 0 here. Its GELU is that by tanh; the other one stays a fused kernel. So does any
// in float: cuBLASLt's tanh is the hardware's approximation, which 16 bits hide.
#pragma once

#include <array>

#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/run/gpu/launch/launch_tables.hpp>

namespace tapeless::thrust_kernels {

/// The last thing that is done to a product. gelu_gradient: it is multiplied by the slope of a GELU, of an
/// argument that has been kept.
enum class activation : std::uint8_t { none, relu, gelu, gelu_gradient };

/// What is done to a product before it is written: c = then(a b + bias). By operands of the fused kernel, its
/// loads, then its stores, where they are there.
struct epilogue {
  bool exists = false;
  activation then = activation::none;
  int result = -1;  // where c goes
  int bias = -1;
  int argument = -1;  // of a GELU: where it is kept, or has been
};

namespace detail {

constexpr bool computes_in_float(element type) { return type == element::f32 || is_half(type); }

/// Follows the fused kernel behind a product from its result back to the product.
class epilogue_finder {
 public:
  /// Precondition: the command is a product, and the next one a fused kernel.
  constexpr epilogue_finder(const launch_tables& t, int command)
      : t_(t),
        command_(command),
        product_(t.products[t.commands[command].index]),
        fused_kernel_(t.fused_kernel_at(command + 1)) {}

  constexpr epilogue find() {
    const int node = product_.c.base;
    if (!computes_in_float(product_.type) || product_.c.offset != 0 || product_.c.iteration_stride != 0 ||
        !is_in_arena(node) || !has_shape())
      return {};
    epilogue e{.exists = true, .result = find_result()};
    if (e.result < 0 || overwrites_operands()) return {};
    const int of_activation = before_activation(source(e.result), e);
    const int last = before_bias(of_activation, e);
    const int loads = 1 + (e.bias >= 0 ? 1 : 0) + (e.then == activation::gelu_gradient ? 1 : 0);
    if (instructions_ == 0 || instructions_ != fused_kernel_.instructions || loads != fused_kernel_.loads ||
        !is_whole(last) || load(last).place.base != node || load(last).place.offset != 0)
      return {};
    // nobody else reads the product, but as what a GELU is taken of
    const bool is_argument = e.then == activation::gelu && of_activation == last;
    if (buffer(node).last != command_ + 1 && !is_argument) return {};
    if (is_argument && buffer(node).last != command_ + 1) e.argument = -1 - last;
    if (fused_kernel_.stores == 1) return e;
    e.argument = 2 * fused_kernel_.loads + 1 - e.result;  // the other store
    return !is_argument && source(e.argument) == of_activation ? e : epilogue{};
  }

 private:
  const launch_tables& t_;
  int command_;
  const planned_product& product_;
  const planned_fused_kernel& fused_kernel_;
  int instructions_ = 0;  // that have a part in this

  constexpr bool is_in_arena(int node) const { return t_.place[node].kind == storage::arena; }
  constexpr const planned_buffer& buffer(int node) const { return t_.buffers[t_.place[node].index]; }
  constexpr const planned_load& load(int source) const {
    return t_.loads[fused_kernel_.first_load - 1 - source];
  }
  constexpr const planned_store& store(int operand) const {
    return t_.stores[fused_kernel_.first_store + operand - fused_kernel_.loads];
  }
  constexpr int source(int operand) const { return store(operand).source; }
  // The instruction that computes a source by that operation, or null; it has a part in this.
  template <class Operation>
  constexpr const planned_instruction* made_by(int source) {
    if (source < 0) return nullptr;
    const planned_instruction& i = t_.instructions[fused_kernel_.first_instruction + source];
    if (i.op != &operation_of<Operation> || i.type != product_.type) return nullptr;
    ++instructions_;
    return &i;
  }
  // The same where cuBLASLt's tanh is exact enough.
  template <class Operation>
  constexpr const planned_instruction* made_by_tanh(int source) {
    return is_half(product_.type) ? made_by<Operation>(source) : nullptr;
  }

  // Whether the fused kernel goes over as many elements as the product has, in rows that are as long or in
  // one.
  constexpr bool has_shape() const {
    const std::int64_t count = buffer(product_.c.base).count;
    if (fused_kernel_.reduced != 0 || fused_kernel_.accumulates) return false;
    if (fused_kernel_.rank == 1) return fused_kernel_.extents[0] == count;
    if (fused_kernel_.rank != 2 || fused_kernel_.extents[1] != product_.n) return false;
    if (product_.batch_rank == 0) return fused_kernel_.extents[0] == product_.m;
    const int target = t_.stores[fused_kernel_.first_store].place.base;
    return is_in_arena(target) && buffer(target).count == count;
  }
  // Whether it writes where the product reads, as a carry's next value may be computed in the carry's place.
  constexpr bool overwrites_operands() const {
    for (int k = 0; k < fused_kernel_.stores; ++k) {
      const access& to = store(fused_kernel_.loads + k).place;
      if (t_.same_memory(to, product_.a) || t_.same_memory(to, product_.b)) return true;
    }
    return false;
  }
  // Whether it goes over all elements there, which are contiguous.
  constexpr bool is_whole(const access& a, element type) const {
    const bool by_rows =
        fused_kernel_.rank == 1 ? a.strides[0] == 1 : a.strides[0] == product_.n && a.strides[1] == 1;
    return by_rows && a.iteration_stride == 0 && type == product_.type;
  }
  constexpr bool is_whole(int source) const {
    return source < 0 && load(source).kind == lane::contiguous &&
           is_whole(load(source).place, load(source).type);
  }
  constexpr bool is_bias(int source) const {
    if (source >= 0 || fused_kernel_.rank != 2) return false;
    const planned_load& l = load(source);
    return l.kind == lane::contiguous && l.type == product_.type && l.place.strides[0] == 0 &&
           l.place.iteration_stride == 0;
  }

  // The one store, or of two that of a GELU, beside what it is taken of.
  constexpr int find_result() {
    int found = -1;
    for (int k = fused_kernel_.loads; k < fused_kernel_.loads + fused_kernel_.stores; ++k) {
      if (fused_kernel_.stores > 2 || !is_whole(store(k).place, store(k).type)) return -1;
      if (fused_kernel_.stores == 1 || made_by_tanh<gelu_tanh_operation>(source(k)) != nullptr) found = k;
    }
    instructions_ = 0;
    return found;
  }
  // The source that the activation is taken of: `at` itself where there is none.
  constexpr int before_activation(int at, epilogue& e) {
    if (const auto* relu = made_by<relu_operation>(at)) {
      e.then = activation::relu;
      return relu->operands[0];
    }
    if (const auto* gelu = made_by_tanh<gelu_tanh_operation>(at)) {
      e.then = activation::gelu;
      return gelu->operands[0];
    }
    if (const auto* scaled = made_by<mul_operation>(at))
      for (int k = 0; k < 2; ++k)
        if (const auto* slope = made_by_tanh<gelu_tanh_slope_operation>(scaled->operands[k])) {
          if (!is_whole(slope->operands[0])) return at;
          e.then = activation::gelu_gradient;
          e.argument = -1 - slope->operands[0];
          return scaled->operands[1 - k];
        }
    return at;
  }
  // The same of the bias, which a gradient has none of.
  constexpr int before_bias(int at, epilogue& e) {
    if (e.then == activation::gelu_gradient) return at;
    if (const auto* sum = made_by<add_operation>(at))
      for (int k = 0; k < 2; ++k)
        if (is_bias(sum->operands[k])) {
          e.bias = -1 - sum->operands[k];
          return sum->operands[1 - k];
        }
    return at;
  }
};

}  // namespace detail

/// Of the command, where it is a product.
constexpr epilogue epilogue_of(const launch_tables& t, int command) {
  return t.is_product(command) && t.is_fused_kernel(command + 1) ? detail::epilogue_finder(t, command).find()
                                                                 : epilogue{};
}

namespace detail {

template <class GraphBuilder>
constexpr auto epilogues() {
  std::array<epilogue, plan_of<GraphBuilder>.products.size()> all{};
  const launch_tables t = launch_tables_of<GraphBuilder>();
  for (int s = 0; s < t.command_count; ++s)
    if (t.is_product(s)) all.data()[t.commands[s].index] = epilogue_of(t, s);
  return all;
}

}  // namespace detail

/// By product.
template <class GraphBuilder>
inline constexpr auto epilogues_of = detail::epilogues<GraphBuilder>();

}  // namespace tapeless::thrust_kernels
