#include "app/bench/session/difference.hpp"

#include "app/process/job.hpp"
#include "core/image/difference.hpp"
#include "core/reference/reference.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "measure/report/row_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace kg {

namespace {

/// Cells of `every` x `every` pixels.
struct Cells {
    std::int64_t every;
    Extent size;
    std::vector<double> largest;

    explicit Cells(Extent image)
        : every((std::max(image.width, image.height) - 1) / ResultDifference::kMapSide + 1),
          size{(image.width - 1) / every + 1, (image.height - 1) / every + 1},
          largest(static_cast<std::size_t>(size.width * size.height)) {}
    double& at(std::int64_t x, std::int64_t y) {
        return largest[static_cast<std::size_t>(y / every * size.width + x / every)];
    }
};

std::shared_ptr<const Image> map_of(const Cells& cells, double largest) {
    Image map(cells.size, {Depth::u8, 4, 3});
    for (std::int64_t y = 0; y < cells.size.height; ++y) {
        auto* row = map.view().row<std::uint8_t>(y);
        for (std::int64_t x = 0; x < cells.size.width; ++x) {
            const double value = cells.largest[static_cast<std::size_t>(y * cells.size.width + x)];
            const double share = value == 0            ? 0
                                 : std::isinf(largest) ? (std::isinf(value) ? 1 : 0.5)
                                                       : value / largest;
            for (int c = 0; c < 3; ++c) row[4 * x + c] = static_cast<std::uint8_t>(std::lround(share * 255));
            row[4 * x + 3] = 255;
        }
    }
    return std::make_shared<const Image>(std::move(map));
}

} // namespace

ResultDifference difference_of(const DifferenceJob& job, const std::stop_token& stop) {
    const auto by = [&](const ResultBy& who) {
        return run_job(who.engine, job.request, job.image->view(), who.algorithm, stop).image;
    };
    const auto first = by(job.a), second = by(job.b);
    const auto a = first.view(), b = second.view();
    ResultDifference all{job};
    Cells cells(a.size);
    for (std::int64_t y = 0; y < a.size.height; ++y) {
        if (stop.stop_requested()) throw Cancelled();
        for (std::int64_t x = 0; x < a.size.width; ++x)
            for (int c = 0; c < a.format.channels; ++c) {
                const double d = sample_distance(sample(a, x, y, c), sample(b, x, y, c));
                if (d == 0) continue;
                ++all.differing;
                cells.at(x, y) = std::max(cells.at(x, y), d);
                if (d > all.largest) all.largest = d, all.x = x, all.y = y;
            }
    }
    all.samples = a.size.width * a.size.height * a.format.channels;
    all.map = map_of(cells, all.largest);
    return all;
}

std::string difference_text(const ResultDifference& difference) {
    auto text = difference.of.a.algorithm + " and " + difference.of.b.algorithm + ": " +
                measure::difference_text(difference.differing, difference.samples);
    if (difference.differing > 0)
        text += ", by at most " + short_number(difference.largest) + ", first at " +
                std::to_string(difference.x) + "," + std::to_string(difference.y);
    return text;
}

} // namespace kg
