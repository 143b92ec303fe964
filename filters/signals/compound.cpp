#include "filters/signal_filter.hpp"

namespace kg {

namespace {

/// Sample n is what is paid in year n. The balance is the sum over m of deposit m times the growth of the
/// n - m years since: a convolution, from m = 0 to n with both ends.
SignalDesign build(const Values& values, double) {
    SignalDesign design{{}, SignalMode::full, true};
    double growth = 1;
    for (int year = 0; year <= integer(values, "years"); ++year) {
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
    "Balances of yearly deposits",
    {{"percent", "Interest", Parameter::Kind::number, -100, 1000, {}, "5", "%", "Interest per year", 20},
     {"years", "Years", Parameter::Kind::integer, 1, 1000, {}, "10", "", "Years that a deposit grows", 50}},
    build};

} // namespace kg
