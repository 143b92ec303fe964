#include "app/process/bands/band_plan.hpp"

#include <algorithm>

namespace kg {

std::int64_t row_quantum(const Plan& plan, Extent size) {
    return plan.needs({0, 0, size.width, 1}).row_quantum;
}

BandPlan plan_bands(const Plan& plan, Extent size, std::int64_t rows,
                    const std::function<Rect(const Rect& outputs)>& also) {
    BandPlan all;
    std::int64_t end = 0;
    for (std::int64_t y = 0; y < size.height; y += rows) {
        const auto outputs = intersect(whole(size), {0, y, size.width, rows});
        const auto needs = plan.needs(outputs);
        all.scratch_bytes = std::max(all.scratch_bytes, needs.scratch_bytes);
        auto first = needs.source.y, last = needs.source.bottom();
        if (const auto other = also ? also(outputs) : Rect{}; other.height > 0)
            first = std::min(first, other.y), last = std::max(last, other.bottom());
        const auto begin = std::min(first, end); // no row is skipped
        end = outputs.bottom() == size.height ? size.height : std::max(end, last);
        all.bands.push_back({outputs, {0, begin, size.width, end - begin}});
    }
    // A reflected border may need rows that an earlier band did not: they stay until then.
    auto begin = size.height, next_end = size.height;
    for (auto band = all.bands.rbegin(); band != all.bands.rend(); ++band) {
        begin = std::min(begin, band->source.y);
        band->source = {0, begin, size.width, band->source.bottom() - begin};
        all.source_rows = std::max(all.source_rows, band->source.height);
        all.rows_with_next = std::max(all.rows_with_next, next_end - begin);
        next_end = band->source.bottom();
    }
    return all;
}

} // namespace kg
