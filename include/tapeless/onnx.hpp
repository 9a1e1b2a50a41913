// SPDX-License-Identifier: BSL-1.0
// Export of trained models to ONNX: tl::save_onnx(net, "model.onnx"). Beside tapeless.hpp, so that who does
// not export does not compile it.
#pragma once

#include <tapeless/train/files/save_onnx.hpp>
