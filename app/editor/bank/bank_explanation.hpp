#pragma once
// Why a feature map lights up where it does: the products behind its largest output.

#include "core/image/batch.hpp"
#include "core/image/image.hpp"
#include "core/request/bank_request.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kg {

/// The output of a map with the largest absolute number; the first of several.
struct MapPeak {
    std::int64_t column = 0, row = 0;
    float value = 0; ///< 0 if no number of the map is finite
};
MapPeak peak_of(const ConstTensorView& result, std::int64_t filter);

/// A channel's weights of a filter, as an image and in numbers.
struct ExplainedKernel {
    std::int64_t channel = 0;
    std::shared_ptr<const Image> image; ///< RGBA8, enlarged()
    double sum = 0;                     ///< of the channel's products at the peak
};

struct BankExplanation {
    MapPeak peak;
    std::vector<ExplainedKernel> kernels; ///< of the first kMostExplainedChannels channels of the group
    std::string text;                     ///< full sentences
};
inline constexpr std::int64_t kMostExplainedChannels = 16;

/// Every pixel of an RGBA8 image as a square of so many pixels that the whole is large enough to be seen.
std::shared_ptr<const Image> enlarged(const Image& image);

/// Of filter `filter` of the item and its result.
BankExplanation explain_map(const BankRequest& request, const ConstTensorView& item,
                            const ConstTensorView& result, std::int64_t filter);

} // namespace kg
