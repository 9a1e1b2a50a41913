// SPDX-License-Identifier: BSL-1.0
// All recurrent layers.
#pragma once

#include <tapeless/ops/recurrent/gru.hpp>
#include <tapeless/ops/recurrent/gru_cell.hpp>
#include <tapeless/ops/recurrent/lstm.hpp>
#include <tapeless/ops/recurrent/lstm_cell.hpp>
#include <tapeless/ops/recurrent/recurrent_cell.hpp>
#include <tapeless/ops/recurrent/recurrent_network.hpp>
#include <tapeless/ops/recurrent/recurrent_sequence.hpp>
#include <tapeless/ops/recurrent/rnn.hpp>
#include <tapeless/ops/recurrent/rnn_cell.hpp>
#include <tapeless/ops/recurrent/sequence_lengths.hpp>
