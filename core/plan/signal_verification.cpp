#include "core/plan/signal_verification.hpp"

#include "core/plan/float_verdict.hpp"
#include "core/reference/signal_reference.hpp"
#include "core/reference/signal_terms.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace kg {

namespace {

template <typename T>
ExpectedSum expected_at(const SignalRequest& r, const ConstTensorView& signals, std::int64_t signal,
                        std::int64_t i) {
    SignalSum<T> sum;
    ExpectedSum expected;
    for_each_signal_term<T>(r, signals, signal, i, [&](T weight, T sample) {
        sum.add(weight, sample);
        expected.magnitude += std::fabs(static_cast<double>(weight) * static_cast<double>(sample));
    });
    if constexpr (std::is_same_v<T, float>) expected.value = sum.total;
    else expected.value = sum.value();
    return expected;
}

/// The largest finite sample, that of the border included.
template <typename T>
double largest_sample(const SignalRequest& r, const ConstTensorView& signals) {
    double largest = r.border == Border::constant ? std::fabs(r.outside) : 0;
    for (std::int64_t y = 0; y < r.signals; ++y)
        for (std::int64_t x = 0; x < r.samples; ++x)
            if (const double sample = std::fabs(static_cast<double>(signal_number<T>(signals, x, y)));
                std::isfinite(sample))
                largest = std::max(largest, sample);
    return largest;
}

template <typename T>
Verdict judged_integer(T got, T expected) {
    Verdict verdict;
    verdict.right = verdict.same = got == expected;
    if (verdict.right) return verdict;
    verdict.error = std::fabs(static_cast<double>(got) - static_cast<double>(expected));
    verdict.should_be = std::to_string(expected);
    return verdict;
}

template <typename T>
Verification verified(const SignalRequest& r, const ConstTensorView& signals, const ConstTensorView& result,
                      const Algorithm* algorithm, const std::stop_token& stop) {
    double relative = 0, stated = 0;
    if constexpr (std::is_floating_point_v<T>) {
        relative = 2 * static_cast<double>(tap_count(r)) *
                   static_cast<double>(std::numeric_limits<T>::epsilon());
        if (algorithm && algorithm->error) stated = algorithm->error(r) * largest_sample<T>(r, signals);
    }
    Verification verification;
    for (std::int64_t y = 0; y < r.signals; ++y)
        for (std::int64_t i = 0; i < output_count(r); ++i) {
            constexpr std::int64_t kOutputsPerLook = 256;
            if (i % kOutputsPerLook == 0 && stop.stop_requested()) throw Cancelled();
            const T got = signal_number<T>(result, i, y);
            Verdict verdict;
            if constexpr (std::is_floating_point_v<T>) {
                verdict = judged(got, expected_at<T>(r, signals, y, i), relative, stated);
            } else {
                SignalSum<T> sum;
                for_each_signal_term<T>(r, signals, y, i,
                                        [&](T weight, T sample) { sum.add(weight, sample); });
                verdict = judged_integer(got, sum.value());
            }
            include(verification, verdict, got,
                    [&] { return "output " + std::to_string(i) + " of signal " + std::to_string(y); });
        }
    return verification;
}

} // namespace

Verification compare_with_reference(const SignalRequest& request, const ConstTensorView& signals,
                                    const ConstTensorView& result, const Algorithm* algorithm,
                                    const std::stop_token& stop) {
    validate(request);
    expect_signals(signals, element(request), {request.samples, request.signals});
    expect_signals(result, element(request), {output_count(request), request.signals});
    return std::visit(
        [&]<typename T>(const std::vector<T>&) {
            return verified<T>(request, signals, result, algorithm, stop);
        },
        request.taps);
}

} // namespace kg
