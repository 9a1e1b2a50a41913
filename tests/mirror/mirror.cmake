# SPDX-License-Identifier: BSL-1.0
# Where headers are tested that have no test at their path; check.cmake says what the lines mean.

untested("umbrellas" tapeless.hpp operations.hpp bare.hpp data/data.hpp bytes.hpp gguf.hpp numpy.hpp onnx.hpp ops/ops.hpp ops/kernel_operations.hpp
         ops/shape.hpp ops/pointwise.hpp ops/random.hpp ops/reduction.hpp ops/indexing.hpp
         ops/linalg.hpp ops/activation.hpp ops/spatial.hpp ops/norm.hpp ops/loss.hpp
         ops/attention.hpp ops/control.hpp ops/recurrent.hpp ops/autodiff.hpp
         mpi.hpp nccl.hpp optim/optim.hpp optim/schedules/schedules.hpp train/inspect/inspect.hpp)
untested("options, names and types alone" ops/loss/loss_options.hpp ops/reduction/reduction_options.hpp
         ops/spatial/spatial_extents.hpp ops/spatial/resize_options.hpp ops/spatial/sampling_options.hpp
         data/train_and_test.hpp
         expr/factory.hpp train/trainer/timing.hpp train/trainer/search_report.hpp plan/schedule.hpp plan/commands.hpp
         run/common/element_types.hpp run/bare/bare.hpp train/trainer/trainer_declaration.hpp
         train/trainer/function_declaration.hpp
         graph/core/compiled_once.hpp)
untested("other systems than the one that tests run on" io/platform.hpp)

# expr
tested_by(errors expr/compile_error.hpp expr/misuse.hpp expr/model.hpp expr/refused_operators.hpp
          ops/base/axis_as_argument.hpp ops/base/do_not_fit.hpp ops/base/element_kind.hpp ops/base/given_extents.hpp ops/base/layer.hpp
          ops/base/refused_call.hpp
          train/binding/tensor_operators.hpp train/program/check_bindings.hpp train/program/framework_calls.hpp
          train/trainer/error_stub.hpp expr/signature.hpp graph/core/compiler.hpp
          graph/core/type_text.hpp optim/transforms/parts_of_chain.hpp)
tested_by(run/cpu/straight_line/loop_functions.cpp run/bare/bare_places.hpp run/common/loop_function.hpp)
tested_by(run/cpu/straight_line/rounding.cpp graph/core/intrinsics.hpp # operations.hpp comes first there
          graph/core/rounded.hpp)
tested_by(guest error.hpp exceptions.hpp graph/core/cmath.hpp graph/core/infinity.hpp)
tested_by(consumer/compiled.cmake compiled.hpp)
tested_by(expr/statement.cpp expr/make.hpp expr/operands.hpp expr/input.hpp expr/param.hpp)
tested_by(train/trainer/initialized.cpp expr/fan_initializer.hpp graph/core/newton_square_root.hpp)
tested_by(train/program/result.cpp expr/outputs.hpp train/program/output_names.hpp)
tested_by(ops/control/scan.cpp expr/pack.hpp ops/control/scan_statement.hpp)

# graph
tested_by(plan/layout.cpp graph/core/aligned.hpp)
tested_by(run/cpu/families/cpu_matrix_function.cpp matrices/matrix_work.hpp)
tested_by(graph/core/graph.cpp graph/core/node.hpp graph/core/value.hpp
          graph/transform/prune.hpp
          graph/core/graph_tables.hpp graph/core/table_storage.hpp graph/structural/renumber.hpp)
tested_by(graph/transform/reverse.cpp graph/structural/copy.hpp)
tested_by(laws/autodiff/derivatives.cpp graph/transform/forward.hpp)
tested_by(ops/control/scan.cpp graph/transform/substitute.hpp)
tested_by(ops/autodiff/checkpoint.cpp graph/transform/recompute.hpp)
tested_by(ops/autodiff/grad.cpp graph/structural/differentiated.hpp)
tested_by(optim/wrappers/mixed_precision.cpp graph/transform/autocast.hpp)

# ops
tested_by(laws/pointwise/arithmetic.cpp ops/pointwise/add.hpp ops/pointwise/arithmetic.hpp ops/pointwise/div.hpp
          ops/pointwise/mul.hpp ops/pointwise/neg.hpp ops/pointwise/sub.hpp)
tested_by(laws/pointwise/comparison.cpp ops/pointwise/equal.hpp ops/pointwise/greater.hpp
          ops/pointwise/greater_equal.hpp ops/pointwise/less.hpp ops/pointwise/less_equal.hpp
          ops/pointwise/logical_and.hpp ops/pointwise/logical_not.hpp ops/pointwise/logical_or.hpp
          ops/pointwise/not_equal.hpp)
tested_by(laws/pointwise/smooth_activation.cpp ops/activation/gelu_erf.hpp ops/activation/gelu_tanh.hpp
          ops/activation/softplus_operation.hpp)
tested_by(ops/activation/swiglu.cpp ops/activation/geglu.hpp)
tested_by(laws/views/rearranged.cpp ops/linalg/triangle.hpp ops/spatial/pad_with.hpp)
tested_by(run/accuracy.cpp ops/base/scalar.hpp ops/pointwise/normal_cdf.hpp)
tested_by(ops/special_functions.cpp ops/base/composed_operation.hpp ops/pointwise/acosh.hpp
          ops/pointwise/addcdiv.hpp ops/pointwise/addcmul.hpp ops/pointwise/asinh.hpp
          ops/pointwise/atanh.hpp ops/pointwise/bessel_j0.hpp ops/pointwise/bessel_j1.hpp
          ops/pointwise/bessel_operations.hpp ops/pointwise/copysign.hpp ops/pointwise/deg2rad.hpp
          ops/pointwise/digamma.hpp ops/pointwise/erfc.hpp ops/pointwise/erfcx.hpp
          ops/pointwise/floor_divide.hpp ops/pointwise/frac.hpp ops/pointwise/heaviside.hpp
          ops/pointwise/hypot.hpp ops/pointwise/i0.hpp ops/pointwise/i0e.hpp ops/pointwise/i1.hpp ops/pointwise/i1e.hpp
          ops/pointwise/modified_bessel.hpp ops/pointwise/isfinite.hpp ops/pointwise/isinf.hpp ops/pointwise/isnan.hpp
          ops/pointwise/lerp.hpp ops/pointwise/lgamma.hpp ops/pointwise/log10.hpp
          ops/pointwise/logaddexp.hpp ops/pointwise/logaddexp2.hpp ops/pointwise/logit.hpp
          ops/pointwise/nan_to_num.hpp ops/pointwise/polygamma.hpp ops/pointwise/polygamma_operation.hpp
          ops/pointwise/rad2deg.hpp ops/pointwise/remainder.hpp ops/pointwise/signbit.hpp
          ops/pointwise/sinc.hpp ops/pointwise/xlog1py.hpp ops/pointwise/xlogy.hpp)
tested_by(ops/ordering.cpp ops/indexing/cummax.hpp ops/indexing/index_add.hpp
          ops/indexing/index_copy.hpp ops/indexing/index_fill.hpp ops/indexing/index_slices.hpp ops/indexing/times_named.hpp
          ops/indexing/scatter.hpp ops/indexing/put.hpp ops/indexing/scatter_reduce.hpp
          ops/indexing/scatter_extreme.hpp ops/indexing/searchsorted.hpp
          ops/indexing/bincount.hpp ops/indexing/sort.hpp
          ops/indexing/take_along.hpp ops/indexing/topk.hpp ops/indexing/unique.hpp ops/linalg/diag_embed.hpp
          ops/pointwise/bitwise_and.hpp ops/pointwise/bitwise_not.hpp ops/pointwise/bitwise_or.hpp
          ops/pointwise/bitwise_shift.hpp ops/pointwise/bitwise_xor.hpp
          ops/pointwise/as_condition.hpp ops/pointwise/logical_xor.hpp ops/reduction/cumulative_largest.hpp ops/reduction/diff.hpp
          ops/reduction/trapezoid.hpp ops/shape/meshgrid.hpp ops/shape/rot90.hpp ops/shape/repeat_interleave.hpp
          ops/shape/tile.hpp plan/families/planned_sort.hpp run/gpu/kernels/sort_kernel.hpp)
tested_by(ops/indexing/quantile.cpp ops/indexing/median.hpp)
tested_by(ops/indexing/full.cpp ops/linalg/eye.hpp)
tested_by(ops/views.cpp ops/base/axes.hpp ops/base/view_node.hpp)
tested_by(ops/reductions.cpp ops/reduction/max_reduction.hpp ops/reduction/min_reduction.hpp)
tested_by(ops/broadcast.cpp ops/reduction/sum_to.hpp)
tested_by(ops/indexing/gather.cpp ops/indexing/scatter_add.hpp)
tested_by(ops/linalg/einsum.cpp ops/linalg/einsum_equation.hpp)
tested_by(ops/linalg/cov.cpp ops/linalg/corrcoef.hpp)
tested_by(laws/products/composed.cpp ops/linalg/cross.hpp ops/linalg/kron.hpp ops/linalg/multi_dot.hpp
          ops/linalg/tensordot.hpp ops/linalg/trace.hpp ops/linalg/vecdot.hpp)
tested_by(ops/linalg/decompositions.cpp ops/linalg/cholesky.hpp ops/linalg/det.hpp ops/linalg/eigh.hpp
          ops/linalg/cond.hpp ops/linalg/identity_matrix.hpp ops/linalg/lu.hpp ops/linalg/matrix_exp.hpp ops/linalg/matrix_operands.hpp
          ops/linalg/matrix_norm.hpp ops/linalg/matrix_power.hpp ops/linalg/inverse.hpp
          ops/linalg/pinv.hpp ops/linalg/lstsq.hpp
          ops/linalg/qr.hpp ops/linalg/solve.hpp ops/linalg/solve_triangular.hpp
          ops/linalg/svd.hpp plan/families/planned_matrix_function.hpp matrices/matrix_factors.hpp
          matrices/matrix.hpp matrices/matrix_spectra.hpp matrices/plain_loops.hpp run/common/matrix_function.hpp)
tested_by(ops/spectral.cpp ops/spectral/angle.hpp ops/spectral/complex.hpp ops/spectral/complex_abs.hpp
          ops/spectral/complex_mul.hpp ops/spectral/complex_pairs.hpp ops/spectral/conj.hpp ops/spectral/fft.hpp
          ops/spectral/fft2.hpp ops/spectral/fftfreq.hpp ops/spectral/fftn.hpp ops/spectral/fftshift.hpp ops/spectral/fourier.hpp
          ops/spectral/hann_window.hpp
          ops/spectral/blackman_window.hpp ops/spectral/cosine_window.hpp ops/spectral/hamming_window.hpp
          ops/spectral/hfft.hpp ops/spectral/imag.hpp ops/spectral/polar.hpp
          ops/spectral/real.hpp ops/spectral/rfft.hpp ops/spectral/stft.hpp plan/families/planned_fourier.hpp
          run/cpu/families/cpu_fourier.hpp run/gpu/kernels/fourier_kernel.hpp)
tested_by(ops/loss/binary_focal_loss.cpp ops/loss/focal_options.hpp)
tested_by(ops/class_losses.cpp ops/loss/class_labels.hpp)
tested_by(ops/activation_options.cpp ops/activation/dropout_channels.hpp)
tested_by(ops/norm_layers.cpp ops/norm/standardize.hpp)
tested_by(ops/conv.cpp ops/spatial/convolution.hpp ops/spatial/convolve.hpp ops/spatial/spatial_windows.hpp)
tested_by(ops/spatial/conv_options.cpp ops/spatial/conv3d.hpp ops/spatial/conv_transpose1d.hpp
          ops/spatial/conv_transpose3d.hpp ops/spatial/convolve_volumes.hpp)
tested_by(ops/spatial/padding.cpp ops/spatial/padding_mode.hpp)
tested_by(ops/spatial/grid_sample.cpp ops/spatial/affine_grid.hpp)
tested_by(ops/spatial/interpolate.cpp ops/spatial/interpolation_weights.hpp)
tested_by(ops/spatial/pool_options.cpp ops/spatial/lp_pool.hpp ops/spatial/pool3d.hpp)
tested_by(ops/pool.cpp ops/spatial/adaptive_pool.hpp ops/spatial/avg_pool.hpp ops/spatial/global_pool.hpp
          ops/spatial/max_pool.hpp ops/spatial/max_windows.hpp ops/spatial/mean_windows.hpp
          ops/spatial/pool_node.hpp ops/spatial/pool_windows.hpp)
tested_by(ops/attention/attention.cpp ops/attention/attention_layer.hpp)
tested_by(ops/attention_options.cpp ops/attention/added_keys.hpp ops/attention/relative_position_bias.hpp
          ops/attention/relative_position_scores.hpp)
tested_by(ops/attention_dropout.cpp ops/attention/attention_weights.hpp)
tested_by(ops/recurrent_cells.cpp ops/recurrent/recurrent_cell.hpp)
tested_by(ops/recurrent_sequences.cpp ops/recurrent/recurrent_network.hpp ops/recurrent/recurrent_sequence.hpp)
tested_by(train/program/random_numbers.cpp graph/core/random_stream.hpp ops/random/random_bits.hpp
          ops/random/random_key.hpp ops/random/random_like.hpp)
tested_by(ops/random/normal.cpp ops/random/named_draw.hpp)
tested_by(ops/random/categorical.cpp ops/random/gumbel_noise.hpp)

# optim
tested_by(optim/rules/adam.cpp optim/base/moments.hpp optim/rules/amsgrad.hpp)
tested_by(optim/papers_by_layer.cpp optim/base/norms.hpp)
tested_by(optim/papers_free.cpp optim/rules/distance.hpp optim/rules/schedule_free.hpp)
tested_by(optim/papers_shampoo.cpp optim/base/inverse_root.hpp)
tested_by(optim/schedules.cpp optim/schedules/between.hpp optim/schedules/schedule_arithmetic.hpp)
tested_by(optim/wrapped.cpp optim/wrappers/wrapped_rule.hpp)
tested_by(optim/wrappers/mixed_precision.cpp optim/wrappers/loss_scale.hpp)
tested_by(optim/wrappers/skip_nonfinite.cpp optim/wrappers/finite.hpp)
tested_by(optim/wrappers/lazy_rows.cpp optim/base/chosen_rows.hpp optim/base/gradient_by_rows.hpp
          ops/indexing/replace_rows.hpp)
tested_by(optim/eager_rules.cpp optim/wrappers/gradients.hpp plan/eager_schedule.hpp)
tested_by(train/lbfgs.cpp optim/line_search/lbfgs_history.hpp)

# plan
tested_by(plan/layout.cpp plan/make_schedule.hpp)
tested_by(plan/fuse.cpp plan/materialize.hpp plan/plan.hpp plan/constant_plan.hpp
          plan/plan_tables.hpp)

tested_by(ops/conv.cpp plan/families/kernel_family.hpp plan/families/window_room.hpp)
tested_by(run/gpu/kernels/convolution_kernel.cpp plan/families/planned_convolution.hpp)
tested_by(run/gpu/kernels/pooling_kernel.cpp plan/families/planned_pooling.hpp)
tested_by(ops/indexing/gather.cpp plan/families/launch_site.hpp plan/families/planned_axis_loop.hpp plan/families/planned_gather.hpp
          plan/families/planned_scatter.hpp run/common/family_kernels.hpp run/cpu/families/cpu_axis_loop.hpp
          run/cpu/cpu_families.hpp run/cpu/families/cpu_gather.hpp run/cpu/families/cpu_scatter.hpp run/common/scatter_step.hpp)
tested_by(ops/reduction/cumsum.cpp plan/families/planned_prefix_scan.hpp run/cpu/families/cpu_prefix_scan.hpp)

# run
tested_by(run/cpu/fused/fused_kernel.cpp run/common/kernel_key.hpp run/common/kernel_parts.hpp run/common/common_number.hpp run/common/launch_argument_tables.hpp
          run/common/launch_arguments.hpp run/common/registers.hpp run/cpu/fused/kernel_accumulators.hpp
          run/cpu/fused/kernel_functions.hpp run/cpu/fused/kernel_loops.hpp run/cpu/fused/kernel_operands.hpp run/cpu/vectors/conditions.hpp run/cpu/vectors/valid_lanes.hpp run/cpu/cpu_kernel_tables.hpp run/cpu/vectors/lanes.hpp)
tested_by(run/cpu/vectors/vectors.cpp run/cpu/vectors/vector_arithmetic.hpp run/cpu/vectors/vector_selection.hpp run/cpu/vectors/wide_mask.hpp run/cpu/vectors/error_function.hpp run/cpu/vectors/logarithm.hpp
          run/cpu/vectors/powers.hpp run/cpu/vectors/rounding.hpp run/cpu/vectors/trigonometric.hpp run/cpu/vectors/vector_square_root.hpp)
tested_by(run/cpu/straight_line/packet_functions.cpp run/cpu/straight_line/arithmetic_of_tables.hpp)
tested_by(run/cpu/straight_line/order_of_sums.cpp run/cpu/vectors/total_of_lanes.hpp)
tested_by(run/cpu/convolution/cpu_convolution.cpp run/cpu/convolution/channel_blocks.hpp run/cpu/convolution/channel_convolution.hpp
          run/cpu/convolution/channel_gradients.hpp run/cpu/convolution/channel_kernel.hpp run/cpu/convolution/channel_tiles.hpp
          run/cpu/convolution/convolution_geometry.hpp run/cpu/convolution/packed_channels.hpp
          run/cpu/convolution/packed_planes.hpp run/cpu/convolution/packed_source.hpp
          run/cpu/convolution/plane_convolution.hpp run/cpu/convolution/windowed_sums.hpp)
tested_by(run/cpu/convolution/winograd_convolution.cpp run/cpu/convolution/winograd_blocks.hpp
          run/cpu/convolution/winograd_transforms.hpp)
tested_by(run/cpu/attention/cpu_attention.cpp ops/attention/attention_operation.hpp plan/families/planned_attention.hpp
          run/cpu/attention/attention_blocks.hpp run/cpu/attention/attention_head.hpp run/cpu/attention/block_product.hpp)
tested_by(run/cpu/fused/packed_rows.cpp run/cpu/fused/transposed_copy.hpp)
tested_by(run/cpu/families/cpu_sort.cpp run/cpu/families/sort_keys.hpp)
tested_by(run/cpu/pooling/cpu_pooling.cpp run/cpu/vectors/neighbour_lanes.hpp run/cpu/pooling/pooled_planes.hpp run/cpu/pooling/pooled_rows.hpp run/cpu/pooling/pooled_tiles.hpp)
tested_by(run/bare/bare_functions.cpp run/bare/bare_exponential.hpp run/bare/bare_number.hpp)
tested_by(run/bare/bare_shape.cpp run/bare/bare_loop_nest.hpp run/bare/bare_operands.hpp)
tested_by(run/bare/bare_windows.cpp run/bare/bare_convolution.hpp run/bare/bare_convolution_rows.hpp run/bare/bare_convolution_shape.hpp run/bare/bare_pooled_image.hpp
          run/bare/bare_pooled_positions.hpp run/bare/bare_pooling.hpp run/bare/bare_pooling_windows.hpp run/bare/bare_rows.hpp)
tested_by(train/bare/bare_states.cpp train/trainer/frozen_states.hpp)
tested_by(train/bare/bare_function.cpp train/bare/bare_parameters.hpp train/trainer/weights_in_memory.hpp)
tested_by(train/trainer/hyperparameters.cpp optim/base/hyperparameter_range.hpp train/program/hyperparameter_list.hpp)
tested_by(train/bare/bare_trainer.cpp run/bare/bare_axis_loops.hpp run/bare/bare_fused_elements.hpp run/bare/bare_fused_kernel.hpp run/bare/bare_fused_shape.hpp run/bare/bare_instruction.hpp run/bare/bare_loop_order.hpp
          run/bare/bare_memory.hpp run/bare/bare_locals.hpp run/bare/bare_factors.hpp run/bare/bare_product.hpp run/bare/bare_product_in_parts.hpp run/bare/bare_product_sums.hpp run/bare/bare_program.hpp run/bare/bare_sums.hpp
          run/bare/bare_vectors.hpp run/bare/bare_wide.hpp train/bare/bare_file.hpp
          train/bare/bare_initial_values.hpp train/bare/bare_layout.hpp train/bare/bare_report.hpp train/bare/bare_result.hpp)
tested_by(io/safetensors.cpp io/safetensors_dtype.hpp)
tested_by(run/cpu/straight_line/straight_line.cpp run/cpu/straight_line_at.hpp run/cpu/straight_line/straight_line_plan.hpp)
tested_by(run/cpu/straight_line/order_of_convolutions.cpp run/common/order_of_convolutions.hpp run/bare/bare_pixel_gradients.hpp)
tested_by(run/cpu/straight_line/straight_line_program.cpp run/cpu/cpu_by_tables.hpp
          run/cpu/straight_line/straight_line_code.hpp run/cpu/straight_line/tensor_block.hpp)
tested_by(run/cpu/product/product.cpp run/cpu/product/product_kernel.hpp run/cpu/product/blas_product.hpp run/cpu/product/packed_panels.hpp
          run/cpu/product/product_tiles.hpp run/cpu/product/vector_product.hpp run/cpu/product/few_columns_product.hpp
          run/cpu/vectors/eigen.hpp
          run/cpu/vectors/eigen_packets.hpp)

tested_by(io/gzip.cpp io/inflater.hpp io/zlib.hpp)
tested_by(io/safetensors.cpp io/aligned_bytes.hpp io/tensor_file.hpp)
tested_by(io/json_scanner.cpp io/decimal.hpp)
tested_by(io/json_string.cpp io/json_escape.hpp)
tested_by(io/npy.cpp io/npy_header.hpp)
tested_by(io/npz.cpp io/byte_stream.hpp io/crc32.hpp io/zip_directory.hpp io/zip_reader.hpp io/zip_writer.hpp)
tested_by(io/gguf.cpp io/gguf_format.hpp io/gguf_reader.hpp)
tested_by(train/loop/read_ahead.cpp data/reading_thread.hpp)
tested_by(run/cpu/threads/thread_team.cpp forks.hpp system_mutex.hpp worker_thread.hpp run/cpu/threads/worker_pool.hpp)
tested_by(run/cpu/work_split.cpp run/cpu/threads/program_work.hpp run/cpu/threads/work_estimates.hpp)
tested_by(run/cpu/straight_line/order_of_products.cpp run/common/order_of_products.hpp run/cpu/vectors/first_numbers.hpp
          run/bare/bare_packed_operands.hpp)
tested_by(run/accuracy.cpp run/cpu/vectors/exponential.hpp)
tested_by(ops/reductions.cpp run/cpu/fused/accumulators.hpp)
tested_by(run/cpu/straight_line/order_of_sums.cpp run/common/joined_loops.hpp run/common/order_of_sums.hpp
          run/bare/bare_fused_blocks.hpp run/bare/bare_fused_sums.hpp run/bare/bare_order_of_sums.hpp)
tested_by(ops/reduction/cumsum.cpp run/common/prefix_steps.hpp)
tested_by(train/trainer/function.cpp run/common/program_core.hpp run/common/program_operands.hpp run/cpu/cpu.hpp run/cpu/cpu_backend.hpp
          run/default_policy.hpp)
tested_by(run/cuda/cublas_product.cpp run/cuda/product_layout.hpp)
tested_by(run/cuda/attention.cpp run/cuda/attention_graph.hpp run/cuda/cudnn_attention.hpp)
tested_by(run/gpu/kernels/attention_kernel.cpp graph/structural/attention_support.hpp)
tested_by(run/gpu/kernels run/gpu/kernels/atomics.hpp run/gpu/kernels/fault.hpp
          run/gpu/kernels/gpu_kernel_tables.hpp run/gpu/kernels/implicit_product.hpp run/gpu/kernels/kernel_body.hpp run/gpu/kernels/planes.hpp
          run/gpu/kernels/axis_loop_space.hpp run/gpu/kernels/gpu_families.hpp
          run/gpu/kernels/indexed_elements.hpp run/gpu/kernels/matrix_function_kernel.hpp)
tested_by(run/gpu/launch run/gpu/launch/batch_groups.hpp run/gpu/launch/epilogues.hpp run/gpu/launch/extent_factors.hpp
          run/gpu/launch/launch_tables.hpp run/gpu/launch/row_groups.hpp)
tested_by(laws run/thrust_host/host_executor.hpp run/thrust_host/thrust_host.hpp
          run/thrust_host/thrust_host_backend.hpp)
tested_by(run/cuda run/common/host_shadow.hpp run/common/left_out_commands.hpp run/cuda/cuda.hpp run/cuda/executor.hpp
          run/cuda/launch.hpp run/cuda/operation_names.hpp train/cuda/device_tensor.hpp)
tested_by(run/cudnn run/cuda/cudnn.hpp run/cuda/cudnn_operations.hpp run/cuda/cudnn_plan.hpp)

# data
tested_by(data/dataset.cpp data/column_storage.hpp io/mapped_file.hpp)
tested_by(data/subset.cpp data/concat.hpp data/number_type.hpp data/resample.hpp data/split.hpp data/view.hpp)
tested_by(data/augment.cpp data/map.hpp data/normalize.hpp data/column_transform.hpp)
tested_by(data/source.cpp data/any_source.hpp data/batch.hpp data/column_description.hpp data/own_source.hpp)
tested_by(data/cifar100.cpp data/cifar_records.hpp)
tested_by(data/image_folder.cpp data/image_stream.hpp)
tested_by(data/dataset.cpp graph/core/contiguous_elements.hpp)
tested_by(train/binding/bound_elements.cpp graph/core/bindable_elements.hpp graph/core/bound_elements.hpp
          graph/core/nested_array.hpp)
tested_by(train/binding/input_copies.cpp graph/core/copy_elements.hpp)
tested_by(data/csv.cpp data/classified.hpp data/csv_column.hpp data/csv_scanner.hpp)

# train
tested_by(train/files/save_bytes.cpp io/bytes_reader.hpp)
tested_by(train/files/save.cpp train/program/save_options.hpp)
tested_by(train/files/save_npz.cpp train/files/save_gguf.hpp io/tensor_formats.hpp)
tested_by(train/binding/binding.cpp train/binding/bound_names.hpp train/binding/struct_binding.hpp
          train/binding/tag.hpp train/program/call.hpp)
tested_by(train/program/result.cpp train/binding/tensor_view.hpp train/program/loss_number.hpp)
tested_by(train/program/loss_over_samples.cpp train/loop/weights_of_parts.hpp train/program/loss_weight.hpp)
tested_by(train/loop/fit.cpp train/loop/evaluate.hpp train/loop/fit_loop.hpp train/loop/fit_progress.hpp)
tested_by(train/loop/fit_state.cpp train/loop/fit_history.hpp)
tested_by(train/loop/observers/early_stopping.cpp train/loop/observers/stop_rules.hpp
          train/loop/observers/watched_measurement.hpp train/trainer/kept_weights.hpp)
tested_by(train/loop/observers/progress_bar.cpp clock.hpp)
tested_by(train/loop/table.cpp train/loop/measurement_names.hpp train/loop/text_columns.hpp)
tested_by(train/loop/metrics/accuracy.cpp train/loop/metrics/labelled_rows.hpp
          train/loop/metrics/share_of_rows.hpp train/loop/metrics/top_k_accuracy.hpp)
tested_by(train/loop/metrics/f1_score.cpp train/loop/metrics/class_counts.hpp train/loop/metrics/confusion_matrix.hpp
          train/loop/metrics/confusion_table.hpp train/loop/metrics/precision.hpp train/loop/metrics/recall.hpp)
tested_by(train/loop/metrics/weighted.cpp train/loop/metrics/row_weights.hpp)
tested_by(train/loop/metrics/auroc.cpp train/loop/metrics/perplexity.hpp train/loop/metrics/sorted_runs.hpp)
tested_by(train/loop/metrics/r2_score.cpp train/loop/metrics/compared_rows.hpp
          train/loop/metrics/mean_absolute_error.hpp train/loop/metrics/mean_squared_error.hpp)
tested_by(train/loop/observers/csv_log.cpp train/loop/observers/epochs_so_far.hpp train/loop/observers/json_log.hpp)
tested_by(io/append_file.cpp io/folder.hpp io/number_text.hpp)
tested_by(train/loop/observers/plot.cpp train/loop/observers/curve.hpp train/loop/observers/curve_panel.hpp
          train/loop/observers/curves_svg.hpp train/loop/observers/plot_axis.hpp train/loop/observers/svg_text.hpp)
tested_by(io/tensorboard_event.cpp io/crc32c.hpp)
tested_by(train/trainer/function.cpp train/program/bound_program.hpp train/program/graph_builders.hpp)
tested_by(train/program/stored_outputs.cpp train/program/function_result.hpp)
tested_by(train/program/tensor_matching.cpp train/program/load_options.hpp train/program/tensor_conversion.hpp
          train/program/tensor_names.hpp)
tested_by(train/trainer/weights.cpp train/trainer/function_weights.hpp)
tested_by(train/trainer/copy_parameters.cpp train/trainer/float_copies.hpp train/trainer/named_tensors.hpp)
tested_by(train/allocations.cpp train/program/memory_plan.hpp)
tested_by(run/cpu/straight_line/straight_lines.cpp train/program/lines_on.hpp)
tested_by(train/trainer/in_turn_trainer.cpp optim/wrappers/in_turn.hpp train/program/objective_graph_builder.hpp
          train/program/running_statistics.hpp
          train/trainer/objective.hpp train/trainer/objectives.hpp)
tested_by(train/trainer/model_parameters.cpp train/binding/named_view.hpp)
tested_by(train/trainer/trainer.cpp train/program/parameters.hpp train/program/parameter_description.hpp
          train/trainer/training_programs.hpp)
tested_by(train/trainer/trainer_interface.cpp train/trainer/trainer_access.hpp train/trainer/trainer_position.hpp
          train/trainer/trainer_settings.hpp)
tested_by(train/moved.cpp train/trainer/trained_weights.hpp)
tested_by(train/trainer/lbfgs_trainer.cpp train/trainer/flat_parameters.hpp)
tested_by(train/files/checkpoint_file.cpp train/files/checkpoint_identity.hpp train/files/model_summary.hpp
          train/program/graph_summary.hpp train/trainer/trainer_state.hpp)
tested_by(train/inspect/work.cpp train/inspect/described_program.hpp train/inspect/extent_polynomial.hpp
          train/inspect/kernel_text.hpp train/inspect/layers.hpp train/inspect/memory_traffic.hpp)
tested_by(train/inspect/summary.cpp train/inspect/described_net.hpp train/inspect/drawing.hpp
          train/inspect/explain.hpp train/inspect/text_table.hpp train/inspect/to_dot.hpp
          train/inspect/to_mermaid.hpp)
tested_by(train/inspect/check_gradients.cpp train/inspect/copied_memory.hpp train/inspect/gradient_program.hpp)
tested_by(train/inspect/profile.cpp train/inspect/gradient_probe.hpp train/inspect/machine_peak.hpp train/inspect/statistics.hpp
          train/inspect/step_profile.hpp)

# onnx
tested_by(train/files/save_onnx.cpp onnx/format.hpp onnx/forms.hpp onnx/graph_view.hpp onnx/linear_forms.hpp
          onnx/model_file.hpp onnx/model_writer.hpp onnx/norm_forms.hpp onnx/recognize.hpp
          onnx/window_forms.hpp)
tested_by(train/files/save_onnx_names.cpp onnx/value_writer.hpp)
tested_by(train/files/save_onnx_types.cpp onnx/node_writer.hpp)
tested_by(train/files/save_onnx_operators.cpp onnx/fourier_writer.hpp onnx/quotient_writer.hpp onnx/shift_writer.hpp
          onnx/sort_writer.hpp)
tested_by(train/files/save_onnx_axes.cpp onnx/places.hpp onnx/prefix_scan_writer.hpp onnx/spatial_writer.hpp)
tested_by(onnx onnx/pointwise_writer.hpp onnx/symbol.hpp)
tested_by(errors onnx/refusal.hpp)

# Other operations go through the laws and the tests of their conventions, rules through those of their papers.
named(ops laws ops train)
named(optim optim)

tested_by(train/loop/fit.cpp train/loop/fit_programs.hpp)

# cluster
tested_by(cluster/dividing_trainer.cpp cluster/states_of_others.hpp)
tested_by(cluster/data_parallel.cpp cluster/sharded_states.hpp
          cluster/fitting_trainer.hpp
          cluster/save_on_ranks.hpp cluster/policy_of_ranks.hpp cluster/timing_of_ranks.hpp
          cluster/data_parallel_options.hpp cluster/gradient_exchange.hpp
          cluster/network_text.hpp cluster/sum_over_ranks.hpp cluster/transfer.hpp
          plan/last_first_schedule.hpp)
tested_by(cluster/sync_batch_norm.cpp cluster/collectives/sync_batch_norm.hpp)
tested_by(cluster/collectives.cpp cluster/collectives/all_gather.hpp cluster/collectives/all_reduce.hpp
          cluster/collectives/exchanged.hpp cluster/collectives/own_element.hpp cluster/collectives/own_part.hpp
          cluster/collectives/sum_of_ranks.hpp cluster/collectives/vary_by_rank.hpp cluster/cpu_ranks.hpp graph/structural/rank_exchange.hpp)
tested_by(mpi cluster/mpi.hpp train/trainer/one_of_several.hpp)
tested_by(run/cuda/nccl.cpp cluster/nccl.hpp cluster/nccl_data_parallel.hpp cluster/nccl_options.hpp
          cluster/device_buckets.hpp cluster/device_exchange.hpp cluster/device_graph.hpp cluster/device_sum.hpp cluster/one_process.hpp)
tested_by(run/cuda/device_rounded_sum.cpp cluster/device_rounded_sum.hpp)
