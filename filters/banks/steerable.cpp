// Derivatives of a Gaussian in as many directions as the order needs: those in any other direction are sums
// of these. Source: Freeman and Adelson, "The design and use of steerable filters", IEEE PAMI 1991.

#include "filters/banks/sampled_bank.hpp"

#include <numbers>

namespace kg {

namespace {

/// The Hermite polynomial (of probability theory) of an order, by its recursion.
double hermite(int order, double x) {
    double before = 1, now = x;
    if (order == 0) return before;
    for (int n = 1; n < order; ++n) {
        const double next = x * now - n * before;
        before = now;
        now = next;
    }
    return now;
}

BankDesign build(const Values& values) {
    const int order = integer(values, "order");
    const double sigma = number(values, "sigma");
    constexpr double kDeviations = 4;
    const int radius = static_cast<int>(std::ceil(kDeviations * sigma));
    BankDesign design;
    for (int i = 0; i <= order; ++i) {
        const double angle = std::numbers::pi * i / (order + 1), c = std::cos(angle), s = std::sin(angle);
        design.names.push_back(direction_name(i, order + 1) + ", sigma " + short_number(sigma, 4));
        add_filter(design, radius, [&](int x, int y) {
            const double along = (x * c + y * s) / sigma;
            // A derivative has the factor (-1)^order, and so has mirroring it for a correlation.
            return hermite(order, along) * std::exp(-(x * x + y * y) / (2 * sigma * sigma));
        });
    }
    scale_filters(design);
    return design;
}

} // namespace

extern const BankFilter kSteerable;
const BankFilter kSteerable{"steerable",
                            "Steerable",
                            "Derivatives of a Gaussian in as many directions as can be steered to any other",
                            {{"order",
                              "Order",
                              Parameter::Kind::integer,
                              1,
                              6,
                              {},
                              "2",
                              "",
                              "Order of the derivative; there is one direction more than this"},
                             {"sigma",
                              "Sigma",
                              Parameter::Kind::number,
                              0.5,
                              20,
                              {},
                              "2",
                              "px",
                              "Standard deviation of the Gaussian"}},
                            build};

} // namespace kg
