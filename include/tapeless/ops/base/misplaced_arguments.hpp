// SPDX-License-Identifier: BSL-1.0
// Layers that are written without their name, in another order, without their width or with both as
// arguments: the sentence that shows how they are written.
#pragma once

#include <concepts>

#include <tapeless/expr/make.hpp>

namespace tapeless {

namespace detail {

/// How each is written.
inline constexpr sentence linear_form{"linear<\"fc1\", 10>(x)"};
inline constexpr sentence bilinear_form{"bilinear<\"mix\", 10>(a, b)"};
inline constexpr sentence embedding_form{"embedding<\"words\", 1000, 64>(index)"};
inline constexpr sentence conv1d_form{"conv1d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"};
inline constexpr sentence conv2d_form{"conv2d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"};
inline constexpr sentence conv_transpose2d_form{"conv_transpose2d<\"up1\", 16, tl::conv{.kernel = 2}>(x)"};
inline constexpr sentence rnn_form{"rnn<\"rnn\", 64>(x)"};
inline constexpr sentence gru_form{"gru<\"gru\", 64>(x)"};
inline constexpr sentence lstm_form{"lstm<\"lstm\", 64>(x)"};
inline constexpr sentence rnn_cell_form{"rnn_cell<\"cell\", 64>(x, h)"};
inline constexpr sentence gru_cell_form{"gru_cell<\"cell\", 64>(x, h)"};
inline constexpr sentence lstm_cell_form{"lstm_cell<\"cell\", 64>(x, h, c)"};

constexpr text layer_form(std::string_view form) {
  return text() << "a layer has template arguments in this order, its name first: tl::" << form;
}

/// Says so; depends on the arguments only so that it is said where a user wrote them.
template <sentence Form, auto...>
TAPELESS_FACTORY auto refuse_layer() {
  constexpr text message = layer_form(Form.view());
  static_assert(compile_error<sentence_of<message.size>(message)>::reported);
  return erroneous{};
}

}  // namespace detail

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto linear(const auto&...) {
  return detail::refuse_layer<detail::linear_form, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto linear(const auto&...) {
  return detail::refuse_layer<detail::linear_form, First>();
}
template <name Name>
TAPELESS_FACTORY auto linear(const auto&...) {
  return detail::refuse_layer<detail::linear_form, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto linear(const char*, const Rest&...) {
  return detail::refuse_layer<detail::linear_form, int(sizeof...(Rest))>();
}
template <expression_operand X>
TAPELESS_FACTORY auto linear(const X&, std::integral auto) {
  return detail::refuse_layer<detail::linear_form, X::chain::size>();
}

template <expression_operand X>
TAPELESS_FACTORY auto linear(const X&) {
  return detail::refuse_layer<detail::linear_form, X::chain::size>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto bilinear(const auto&...) {
  return detail::refuse_layer<detail::bilinear_form, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto bilinear(const auto&...) {
  return detail::refuse_layer<detail::bilinear_form, First>();
}
template <name Name>
TAPELESS_FACTORY auto bilinear(const auto&...) {
  return detail::refuse_layer<detail::bilinear_form, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto bilinear(const char*, const Rest&...) {
  return detail::refuse_layer<detail::bilinear_form, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto embedding(const auto&...) {
  return detail::refuse_layer<detail::embedding_form, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto embedding(const auto&...) {
  return detail::refuse_layer<detail::embedding_form, First>();
}
template <name Name>
TAPELESS_FACTORY auto embedding(const auto&...) {
  return detail::refuse_layer<detail::embedding_form, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto embedding(const char*, const Rest&...) {
  return detail::refuse_layer<detail::embedding_form, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto conv1d(const auto&...) {
  return detail::refuse_layer<detail::conv1d_form, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto conv1d(const auto&...) {
  return detail::refuse_layer<detail::conv1d_form, First>();
}
template <name Name>
TAPELESS_FACTORY auto conv1d(const auto&...) {
  return detail::refuse_layer<detail::conv1d_form, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto conv1d(const char*, const Rest&...) {
  return detail::refuse_layer<detail::conv1d_form, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto conv2d(const auto&...) {
  return detail::refuse_layer<detail::conv2d_form, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto conv2d(const auto&...) {
  return detail::refuse_layer<detail::conv2d_form, First>();
}
template <name Name>
TAPELESS_FACTORY auto conv2d(const auto&...) {
  return detail::refuse_layer<detail::conv2d_form, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto conv2d(const char*, const Rest&...) {
  return detail::refuse_layer<detail::conv2d_form, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto conv_transpose2d(const auto&...) {
  return detail::refuse_layer<detail::conv_transpose2d_form, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto conv_transpose2d(const auto&...) {
  return detail::refuse_layer<detail::conv_transpose2d_form, First>();
}
template <name Name>
TAPELESS_FACTORY auto conv_transpose2d(const auto&...) {
  return detail::refuse_layer<detail::conv_transpose2d_form, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto conv_transpose2d(const char*, const Rest&...) {
  return detail::refuse_layer<detail::conv_transpose2d_form, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto rnn(const auto&...) {
  return detail::refuse_layer<detail::rnn_form, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto rnn(const auto&...) {
  return detail::refuse_layer<detail::rnn_form, First>();
}
template <name Name>
TAPELESS_FACTORY auto rnn(const auto&...) {
  return detail::refuse_layer<detail::rnn_form, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto rnn(const char*, const Rest&...) {
  return detail::refuse_layer<detail::rnn_form, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto gru(const auto&...) {
  return detail::refuse_layer<detail::gru_form, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto gru(const auto&...) {
  return detail::refuse_layer<detail::gru_form, First>();
}
template <name Name>
TAPELESS_FACTORY auto gru(const auto&...) {
  return detail::refuse_layer<detail::gru_form, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto gru(const char*, const Rest&...) {
  return detail::refuse_layer<detail::gru_form, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto lstm(const auto&...) {
  return detail::refuse_layer<detail::lstm_form, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto lstm(const auto&...) {
  return detail::refuse_layer<detail::lstm_form, First>();
}
template <name Name>
TAPELESS_FACTORY auto lstm(const auto&...) {
  return detail::refuse_layer<detail::lstm_form, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto lstm(const char*, const Rest&...) {
  return detail::refuse_layer<detail::lstm_form, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto rnn_cell(const auto&...) {
  return detail::refuse_layer<detail::rnn_cell_form, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto rnn_cell(const auto&...) {
  return detail::refuse_layer<detail::rnn_cell_form, First>();
}
template <name Name>
TAPELESS_FACTORY auto rnn_cell(const auto&...) {
  return detail::refuse_layer<detail::rnn_cell_form, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto rnn_cell(const char*, const Rest&...) {
  return detail::refuse_layer<detail::rnn_cell_form, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto gru_cell(const auto&...) {
  return detail::refuse_layer<detail::gru_cell_form, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto gru_cell(const auto&...) {
  return detail::refuse_layer<detail::gru_cell_form, First>();
}
template <name Name>
TAPELESS_FACTORY auto gru_cell(const auto&...) {
  return detail::refuse_layer<detail::gru_cell_form, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto gru_cell(const char*, const Rest&...) {
  return detail::refuse_layer<detail::gru_cell_form, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto lstm_cell(const auto&...) {
  return detail::refuse_layer<detail::lstm_cell_form, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto lstm_cell(const auto&...) {
  return detail::refuse_layer<detail::lstm_cell_form, First>();
}
template <name Name>
TAPELESS_FACTORY auto lstm_cell(const auto&...) {
  return detail::refuse_layer<detail::lstm_cell_form, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto lstm_cell(const char*, const Rest&...) {
  return detail::refuse_layer<detail::lstm_cell_form, int(sizeof...(Rest))>();
}

}  // namespace tapeless
