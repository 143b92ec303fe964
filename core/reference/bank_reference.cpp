#include "core/reference/bank_reference.hpp"

#include "core/reference/bank_terms.hpp"
#include "core/support/error.hpp"

namespace kg {

void expect_bank_tensor(const ConstTensorView& view, std::int64_t channels, Extent size) {
    if (view.format.element != Element::f32 || view.format.channels != channels || view.size != size)
        throw Error("tensor-mismatch", "the tensor does not have the size, the channels or the type of the "
                                       "request");
}

void reference_bank(const BankRequest& request, const ConstTensorView& item, Span filters,
                    const Rect& outputs, const TensorView& result, const std::stop_token& stop) {
    expect_bank_tensor(item, request.channels, request.size);
    expect_bank_tensor(result, request.filters, {outputs.width, outputs.height});
    for (auto k = filters.begin; k < filters.end; ++k)
        for (auto p = outputs.y; p < outputs.bottom(); ++p) {
            if (stop.stop_requested()) throw Cancelled();
            for (auto q = outputs.x; q < outputs.right(); ++q) {
                double sum = request.bias.empty() ? 0 : request.bias[static_cast<std::size_t>(k)];
                for_each_bank_term(request, item, k, p, q, [&](float weight, float number) {
                    sum += static_cast<double>(weight) * static_cast<double>(number); // an exact product
                });
                const auto value = static_cast<float>(sum);
                std::memcpy(result.at(q - outputs.x, p - outputs.y, k), &value, sizeof value);
            }
        }
}

} // namespace kg
