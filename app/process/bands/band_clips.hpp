#pragma once
// ClipSample's count for an image that is computed in bands: the same strips, counted while their rows are in
// memory.

#include "app/process/clipping/clipping.hpp"
#include "core/plan/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace kg {

class BandClips {
public:
    /// The engine computes in host memory; if it is null, nothing is counted.
    BandClips(std::shared_ptr<Engine> engine, const ImageRequest& request);

    /// Bands that begin at multiples of this give the count of the whole image.
    std::int64_t row_quantum() const { return quantum_; }
    /// The region of the source that these outputs need; empty if nothing is counted there.
    Rect needs(const Rect& outputs) const;
    /// Bytes that it takes.
    std::size_t memory() const { return memory_; }
    /// Counts the strips within `outputs`; `covers` is the region of the source in memory. A failure only
    /// makes the result unknown.
    void count_band(const ConstImageView& source, const Rect& covers, const Rect& outputs);
    /// Valid once all bands were counted; empty = not known.
    const std::optional<Clipping>& sum() const { return sum_; }

private:
    void count(const ConstImageView& source, const Rect& covers, const Rect& region);
    void give_up();

    const std::shared_ptr<Engine> engine_;
    const ImageRequest request_;
    std::shared_ptr<const Plan> plan_; ///< null: nothing to compute
    std::vector<Rect> strips_;
    std::int64_t quantum_ = 1, chunk_rows_ = 1;
    std::size_t memory_ = 0;
    std::unique_ptr<Queue> queue_;
    Image numbers_;
    std::optional<Clipping> sum_;
};

} // namespace kg
