#pragma once
// The explanation of a pixel, and what it is about.

#include "app/editor/pixel/pixel_crawl.hpp"
#include "app/editor/pixel/pixel_terms.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace kg {

/// Why a pixel has its value in the selected step, or why that cannot be shown. Both empty without a pixel.
struct PixelExplanation {
    std::optional<PixelTerms> terms{};
    std::string why_not{};
};

/// What the explanation is about; not saved, not undone.
struct PixelState {
    int channel = 0;
    std::size_t kernel = 0; ///< index of the kernel in a step with several
    PixelCrawl crawl{};
};

} // namespace kg
