#include "app/editor/bank/bank_explanation.hpp"

#include "app/process/contact_sheet.hpp"
#include "core/reference/bank_terms.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kg {

namespace {

/// Of all channels, the first one that the filter sums.
std::int64_t first_channel_of(const BankRequest& r, std::int64_t filter) {
    return filter / group_filters(r) * group_channels(r);
}

/// The sums behind one output.
struct OutputSums {
    double above = 0, below = 0; ///< products by their sign
    double bias = 0, weights = 0, magnitude = 0;
    std::vector<double> channels; ///< products of each channel of the group
};

OutputSums sums_of(const BankRequest& r, const ConstTensorView& item, std::int64_t filter,
                   const MapPeak& peak) {
    OutputSums sums;
    const auto taps = r.kernel.width * r.kernel.height, channels = group_channels(r),
               first_channel = first_channel_of(r, filter);
    if (!r.bias.empty()) sums.bias = static_cast<double>(r.bias[static_cast<std::size_t>(filter)]);
    const auto* weights = r.weights.data() + filter * term_count(r);
    for (std::int64_t i = 0; i < term_count(r); ++i) {
        sums.weights += static_cast<double>(weights[i]);
        sums.magnitude += std::fabs(static_cast<double>(weights[i]));
    }
    // One channel at a time: its products are those of a request with this channel alone.
    auto one = r;
    one.groups = one.channels = one.filters = 1;
    one.bias.clear();
    for (std::int64_t c = 0; c < channels; ++c) {
        one.weights.assign(weights + c * taps, weights + (c + 1) * taps);
        auto channel = item;
        channel.data = item.at(0, 0, first_channel + c);
        channel.format.channels = 1;
        auto& sum = sums.channels.emplace_back(0);
        for_each_bank_term(one, channel, 0, peak.row, peak.column, [&](float weight, float number) {
            const double product = static_cast<double>(weight) * static_cast<double>(number);
            sum += product;
            (product > 0 ? sums.above : sums.below) += product;
        });
    }
    return sums;
}

std::shared_ptr<const Image> kernel_image(const BankRequest& r, std::int64_t filter, std::int64_t channel) {
    const BatchShape shape{r.filters, group_channels(r), r.kernel};
    const auto weights = batch_item(r.weights.data(), shape, Layout::nchw, filter);
    MapRange range; // that of all channels of the filter: they can be compared
    for (std::int64_t i = 0; i < term_count(r); ++i) {
        const double weight = r.weights[static_cast<std::size_t>(filter * term_count(r) + i)];
        range = {std::min(range.least, weight), std::max(range.largest, weight)};
    }
    Image small(r.kernel, {Depth::u8, 4});
    draw_map(weights, channel, range, SheetColours::sign, small.view());
    return enlarged(small);
}

std::string number_text(double number) { return short_number(number, 3); }

std::string dilation_text(const BankRequest& r) {
    const auto count = [](std::int64_t number, const char* noun) {
        return counted(static_cast<std::size_t>(number), noun);
    };
    return " Its " + std::to_string(r.kernel.width) + " x " + std::to_string(r.kernel.height) + " taps lie " +
           count(r.dilation.rows, "row") + " and " + count(r.dilation.columns, "column") +
           " apart and reach over " + std::to_string((r.kernel.width - 1) * r.dilation.columns + 1) + " x " +
           std::to_string((r.kernel.height - 1) * r.dilation.rows + 1) + " numbers.";
}

std::string explanation_text(const BankRequest& r, std::int64_t filter, const MapPeak& peak,
                             const OutputSums& sums) {
    std::string text = "Map " + std::to_string(filter) + " is strongest at column " +
                       std::to_string(peak.column) + " of row " + std::to_string(peak.row) + ": " +
                       number_text(static_cast<double>(peak.value)) + ".";
    const bool agrees = std::min(sums.above, -sums.below) <= 0.1 * std::max(sums.above, -sums.below);
    text += agrees ? " There nearly all weights and numbers agree in sign, so that their products add up: "
                   : " There the products above 0 outweigh the others: ";
    if (!agrees && -sums.below > sums.above)
        text.replace(text.rfind("above 0 outweigh"), std::string("above 0").size(), "below 0");
    text += number_text(sums.above) + " above 0, " + number_text(sums.below) + " below";
    text += sums.bias != 0 ? ", and the bias adds " + number_text(sums.bias) + "." : ".";
    const auto first = first_channel_of(r, filter);
    if (sums.channels.size() > 1) {
        const auto most = std::ranges::max_element(sums.channels, {},
                                                   [](double sum) { return std::fabs(sum); });
        text += " Channel " + std::to_string(first + (most - sums.channels.begin())) + " contributes most, " +
                number_text(*most) + ".";
    }
    if (r.groups > 1)
        text += sums.channels.size() == 1
                    ? " It reads channel " + std::to_string(first) + " alone."
                    : " It reads the channels of its group alone, " + std::to_string(first) + " to " +
                          std::to_string(first + group_channels(r) - 1) + ".";
    if (r.dilation != RowsAndColumns{}) text += dilation_text(r);
    constexpr double kNothing = 1e-5; // of the magnitudes: weights are rounded to f32
    if (std::fabs(sums.weights) <= kNothing * sums.magnitude)
        text += sums.bias != 0 ? " The weights add up to 0: an even area gives the bias alone."
                               : " The weights add up to 0: an even area stays dark.";
    else
        text += " The weights add up to " + number_text(sums.weights) +
                ": an even area gives this times its brightness" +
                (sums.bias != 0 ? ", plus the bias." : ".");
    return text;
}

} // namespace

MapPeak peak_of(const ConstTensorView& result, std::int64_t filter) {
    MapPeak peak;
    for (std::int64_t y = 0; y < result.size.height; ++y)
        for (std::int64_t x = 0; x < result.size.width; ++x) {
            float number = 0;
            std::memcpy(&number, result.at(x, y, filter), sizeof number);
            if (std::isfinite(number) && std::fabs(number) > std::fabs(peak.value)) peak = {x, y, number};
        }
    return peak;
}

std::shared_ptr<const Image> enlarged(const Image& image) {
    constexpr std::int64_t kLeast = 96;
    const auto [width, height] = image.size();
    const auto longer = std::max(width, height), side = (kLeast + longer - 1) / longer;
    auto made = std::make_shared<Image>(Extent{width * side, height * side}, image.format());
    for (std::int64_t y = 0; y < height * side; ++y)
        for (std::int64_t x = 0; x < width * side; ++x)
            std::copy_n(image.view().row<std::uint8_t>(y / side) + 4 * (x / side), 4,
                        made->view().row<std::uint8_t>(y) + 4 * x);
    return made;
}

BankExplanation explain_map(const BankRequest& request, const ConstTensorView& item,
                            const ConstTensorView& result, std::int64_t filter) {
    BankExplanation made;
    made.peak = peak_of(result, filter);
    const auto sums = sums_of(request, item, filter, made.peak);
    const auto first = first_channel_of(request, filter);
    for (std::int64_t c = 0; c < std::min(kMostExplainedChannels, group_channels(request)); ++c)
        made.kernels.push_back(
            {first + c, kernel_image(request, filter, c), sums.channels[static_cast<std::size_t>(c)]});
    made.text = explanation_text(request, filter, made.peak, sums);
    return made;
}

} // namespace kg
