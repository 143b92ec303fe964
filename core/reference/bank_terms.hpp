#pragma once
// Semantics 16 term by term: what reference and verification of filter banks share.

#include "core/image/tensor.hpp"
#include "core/request/bank_request.hpp"

#include <cstddef>
#include <cstring>

namespace kg {

/// Calls term(weight, number) for every tap of filter k, zeros included, at column q of row p of its outputs.
/// `item` holds all channels as wholes. Taps that read nothing (border zero) are no terms.
template <typename Term>
void for_each_bank_term(const BankRequest& r, const ConstTensorView& item, std::int64_t k, std::int64_t p,
                        std::int64_t q, Term term) {
    const auto channels = group_channels(r), first_channel = k / group_filters(r) * channels;
    const float* weight = r.weights.data() + static_cast<std::size_t>(k * term_count(r));
    const auto first_column = q * r.stride.columns - r.padding.left;
    const bool is_inside = first_column >= 0 &&
                           first_column + (r.kernel.width - 1) * r.dilation.columns < r.size.width;
    for (std::int64_t c = 0; c < channels; ++c)
        for (std::int64_t i = 0; i < r.kernel.height; ++i) {
            const auto y = border_index(r.border, p * r.stride.rows + i * r.dilation.rows - r.padding.top,
                                        r.size.height);
            for (std::int64_t j = 0; j < r.kernel.width; ++j, ++weight) {
                auto x = first_column + j * r.dilation.columns;
                if (!is_inside) x = border_index(r.border, x, r.size.width);
                float number = r.outside;
                if (x >= 0 && y >= 0) std::memcpy(&number, item.at(x, y, first_channel + c), sizeof number);
                else if (r.border != Border::constant) continue;
                term(*weight, number);
            }
        }
}

} // namespace kg
