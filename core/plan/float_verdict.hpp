#pragma once
// The verdict on one output of a sum, and on all of a result: what the verifications of signals and of filter
// banks share (semantics 15 and 16).

#include "core/plan/verification.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace kg {

/// The reference of one output of floats.
struct ExpectedSum {
    double value = 0, magnitude = 0; ///< magnitude: the sum of |w x|
};

struct Verdict {
    bool right = false, same = false;
    double error = 0, bound = 0;
    std::string should_be; ///< of wrong ones
};

std::string bounded_text(double value, double bound);

/// `relative` is the allowed error of a sum relative to its magnitude, `stated` is that of the algorithm.
template <typename T>
Verdict judged(T got, const ExpectedSum& expected, double relative, double stated) {
    constexpr double kCertainlyFinite = sizeof(T) == sizeof(float) ? 0x1p126 : 0x1p1022;
    const double number = static_cast<double>(got);
    Verdict verdict;
    verdict.same = got == static_cast<T>(expected.value) ||
                   (std::isnan(number) && std::isnan(expected.value));
    if (!std::isfinite(expected.value)) {
        // An infinity of the sum itself, not of a sample, may be a NaN of other orders of summation.
        verdict.right = verdict.same || (std::isfinite(expected.magnitude) && !std::isfinite(number));
    } else {
        verdict.bound = relative * expected.magnitude + stated +
                        static_cast<double>(std::numeric_limits<T>::min());
        verdict.right = std::fabs(number - expected.value) <= verdict.bound ||
                        (expected.magnitude > kCertainlyFinite && !std::isfinite(number));
    }
    verdict.error = verdict.same ? 0 : std::fabs(number - expected.value);
    if (std::isnan(verdict.error)) verdict.error = std::numeric_limits<double>::infinity();
    if (!verdict.right) verdict.should_be = bounded_text(expected.value, verdict.bound);
    return verdict;
}

/// Counts the verdict on the number `got`. `where` returns a message about the place of a wrong one.
template <typename T, typename Where>
void include(Verification& all, const Verdict& one, T got, Where where) {
    ++all.samples;
    all.differing += !one.same;
    all.max_error = std::max(all.max_error, one.error);
    all.bound = std::max(all.bound, one.bound);
    if (one.right || all.wrong++ > 0) return;
    std::ostringstream text;
    text.precision(std::numeric_limits<double>::max_digits10);
    text << where() << ": " << got << ", should be " << one.should_be;
    all.first_wrong = text.str();
}

/// Adds the verification of further outputs, or of a further result, which `where` names.
void include(Verification& all, const Verification& one, const std::string& where = {});

} // namespace kg
