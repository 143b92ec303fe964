#include "core/plan/signal_verification.hpp"

#include "core/reference/signal_reference.hpp"
#include "core/reference/signal_terms.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <type_traits>

namespace kg {

namespace {

/// The reference and the allowed error of one output of floats.
struct Expected {
    double value = 0, magnitude = 0; ///< magnitude: the sum of |w x|
};

template <typename T>
Expected expected_at(const SignalRequest& r, const ConstTensorView& signals, std::int64_t signal,
                     std::int64_t i) {
    SignalSum<T> sum;
    Expected expected;
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

struct Judged {
    bool right = false, same = false;
    double error = 0, bound = 0;
    std::string should_be;
};

std::string float_text(double value, double bound) {
    std::ostringstream text;
    text.precision(std::numeric_limits<double>::max_digits10);
    text << value << " within " << bound;
    return text.str();
}

/// `relative` is the allowed error of a sum relative to its magnitude, `stated` is that of the algorithm.
template <typename T>
Judged judge_float(T got, const Expected& expected, double relative, double stated) {
    constexpr double kCertainlyFinite = sizeof(T) == sizeof(float) ? 0x1p126 : 0x1p1022;
    const double number = static_cast<double>(got);
    Judged judged;
    judged.same = got == static_cast<T>(expected.value) || (std::isnan(number) && std::isnan(expected.value));
    if (!std::isfinite(expected.value)) {
        // An infinity of the sum itself, not of a sample, may be a NaN of other orders of summation.
        judged.right = judged.same || (std::isfinite(expected.magnitude) && !std::isfinite(number));
    } else {
        judged.bound = relative * expected.magnitude + stated +
                       static_cast<double>(std::numeric_limits<T>::min());
        judged.right = std::fabs(number - expected.value) <= judged.bound ||
                       (expected.magnitude > kCertainlyFinite && !std::isfinite(number));
    }
    judged.error = judged.same ? 0 : std::fabs(number - expected.value);
    if (std::isnan(judged.error)) judged.error = std::numeric_limits<double>::infinity();
    if (!judged.right) judged.should_be = float_text(expected.value, judged.bound);
    return judged;
}

template <typename T>
Judged judge_integer(T got, T expected) {
    Judged judged;
    judged.right = judged.same = got == expected;
    if (judged.right) return judged;
    judged.error = std::fabs(static_cast<double>(got) - static_cast<double>(expected));
    judged.should_be = std::to_string(expected);
    return judged;
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
            Judged judged;
            if constexpr (std::is_floating_point_v<T>) {
                judged = judge_float(got, expected_at<T>(r, signals, y, i), relative, stated);
            } else {
                SignalSum<T> sum;
                for_each_signal_term<T>(r, signals, y, i,
                                        [&](T weight, T sample) { sum.add(weight, sample); });
                judged = judge_integer(got, sum.value());
            }
            ++verification.samples;
            verification.differing += !judged.same;
            verification.max_error = std::max(verification.max_error, judged.error);
            verification.bound = std::max(verification.bound, judged.bound);
            if (judged.right || verification.wrong++ > 0) continue;
            std::ostringstream text;
            text.precision(std::numeric_limits<double>::max_digits10);
            text << "output " << i << " of signal " << y << ": " << got << ", should be " << judged.should_be;
            verification.first_wrong = text.str();
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
