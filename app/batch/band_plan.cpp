#include "app/batch/band_plan.hpp"

#include <algorithm>

namespace kg::batch {

std::int64_t row_quantum(const Plan& plan, Extent size) {
    return plan.needs({0, 0, size.width, 1}).row_quantum;
}

BandPlan plan_bands(const Plan& plan, Extent size, std::int64_t rows) {
    BandPlan all;
    std::int64_t end = 0;
    for (std::int64_t y = 0; y < size.height; y += rows) {
        const auto outputs = intersect(whole(size), {0, y, size.width, rows});
        const auto needs = plan.needs(outputs);
        all.scratch_bytes = std::max(all.scratch_bytes, needs.scratch_bytes);
        const auto begin = std::min(needs.source.y, end); // no row is passed over
        end = outputs.bottom() == size.height ? size.height : std::max(end, needs.source.bottom());
        all.bands.push_back({outputs, {0, begin, size.width, end - begin}});
    }
    // A reflected border may need rows that an earlier band did without: they stay until then.
    auto begin = size.height;
    for (auto band = all.bands.rbegin(); band != all.bands.rend(); ++band) {
        begin = std::min(begin, band->source.y);
        band->source = {0, begin, size.width, band->source.bottom() - begin};
        all.source_rows = std::max(all.source_rows, band->source.height);
    }
    return all;
}

} // namespace kg::batch
