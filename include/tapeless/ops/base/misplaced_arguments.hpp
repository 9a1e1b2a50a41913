// SPDX-License-Identifier: BSL-1.0
// Layers that are written without their name, in another order, without their width or with both as
// arguments: the sentence that shows how they are written.
#pragma once

#include <concepts>

#include <tapeless/expr/make.hpp>

namespace tapeless {

namespace detail {

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
  return detail::refuse_layer<sentence{"linear<\"fc1\", 10>(x)"}, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto linear(const auto&...) {
  return detail::refuse_layer<sentence{"linear<\"fc1\", 10>(x)"}, First>();
}
template <name Name>
TAPELESS_FACTORY auto linear(const auto&...) {
  return detail::refuse_layer<sentence{"linear<\"fc1\", 10>(x)"}, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto linear(const char*, const Rest&...) {
  return detail::refuse_layer<sentence{"linear<\"fc1\", 10>(x)"}, int(sizeof...(Rest))>();
}
template <expression_operand X>
TAPELESS_FACTORY auto linear(const X&, std::integral auto) {
  return detail::refuse_layer<sentence{"linear<\"fc1\", 10>(x)"}, X::chain::size>();
}

template <expression_operand X>
TAPELESS_FACTORY auto linear(const X&) {
  return detail::refuse_layer<sentence{"linear<\"fc1\", 10>(x)"}, X::chain::size>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto bilinear(const auto&...) {
  return detail::refuse_layer<sentence{"bilinear<\"mix\", 10>(a, b)"}, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto bilinear(const auto&...) {
  return detail::refuse_layer<sentence{"bilinear<\"mix\", 10>(a, b)"}, First>();
}
template <name Name>
TAPELESS_FACTORY auto bilinear(const auto&...) {
  return detail::refuse_layer<sentence{"bilinear<\"mix\", 10>(a, b)"}, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto bilinear(const char*, const Rest&...) {
  return detail::refuse_layer<sentence{"bilinear<\"mix\", 10>(a, b)"}, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto embedding(const auto&...) {
  return detail::refuse_layer<sentence{"embedding<\"words\", 1000, 64>(index)"}, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto embedding(const auto&...) {
  return detail::refuse_layer<sentence{"embedding<\"words\", 1000, 64>(index)"}, First>();
}
template <name Name>
TAPELESS_FACTORY auto embedding(const auto&...) {
  return detail::refuse_layer<sentence{"embedding<\"words\", 1000, 64>(index)"}, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto embedding(const char*, const Rest&...) {
  return detail::refuse_layer<sentence{"embedding<\"words\", 1000, 64>(index)"}, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto conv1d(const auto&...) {
  return detail::refuse_layer<sentence{"conv1d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"}, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto conv1d(const auto&...) {
  return detail::refuse_layer<sentence{"conv1d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"}, First>();
}
template <name Name>
TAPELESS_FACTORY auto conv1d(const auto&...) {
  return detail::refuse_layer<sentence{"conv1d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"}, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto conv1d(const char*, const Rest&...) {
  return detail::refuse_layer<sentence{"conv1d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"},
                              int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto conv2d(const auto&...) {
  return detail::refuse_layer<sentence{"conv2d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"}, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto conv2d(const auto&...) {
  return detail::refuse_layer<sentence{"conv2d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"}, First>();
}
template <name Name>
TAPELESS_FACTORY auto conv2d(const auto&...) {
  return detail::refuse_layer<sentence{"conv2d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"}, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto conv2d(const char*, const Rest&...) {
  return detail::refuse_layer<sentence{"conv2d<\"conv1\", 16, tl::conv{.kernel = 3}>(x)"},
                              int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto conv_transpose2d(const auto&...) {
  return detail::refuse_layer<sentence{"conv_transpose2d<\"up1\", 16, tl::conv{.kernel = 2}>(x)"}, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto conv_transpose2d(const auto&...) {
  return detail::refuse_layer<sentence{"conv_transpose2d<\"up1\", 16, tl::conv{.kernel = 2}>(x)"}, First>();
}
template <name Name>
TAPELESS_FACTORY auto conv_transpose2d(const auto&...) {
  return detail::refuse_layer<sentence{"conv_transpose2d<\"up1\", 16, tl::conv{.kernel = 2}>(x)"}, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto conv_transpose2d(const char*, const Rest&...) {
  return detail::refuse_layer<sentence{"conv_transpose2d<\"up1\", 16, tl::conv{.kernel = 2}>(x)"},
                              int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto rnn(const auto&...) {
  return detail::refuse_layer<sentence{"rnn<\"rnn\", 64>(x)"}, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto rnn(const auto&...) {
  return detail::refuse_layer<sentence{"rnn<\"rnn\", 64>(x)"}, First>();
}
template <name Name>
TAPELESS_FACTORY auto rnn(const auto&...) {
  return detail::refuse_layer<sentence{"rnn<\"rnn\", 64>(x)"}, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto rnn(const char*, const Rest&...) {
  return detail::refuse_layer<sentence{"rnn<\"rnn\", 64>(x)"}, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto gru(const auto&...) {
  return detail::refuse_layer<sentence{"gru<\"gru\", 64>(x)"}, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto gru(const auto&...) {
  return detail::refuse_layer<sentence{"gru<\"gru\", 64>(x)"}, First>();
}
template <name Name>
TAPELESS_FACTORY auto gru(const auto&...) {
  return detail::refuse_layer<sentence{"gru<\"gru\", 64>(x)"}, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto gru(const char*, const Rest&...) {
  return detail::refuse_layer<sentence{"gru<\"gru\", 64>(x)"}, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto lstm(const auto&...) {
  return detail::refuse_layer<sentence{"lstm<\"lstm\", 64>(x)"}, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto lstm(const auto&...) {
  return detail::refuse_layer<sentence{"lstm<\"lstm\", 64>(x)"}, First>();
}
template <name Name>
TAPELESS_FACTORY auto lstm(const auto&...) {
  return detail::refuse_layer<sentence{"lstm<\"lstm\", 64>(x)"}, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto lstm(const char*, const Rest&...) {
  return detail::refuse_layer<sentence{"lstm<\"lstm\", 64>(x)"}, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto rnn_cell(const auto&...) {
  return detail::refuse_layer<sentence{"rnn_cell<\"cell\", 64>(x, h)"}, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto rnn_cell(const auto&...) {
  return detail::refuse_layer<sentence{"rnn_cell<\"cell\", 64>(x, h)"}, First>();
}
template <name Name>
TAPELESS_FACTORY auto rnn_cell(const auto&...) {
  return detail::refuse_layer<sentence{"rnn_cell<\"cell\", 64>(x, h)"}, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto rnn_cell(const char*, const Rest&...) {
  return detail::refuse_layer<sentence{"rnn_cell<\"cell\", 64>(x, h)"}, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto gru_cell(const auto&...) {
  return detail::refuse_layer<sentence{"gru_cell<\"cell\", 64>(x, h)"}, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto gru_cell(const auto&...) {
  return detail::refuse_layer<sentence{"gru_cell<\"cell\", 64>(x, h)"}, First>();
}
template <name Name>
TAPELESS_FACTORY auto gru_cell(const auto&...) {
  return detail::refuse_layer<sentence{"gru_cell<\"cell\", 64>(x, h)"}, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto gru_cell(const char*, const Rest&...) {
  return detail::refuse_layer<sentence{"gru_cell<\"cell\", 64>(x, h)"}, int(sizeof...(Rest))>();
}

template <std::integral auto First, auto... Rest>
TAPELESS_FACTORY auto lstm_cell(const auto&...) {
  return detail::refuse_layer<sentence{"lstm_cell<\"cell\", 64>(x, h, c)"}, First>();
}
template <std::integral auto First, name Name, auto... Rest>
TAPELESS_FACTORY auto lstm_cell(const auto&...) {
  return detail::refuse_layer<sentence{"lstm_cell<\"cell\", 64>(x, h, c)"}, First>();
}
template <name Name>
TAPELESS_FACTORY auto lstm_cell(const auto&...) {
  return detail::refuse_layer<sentence{"lstm_cell<\"cell\", 64>(x, h, c)"}, Name>();
}
template <class... Rest>
TAPELESS_FACTORY auto lstm_cell(const char*, const Rest&...) {
  return detail::refuse_layer<sentence{"lstm_cell<\"cell\", 64>(x, h, c)"}, int(sizeof...(Rest))>();
}

}  // namespace tapeless
