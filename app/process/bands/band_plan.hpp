#pragma once
// Plans the bands of an image that does not fit in memory, and the rows of the source that each band needs.

#include "core/plan/engine.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace kg {

/// Rows of the result, and the rows of the source in memory while they are computed. Both have the full
/// width. Bands follow one another, and their sources only move down, because a file gives each row once.
struct Band {
    Rect outputs, source;
};

struct BandPlan {
    std::vector<Band> bands;
    std::int64_t source_rows = 0;    ///< rows of the highest source
    std::int64_t rows_with_next = 0; ///< most rows of a source with the additional rows of the next one
    std::size_t scratch_bytes = 0;   ///< maximum over all bands
};

/// Bands of `rows` rows, a multiple of the plan's row quantum, so that their bytes are those of the whole
/// image. The last source ends with the image. `also` returns the rows of the source that are needed besides
/// for a band's outputs.
BandPlan plan_bands(const Plan& plan, Extent size, std::int64_t rows,
                    const std::function<Rect(const Rect& outputs)>& also = {});

/// The least value of `rows`.
std::int64_t row_quantum(const Plan& plan, Extent size);

} // namespace kg
