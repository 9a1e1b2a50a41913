// SPDX-License-Identifier: BSL-1.0
// Operations say which one of their family they are, and the compiler sees to it that they do.
#include "catch.hpp"

#include <type_traits>

#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/ops/ops.hpp>

namespace tl = tapeless;

namespace {

// A family with several operations takes one of its kinds, any other family none.
template <tl::family Family>
concept stands_alone = requires { typename std::bool_constant<(tl::operation_identity(Family), true)>; };
static_assert(!stands_alone<tl::family::view> && !stands_alone<tl::family::reduction> &&
              !stands_alone<tl::family::convolution> && !stands_alone<tl::family::pooling> &&
              !stands_alone<tl::family::gather> && !stands_alone<tl::family::scatter> &&
              !stands_alone<tl::family::prefix_scan> && !stands_alone<tl::family::matrix_function> &&
              !stands_alone<tl::family::fourier> && !stands_alone<tl::family::attention>);
static_assert(stands_alone<tl::family::input> && stands_alone<tl::family::pointwise> &&
              stands_alone<tl::family::product> && stands_alone<tl::family::concat> &&
              stands_alone<tl::family::alias> && stands_alone<tl::family::carry>);

// Each enumeration is of a family that takes no operation without a kind.
static_assert(has_kinds(family_of(tl::view_kind{})) && has_kinds(family_of(tl::reduction_kind{})) &&
              has_kinds(family_of(tl::convolution_part{})) && has_kinds(family_of(tl::pooling_kind{})) &&
              has_kinds(family_of(tl::gather_kind{})) && has_kinds(family_of(tl::scatter_kind{})) &&
              has_kinds(family_of(tl::prefix_scan_kind{})) && has_kinds(family_of(tl::matrix_kind{})) &&
              has_kinds(family_of(tl::fourier_kind{})) && has_kinds(family_of(tl::attention_kind{})));

// Nobody can ask for the kind of another family.
template <class Kind, const tl::operation& Op>
concept has_kind = requires { typename std::bool_constant<(Op.as<Kind>(), true)>; };
static_assert(has_kind<tl::view_kind, tl::slice_operation::op> &&
              has_kind<tl::gather_kind, tl::flip_operation::op>);
static_assert(!has_kind<tl::gather_kind, tl::slice_operation::op> &&
              !has_kind<tl::view_kind, tl::input_operation> &&
              !has_kind<tl::pooling_kind, tl::convolve_operation::op>);

// An enumeration's values stand for one operation each.
template <auto Kind>
constexpr bool only(const tl::operation& op) {
  return op.is(Kind) && op.kind == family_of(Kind) && op.as<std::remove_const_t<decltype(Kind)>>() == Kind;
}
static_assert(only<tl::view_kind::reshape>(tl::reshape_operation::op) &&
              only<tl::view_kind::permute>(tl::permute_operation::op) &&
              only<tl::view_kind::expand>(tl::expand_operation::op) &&
              only<tl::view_kind::slice>(tl::slice_operation::op) &&
              only<tl::view_kind::windows>(tl::windows_operation::op) &&
              only<tl::view_kind::iteration>(tl::graph::iteration_operation) &&
              only<tl::view_kind::last>(tl::graph::last_operation));
static_assert(only<tl::reduction_kind::sum>(tl::sum_operation::op) &&
              only<tl::reduction_kind::product>(tl::prod_operation::op) &&
              only<tl::reduction_kind::largest>(tl::max_reduction_operation::op) &&
              only<tl::reduction_kind::smallest>(tl::min_reduction_operation::op));
static_assert(only<tl::convolution_part::y>(tl::convolve_operation::op) &&
              only<tl::convolution_part::x>(tl::convolve_data_operation::op) &&
              only<tl::convolution_part::weight>(tl::convolve_filter_operation::op));
static_assert(only<tl::pooling_kind::largest>(tl::largest_in_windows_operation::op) &&
              only<tl::pooling_kind::tied>(tl::add_largest_operation::op) &&
              only<tl::pooling_kind::shared>(tl::share_among_largest_operation::op) &&
              only<tl::pooling_kind::mean>(tl::mean_of_windows_operation::op) &&
              only<tl::pooling_kind::spread>(tl::spread_means_operation::op));
static_assert(
    only<tl::gather_kind::by_index>(tl::gather_operation::op) &&
    only<tl::gather_kind::flip>(tl::flip_operation::op) &&
    only<tl::scatter_kind::add>(tl::scatter_add_operation::op) &&
    only<tl::scatter_kind::largest>(tl::scatter_extreme_operation<tl::scatter_kind::largest>::op) &&
    only<tl::scatter_kind::smallest>(tl::scatter_extreme_operation<tl::scatter_kind::smallest>::op) &&
    only<tl::prefix_scan_kind::sum>(tl::cumsum_operation::op));

// The first kinds of two families are two operations.
static_assert(!tl::reshape_operation::op.is(tl::gather_kind::by_index) &&
              !tl::gather_operation::op.is(tl::view_kind::reshape) &&
              !tl::slice_operation::op.is(tl::view_kind::expand));

// The transposes have images.
static_assert(!gives_image(tl::pooling_kind::largest) && !gives_image(tl::pooling_kind::tied) &&
              gives_image(tl::pooling_kind::shared) && !gives_image(tl::pooling_kind::mean) &&
              gives_image(tl::pooling_kind::spread));

// What a kernel fills is neither given nor seen in another node.
static_assert(source_of(tl::family::state) == tl::element_source::binding &&
              source_of(tl::family::hyperparameter) == tl::element_source::number &&
              source_of(tl::family::iota) == tl::element_source::index &&
              source_of(tl::family::prefix_scan) == tl::element_source::kernel &&
              source_of(tl::family::stacked) == tl::element_source::loop &&
              source_of(tl::family::view) == tl::element_source::operand);

}  // namespace

TEST_CASE("operations are constants") { SUCCEED(); }
