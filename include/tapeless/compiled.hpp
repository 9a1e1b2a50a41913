// SPDX-License-Identifier: BSL-1.0
// The library with its functions that know of no model only declared: who includes this links the target
// tapeless::compiled, which has them. Its source is this file without the word `extern`.
#pragma once

#include <tapeless/tapeless.hpp>

namespace tapeless {

// programs on the CPU
extern template class bound_program<cpu::program>;
extern template program_core<cpu_kernels::backend>::program_core(
    const plan_view&, const cpu_kernels::kernel_table&,
    const program_memory<cpu_kernels::backend::resources>&);
extern template void program_core<cpu_kernels::backend>::run_observed(array_view<const std::byte* const>,
                                                                      const std::byte*, no_observer&&);

namespace cpu_kernels {

// products
extern template void run_product(const product_arguments&, std::byte*, const product_steps<float>&);
extern template void run_product(const product_arguments&, std::byte*, const product_steps<double>&);
extern template std::int64_t pack_right(const product_arguments&, const product_steps<float>&, std::byte*);
extern template std::int64_t pack_right(const product_arguments&, const product_steps<double>&, std::byte*);
extern template void pack_rows(float*, const float*, std::int64_t, std::int64_t, std::int64_t, bool);
extern template void pack_rows(double*, const double*, std::int64_t, std::int64_t, std::int64_t, bool);
extern template void pack_columns(float*, const float*, std::int64_t, std::int64_t, std::int64_t, bool);
extern template void pack_columns(double*, const double*, std::int64_t, std::int64_t, std::int64_t, bool);
extern template void row_times_matrix(const float*, std::int64_t, const float*, float*, std::int64_t,
                                      std::int64_t, bool);
extern template void row_times_matrix(const double*, std::int64_t, const double*, double*, std::int64_t,
                                      std::int64_t, bool);
extern template void matrix_times_column(const float*, std::int64_t, const float*, float*, std::int64_t,
                                         std::int64_t, bool);
extern template void matrix_times_column(const double*, std::int64_t, const double*, double*, std::int64_t,
                                         std::int64_t, bool);
extern template void row_times_columns(const float*, std::int64_t, const float*, float*, std::int64_t,
                                       std::int64_t, bool);
extern template void row_times_columns(const double*, std::int64_t, const double*, double*, std::int64_t,
                                       std::int64_t, bool);
extern template void rows_times_few_columns(const matrix_view<float>&, const matrix_view<float>&, float*,
                                            std::int64_t, std::int64_t, std::int64_t, std::int64_t);
extern template void rows_times_few_columns(const matrix_view<double>&, const matrix_view<double>&, double*,
                                            std::int64_t, std::int64_t, std::int64_t, std::int64_t);
extern template void columns_times_few_columns(const matrix_view<float>&, const matrix_view<float>&, float*,
                                               std::int64_t, std::int64_t, std::int64_t, std::int64_t);
extern template void columns_times_few_columns(const matrix_view<double>&, const matrix_view<double>&,
                                               double*, std::int64_t, std::int64_t, std::int64_t,
                                               std::int64_t);
extern template std::int64_t product_kernel_workspace<float>(std::int64_t, std::int64_t, std::int64_t);
extern template std::int64_t product_kernel_workspace<double>(std::int64_t, std::int64_t, std::int64_t);
extern template void multiply_half(const matrix_view<bf16>&, const matrix_view<bf16>&, bf16*, std::int64_t,
                                   std::int64_t, std::int64_t, std::int64_t, std::byte*);
extern template void multiply_half(const matrix_view<f16>&, const matrix_view<f16>&, f16*, std::int64_t,
                                   std::int64_t, std::int64_t, std::int64_t, std::byte*);

// fused kernels
extern template void run_loops<>(const fused_kernel_arguments&, const kernel_functions&, operand_place*,
                                 operand_place*, operand_step*, const packed_operands&, kernel_sums&);
extern template void run_packed_rows<>(const fused_kernel_arguments&, const kernel_functions&, operand_place*,
                                       const operand_step*, const kernel_rows&, const packed_operands&,
                                       const packed_tile&, kernel_sums&);

// attention
extern template void attend<attention_key{attention_kind::result, element::f32, false, false}>(
    const attention_arguments&, const thread_team&);
extern template void attend<attention_key{attention_kind::result, element::f32, true, false}>(
    const attention_arguments&, const thread_team&);
extern template void attend<attention_key{attention_kind::gradients, element::f32, false, false}>(
    const attention_arguments&, const thread_team&);
extern template void attend<attention_key{attention_kind::gradients, element::f32, true, false}>(
    const attention_arguments&, const thread_team&);

// other families
extern template void convolve<float, convolution_part::x>(const convolution_arguments&, const thread_team&);
extern template void convolve<float, convolution_part::weight>(const convolution_arguments&,
                                                               const thread_team&);
extern template void convolve<float, convolution_part::y>(const convolution_arguments&, const thread_team&);
extern template void pool<float, pooling_kind::largest>(const pooling_arguments&, const thread_team&);
extern template void pool<float, pooling_kind::tied>(const pooling_arguments&, const thread_team&);
extern template void pool<float, pooling_kind::shared>(const pooling_arguments&, const thread_team&);
extern template void pool<float, pooling_kind::mean>(const pooling_arguments&, const thread_team&);
extern template void pool<float, pooling_kind::spread>(const pooling_arguments&, const thread_team&);

namespace detail {

extern template void run_family_kernel<&gather_kernel<float, std::int32_t>::run, gather_arguments>(
    const void*, std::size_t, const thread_team&);
extern template void run_family_kernel<&gather_kernel<float, std::int64_t>::run, gather_arguments>(
    const void*, std::size_t, const thread_team&);
extern template void run_family_kernel<&scatter_kernel<scatter_kind::add, float, std::int32_t>::run,
                                       scatter_arguments>(const void*, std::size_t, const thread_team&);
extern template void run_family_kernel<&scatter_kernel<scatter_kind::add, float, std::int64_t>::run,
                                       scatter_arguments>(const void*, std::size_t, const thread_team&);

}  // namespace detail

}  // namespace cpu_kernels

// training
extern template void refuse_negative<>(array_view<const derived_extent>, const derived_extent&, std::int64_t);
extern template std::string curves_svg(const std::vector<epoch_report>&, const plot_options&);
extern template std::string table(const std::vector<epoch_report>&);
extern template fit_history fit_loop::run<>();
extern template void progress_bar::draw<>(const fit_progress&, double);
extern template void progress_bar::end_epoch<>(const fit_progress&, const epoch_report&);
extern template void report::set<>(std::string_view, measurement, direction);
extern template std::size_t report::index_of<>(std::string_view) const;
extern template void rule_description::check<>(const described_hyperparameter&, const hyperparameter_range&,
                                               double, std::string_view);

namespace detail {

extern template data::batch_memory memory_for<>(array_view<const input_description>, const data::source&);
extern template data::sample_order hold_back<>(const data::source&, const fit_in_parts_options&,
                                               std::vector<std::int64_t>&);
extern template void initialize<>(const parameter_description&, std::size_t,
                                  array_view<const parameter_description>, value_computation, std::uint64_t,
                                  std::byte*);
extern template void row_reader::begin<>(std::string_view, array_view<const std::int64_t>, std::string_view,
                                         array_view<const std::int64_t>);
extern template void row_reader::refuse_label<>(double, std::int64_t) const;
extern template list<matched_tensor> tensor_matcher<load_options>::match();
extern template std::string summary_text<void>(const described_net&, const summary_options&,
                                               array_view<const bound_extent>);

}  // namespace detail

// data and files
extern template const data::detail::any_source* data::source::of<>(const dataset&);
extern template data::dataset data::detail::read_mnist_part<>(const std::string&);
extern template void io::detail::write_with_metadata<>(const std::string&, array_view<const tensor_entry>,
                                                       std::string_view);
extern template io::safetensors io::safetensors::read_whole<io::file_reader>(io::file_reader);
extern template io::sharded_safetensors io::sharded_safetensors::read_all<io::file_reader>(
    const std::string&);
extern template std::vector<std::int32_t> data::detail::read_characters(const std::string&, std::int64_t);
extern template data::dataset data::detail::windows_into(std::vector<std::int32_t>, std::int64_t);

}  // namespace tapeless
