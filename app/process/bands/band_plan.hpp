#pragma once
// Which rows of a picture must be in memory at the same time for its result to be computed a band of rows at a time.

#include "core/plan/engine.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace kg::batch {

/// Rows of the result, and the rows of the source that are there while they are computed. Whole rows both; bands follow one
/// another, and sources only ever move down, because files give each row once.
struct Band {
    Rect outputs, source;
};

struct BandPlan {
    std::vector<Band> bands;
    std::int64_t source_rows = 0;    ///< of the highest source
    std::int64_t rows_with_next = 0; ///< of a source and what the next one has beyond it, at most
    std::size_t scratch_bytes = 0;   ///< the most that a band needs
};

/// Bands of `rows` rows, a multiple of the plan's row quantum, so that their bytes are those of the whole picture. The last
/// source ends with the picture. `also`: what somebody else wants to see of the source while a band's outputs are computed.
BandPlan plan_bands(const Plan& plan, Extent size, std::int64_t rows,
                    const std::function<Rect(const Rect& outputs)>& also = {});

/// The least that `rows` may be.
std::int64_t row_quantum(const Plan& plan, Extent size);

} // namespace kg::batch
