#include "core/request/bank_request.hpp"

#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace kg {

namespace {

void expect_from(std::int64_t least, std::string_view parameter, std::int64_t number) {
    if (number < least || number > kMostOfBank)
        throw Error("bad-bank-number", "{} must be from {} to {}, not {}", parameter, least, kMostOfBank,
                    number);
}

void expect_finite(const BankRequest& r) {
    const auto first_wrong = [](const std::vector<float>& numbers) {
        return std::ranges::find_if_not(numbers, [](float number) { return std::isfinite(number); });
    };
    if (const auto wrong = first_wrong(r.weights); wrong != r.weights.end()) {
        const auto at = wrong - r.weights.begin(), row = at / r.kernel.width, channel = row / r.kernel.height;
        throw Error("bank-not-finite",
                    "the weight of filter {}, channel {}, row {} and column {} (k c r s) is not finite",
                    channel / group_channels(r), channel % group_channels(r), row % r.kernel.height,
                    at % r.kernel.width);
    }
    if (const auto wrong = first_wrong(r.bias); wrong != r.bias.end())
        throw Error("bank-not-finite", "the bias of filter {} is not finite", wrong - r.bias.begin());
}

/// What the filters reach over in one direction: from the first tap to the last, both included.
std::int64_t reach_of(std::int64_t taps, std::int64_t dilation) { return (taps - 1) * dilation + 1; }

/// Outputs in one direction; not positive if there are none. Division rounds down, also of negative numbers.
std::int64_t outputs_of(std::int64_t padded, std::int64_t reach, std::int64_t stride) {
    return padded < reach ? 0 : (padded - reach) / stride + 1;
}

void expect_reach(std::string_view direction, std::int64_t taps, std::int64_t dilation) {
    if (taps > 1 && dilation > kMostOfBank / (taps - 1))
        throw Error("bad-bank-number", "the dilation {} of {} {} of weights reaches over more than {}",
                    dilation, taps, direction, kMostOfBank);
}

void expect_weights(const BankRequest& r) {
    std::int64_t count = 0;
    if (__builtin_mul_overflow(r.filters, group_channels(r), &count) ||
        __builtin_mul_overflow(count, r.kernel.height, &count) ||
        __builtin_mul_overflow(count, r.kernel.width, &count) || count != std::ssize(r.weights))
        throw Error(
            "weights-do-not-fit",
            "{} filters of {} channels of {} x {} need as many weights as the product of these; there "
            "are {}",
            r.filters, group_channels(r), r.kernel.width, r.kernel.height, r.weights.size());
    if (!r.bias.empty() && std::ssize(r.bias) != r.filters)
        throw Error("bias-does-not-fit", "the bias must have a number for each of the {} filters; it has {}",
                    r.filters, r.bias.size());
}

} // namespace

void validate(const BankRequest& r) {
    expect_from(1, "the width of a channel", r.size.width);
    expect_from(1, "the height of a channel", r.size.height);
    expect_from(1, "the number of channels", r.channels);
    expect_from(1, "the number of filters", r.filters);
    expect_from(1, "the width of the weights", r.kernel.width);
    expect_from(1, "the height of the weights", r.kernel.height);
    expect_from(1, "the stride in rows", r.stride.rows);
    expect_from(1, "the stride in columns", r.stride.columns);
    expect_from(1, "the dilation in rows", r.dilation.rows);
    expect_from(1, "the dilation in columns", r.dilation.columns);
    expect_from(0, "the padding at the top", r.padding.top);
    expect_from(0, "the padding at the left", r.padding.left);
    expect_from(0, "the padding at the bottom", r.padding.bottom);
    expect_from(0, "the padding at the right", r.padding.right);
    expect_from(1, "the number of groups", r.groups);
    expect_from(1, "the number of items", r.items);
    if (r.channels % r.groups != 0 || r.filters % r.groups != 0)
        throw Error("groups-do-not-divide", "the {} groups must divide the {} channels and the {} filters",
                    r.groups, r.channels, r.filters);
    expect_reach("rows", r.kernel.height, r.dilation.rows);
    expect_reach("columns", r.kernel.width, r.dilation.columns);
    expect_weights(r);
    expect_finite(r);
    if (!std::isfinite(r.outside))
        throw Error("bad-outside", "the number outside must be finite, not {}", r.outside);
    if (!(r.tolerance >= 0)) throw Error("bad-tolerance", "a tolerance is 0 or a positive number");
    const auto out = output_size(r);
    if (out.width < 1 || out.height < 1)
        throw Error(
            "no-outputs",
            "there is no output: the weights reach over {} x {}, and the padded channels have {} x {}",
            reach_of(r.kernel.width, r.dilation.columns), reach_of(r.kernel.height, r.dilation.rows),
            r.size.width + r.padding.left + r.padding.right,
            r.size.height + r.padding.top + r.padding.bottom);
}

Extent output_size(const BankRequest& r) {
    return {outputs_of(r.size.width + r.padding.left + r.padding.right,
                       reach_of(r.kernel.width, r.dilation.columns), r.stride.columns),
            outputs_of(r.size.height + r.padding.top + r.padding.bottom,
                       reach_of(r.kernel.height, r.dilation.rows), r.stride.rows)};
}

std::int64_t group_channels(const BankRequest& request) { return request.channels / request.groups; }
std::int64_t group_filters(const BankRequest& request) { return request.filters / request.groups; }

std::int64_t term_count(const BankRequest& request) {
    return group_channels(request) * request.kernel.height * request.kernel.width;
}

std::int64_t term_extents(const BankRequest& request) {
    return group_channels(request) + request.kernel.height + request.kernel.width;
}

Rect source_rect(const BankRequest& r, const Rect& outputs) {
    const auto x = border_span(r.border,
                               {outputs.x * r.stride.columns - r.padding.left,
                                (outputs.right() - 1) * r.stride.columns - r.padding.left +
                                    reach_of(r.kernel.width, r.dilation.columns)},
                               r.size.width);
    const auto y = border_span(
        r.border,
        {outputs.y * r.stride.rows - r.padding.top,
         (outputs.bottom() - 1) * r.stride.rows - r.padding.top + reach_of(r.kernel.height, r.dilation.rows)},
        r.size.height);
    return {x.begin, y.begin, x.end - x.begin, y.end - y.begin};
}

} // namespace kg
