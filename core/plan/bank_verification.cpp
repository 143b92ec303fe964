#include "core/plan/bank_verification.hpp"

#include "core/plan/float_verdict.hpp"
#include "core/reference/bank_reference.hpp"
#include "core/reference/bank_terms.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kg {

namespace {

float number_at(const ConstTensorView& view, std::int64_t x, std::int64_t y, std::int64_t channel) {
    float number = 0;
    std::memcpy(&number, view.at(x, y, channel), sizeof number);
    return number;
}

/// The largest finite number, that of the border included.
double largest_number(const BankRequest& r, const ConstTensorView& item) {
    double largest = r.border == Border::constant ? std::fabs(r.outside) : 0;
    for (std::int64_t c = 0; c < r.channels; ++c)
        for (std::int64_t y = 0; y < r.size.height; ++y)
            for (std::int64_t x = 0; x < r.size.width; ++x)
                if (const double number = std::fabs(number_at(item, x, y, c)); std::isfinite(number))
                    largest = std::max(largest, number);
    return largest;
}

ExpectedSum expected_at(const BankRequest& r, const ConstTensorView& item, std::int64_t k, std::int64_t p,
                        std::int64_t q) {
    ExpectedSum expected;
    if (!r.bias.empty()) expected.value = r.bias[static_cast<std::size_t>(k)];
    expected.magnitude = std::fabs(expected.value);
    for_each_bank_term(r, item, k, p, q, [&](float weight, float number) {
        const double product = static_cast<double>(weight) * static_cast<double>(number);
        expected.value += product;
        expected.magnitude += std::fabs(product);
    });
    return expected;
}

} // namespace

Verification compare_with_reference(const BankRequest& r, const ConstTensorView& item,
                                    const ConstTensorView& result, const Algorithm* algorithm,
                                    const std::stop_token& stop) {
    validate(r);
    const auto size = output_size(r);
    expect_bank_tensor(item, r.channels, r.size);
    expect_bank_tensor(result, r.filters, size);
    const double relative = 2 * static_cast<double>(term_extents(r)) *
                            static_cast<double>(std::numeric_limits<float>::epsilon());
    const double stated = algorithm && algorithm->error ? algorithm->error(r) * largest_number(r, item) : 0;
    Verification verification;
    for (std::int64_t k = 0; k < r.filters; ++k)
        for (std::int64_t p = 0; p < size.height; ++p) {
            if (stop.stop_requested()) throw Cancelled();
            for (std::int64_t q = 0; q < size.width; ++q) {
                const auto got = number_at(result, q, p, k);
                include(verification, judged(got, expected_at(r, item, k, p, q), relative, stated), got, [&] {
                    return "column " + std::to_string(q) + " of row " + std::to_string(p) + " of filter " +
                           std::to_string(k);
                });
            }
        }
    return verification;
}

} // namespace kg
