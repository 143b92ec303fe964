#include "core/reference/signal_reference.hpp"

#include "core/reference/signal_terms.hpp"
#include "core/support/error.hpp"

namespace kg {

void expect_signals(const ConstTensorView& view, Element wanted, Extent size) {
    if (view.format.element != wanted || view.format.channels != 1 || view.size != size)
        throw Error("tensor-mismatch", "the tensor does not have the size or the type of the request");
}

void reference_signals(const SignalRequest& request, const ConstTensorView& signals, const Rect& outputs,
                       const TensorView& result, const std::stop_token& stop) {
    expect_signals(signals, element(request), {request.samples, request.signals});
    expect_signals(result, element(request), {outputs.width, outputs.height});
    std::visit(
        [&]<typename T>(const std::vector<T>&) {
            for (auto y = outputs.y; y < outputs.bottom(); ++y)
                for (auto i = outputs.x; i < outputs.right(); ++i) {
                    constexpr std::int64_t kOutputsPerLook = 256;
                    if (i % kOutputsPerLook == 0 && stop.stop_requested()) throw Cancelled();
                    SignalSum<T> sum;
                    for_each_signal_term<T>(request, signals, y, i,
                                            [&](T weight, T sample) { sum.add(weight, sample); });
                    const T value = sum.value();
                    std::memcpy(result.at(i - outputs.x, y - outputs.y), &value, sizeof value);
                }
        },
        request.taps);
}

} // namespace kg
