#include "core/support/error.hpp"
#include "filters/signal_filter.hpp"

#include <cmath>

namespace kg {

namespace {

/// Sample n is what is paid in year n. The balance is the sum over m of deposit m times the growth of the
/// n - m years since: a convolution, from m = 0 to n with both ends. A tap per sample lets every deposit grow
/// until the last year.
SignalDesign build(const Values& values, double, std::int64_t samples) {
    SignalDesign design{{}, SignalMode::same, true, Border::zero, 0};
    double growth = 1;
    for (std::int64_t year = 0; year < samples; ++year) {
        if (!std::isfinite(growth))
            throw Error(
                "long-growth",
                "compound: {} % a year grows beyond all numbers in {} years; the signal has {} samples, "
                "one per year",
                values.at("percent"), year, samples);
        design.taps.push_back(growth);
        growth *= 1 + number(values, "percent") / 100;
    }
    return design;
}

} // namespace

extern const SignalFilter kCompound;
const SignalFilter kCompound{
    "compound",
    "Compound interest",
    "Balances of yearly deposits, one per sample",
    {{"percent", "Interest", Parameter::Kind::number, -100, 1000, {}, "5", "%", "Interest per year", 20}},
    build};

} // namespace kg
