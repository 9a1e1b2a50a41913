// SPDX-License-Identifier: BSL-1.0
// NumPy's files: data::npy, data::npz, save_npz, load_npz, io::read_npy, io::npz, io::write_npy,
// io::write_npz. Beside tapeless.hpp, for those who want it.
#pragma once

#include <tapeless/data/npy.hpp>
#include <tapeless/train/files/save_npz.hpp>
