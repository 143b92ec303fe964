#include "core/plan/bank_verification.hpp"

#include "core/plan/float_verdict.hpp"
#include "core/reference/bank_reference.hpp"
#include "core/reference/bank_terms.hpp"
#include "core/support/error.hpp"
#include "core/support/in_parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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

double relative_error(const BankRequest& r) {
    return 2 * static_cast<double>(term_extents(r)) *
           static_cast<double>(std::numeric_limits<float>::epsilon());
}

void include_output(Verification& all, const BankRequest& r, const ConstTensorView& result,
                    const BankOutput& at, double stated) {
    const auto got = number_at(result, at.column, at.row, at.filter);
    include(all, judged(got, at.expected, relative_error(r), stated), got, [&] {
        return "column " + std::to_string(at.column) + " of row " + std::to_string(at.row) + " of filter " +
               std::to_string(at.filter);
    });
}

} // namespace

double stated_bank_error(const BankRequest& r, const ConstTensorView& item, const Algorithm* algorithm) {
    const double error = algorithm && algorithm->error ? algorithm->error(r) : 0;
    return error > 0 ? error * largest_number(r, item) : 0;
}

void expect_outputs(const BankRequest& r, const ConstTensorView& item, std::span<BankOutput> outputs,
                    const std::stop_token& stop) {
    expect_bank_tensor(item, r.channels, r.size);
    in_parallel(std::ssize(outputs), [&](std::int64_t i) {
        if (stop.stop_requested()) throw Cancelled();
        auto& at = outputs[static_cast<std::size_t>(i)];
        at.expected = expected_at(r, item, at.filter, at.row, at.column);
    });
}

Verification compare_outputs(const BankRequest& r, const ConstTensorView& result,
                             std::span<const BankOutput> outputs, double stated) {
    expect_bank_tensor(result, r.filters, output_size(r));
    Verification verification;
    for (const auto& at : outputs) include_output(verification, r, result, at, stated);
    return verification;
}

Verification compare_with_reference(const BankRequest& r, const ConstTensorView& item,
                                    const ConstTensorView& result, const Algorithm* algorithm,
                                    const std::stop_token& stop) {
    validate(r);
    const auto size = output_size(r);
    expect_bank_tensor(item, r.channels, r.size);
    expect_bank_tensor(result, r.filters, size);
    const double stated = stated_bank_error(r, item, algorithm);
    std::vector<Verification> rows(static_cast<std::size_t>(r.filters * size.height));
    in_parallel(std::ssize(rows), [&](std::int64_t i) {
        if (stop.stop_requested()) throw Cancelled();
        BankOutput at{i / size.height, i % size.height};
        for (; at.column < size.width; ++at.column) {
            at.expected = expected_at(r, item, at.filter, at.row, at.column);
            include_output(rows[static_cast<std::size_t>(i)], r, result, at, stated);
        }
    });
    Verification verification;
    for (const auto& row : rows) include(verification, row);
    return verification;
}

} // namespace kg
