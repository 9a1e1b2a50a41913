// SPDX-License-Identifier: BSL-1.0
// All that a program needs that trains, or computes with trained weights, on a bare machine. It compiles with
// -ffreestanding -fno-exceptions -fno-rtti, and what it leaves behind needs no library.
#pragma once

#include <tapeless/expr/compile_error.hpp>  // first, so that compilers need two lines to say where it is

#include <tapeless/expr/array_initializer.hpp>
#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/bare/bare_function.hpp>
#include <tapeless/train/bare/bare_trainer.hpp>
