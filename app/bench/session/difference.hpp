#pragma once
// The difference between two results of one request, and where it lies.

#include "core/image/image.hpp"
#include "core/plan/engine.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

namespace kg {

/// Who computes a result.
struct ResultBy {
    std::shared_ptr<Engine> engine;
    std::string algorithm; ///< forced; that of another library, too
};

struct DifferenceJob {
    ImageRequest request;
    std::shared_ptr<const Image> image;
    ResultBy a, b;
};

struct ResultDifference {
    DifferenceJob of;
    std::int64_t samples = 0, differing = 0;
    double largest = 0;        ///< in units of the result; infinite where only one is a number
    std::int64_t x = 0, y = 0; ///< the first pixel with the largest difference
    /// RGBA u8, at most kMapSide wide and high: the largest difference in each cell, black for none, white
    /// for the largest of all.
    std::shared_ptr<const Image> map{};

    static constexpr std::int64_t kMapSide = 256;
};

/// Computes both. Throws what planning and running throw, and Cancelled when stopped.
ResultDifference difference_of(const DifferenceJob& job, const std::stop_token& stop = {});

/// "direct and reference: 12 of 25 k values differ, by at most 1, first at 120,64"
std::string difference_text(const ResultDifference& difference);

} // namespace kg
