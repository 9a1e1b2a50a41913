// SPDX-License-Identifier: BSL-1.0
// tapeless: training neural networks, and differentiating other programs, within ordinary C++.
#pragma once

// First what refuses programs, so that compilers need two lines to say where it is.
#include <tapeless/expr/compile_error.hpp>
#include <tapeless/expr/statement.hpp>
//
#include <tapeless/expr/make.hpp>
//
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/linalg/linear.hpp>

#include <tapeless/data/mnist.hpp>
#include <tapeless/data/split.hpp>
#include <tapeless/data/text_windows.hpp>
#include <tapeless/error.hpp>
#include <tapeless/expr/array_initializer.hpp>
#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/run/cpu/cpu.hpp>
#include <tapeless/run/default_policy.hpp>
#include <tapeless/train/files/checkpoint_file.hpp>
#include <tapeless/train/files/fit_checkpoint.hpp>
#include <tapeless/train/files/save.hpp>
#include <tapeless/train/files/save_best.hpp>
#include <tapeless/train/inspect/check_gradients.hpp>
#include <tapeless/train/inspect/summary.hpp>
#include <tapeless/train/inspect/tensor_text.hpp>
#include <tapeless/train/loop/fit.hpp>
#include <tapeless/train/loop/metrics/accuracy.hpp>
#include <tapeless/train/loop/metrics/auroc.hpp>
#include <tapeless/train/loop/metrics/confusion_matrix.hpp>
#include <tapeless/train/loop/metrics/f1_score.hpp>
#include <tapeless/train/loop/metrics/mean_absolute_error.hpp>
#include <tapeless/train/loop/metrics/mean_squared_error.hpp>
#include <tapeless/train/loop/metrics/metric.hpp>
#include <tapeless/train/loop/metrics/perplexity.hpp>
#include <tapeless/train/loop/metrics/precision.hpp>
#include <tapeless/train/loop/metrics/r2_score.hpp>
#include <tapeless/train/loop/metrics/recall.hpp>
#include <tapeless/train/loop/metrics/top_k_accuracy.hpp>
#include <tapeless/train/loop/metrics/weighted.hpp>
#include <tapeless/train/loop/observers/csv_log.hpp>
#include <tapeless/train/loop/observers/early_stopping.hpp>
#include <tapeless/train/loop/observers/json_log.hpp>
#include <tapeless/train/loop/observers/plot.hpp>
#include <tapeless/train/loop/observers/progress_bar.hpp>
#include <tapeless/train/loop/observers/stop_rules.hpp>
#include <tapeless/train/loop/observers/tensorboard.hpp>
#include <tapeless/train/loop/table.hpp>
#include <tapeless/train/trainer/copy_parameters.hpp>
#include <tapeless/train/trainer/function.hpp>
#include <tapeless/train/trainer/in_turn_trainer.hpp>
#include <tapeless/train/trainer/initialized.hpp>
#include <tapeless/train/trainer/kept_weights.hpp>
#include <tapeless/train/trainer/lbfgs_trainer.hpp>
#include <tapeless/train/trainer/only.hpp>
#include <tapeless/train/trainer/snapshot.hpp>
#include <tapeless/train/trainer/trainer.hpp>
#include <tapeless/train/trainer/weights.hpp>
#ifdef __CUDACC__
#include <tapeless/run/cuda/cuda.hpp>
#include <tapeless/train/cuda/device_tensor.hpp>
#endif
