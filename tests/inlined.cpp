// SPDX-License-Identifier: BSL-1.0
// What tests call that inline nothing, and the standard library's binary lacks: it has these always inlined.
#include <memory>

template class std::allocator<char>;
template class std::allocator<wchar_t>;
