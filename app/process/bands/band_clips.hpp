#pragma once
// ClipSample's count of a picture that is computed in bands: the same strips, each looked at while its rows are in memory.

#include "app/process/clipping.hpp"
#include "core/plan/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace kg::batch {

class BandClips {
public:
    /// The engine computes in host memory; null: nothing is counted.
    BandClips(std::shared_ptr<Engine> engine, const ImageRequest& request);

    /// Bands that begin at multiples of this give the count of the whole picture.
    std::int64_t row_quantum() const { return quantum_; }
    /// What of the source is looked at with these outputs; empty where nothing is.
    Rect needs(const Rect& outputs) const;
    /// Bytes that it takes.
    std::size_t memory() const { return memory_; }
    /// `covers` are the pixels of the source that are there. That the count fails is no failure: it is not known then.
    void look(const ConstImageView& source, const Rect& covers, const Rect& outputs);
    /// Once all bands were looked at; empty = not known.
    const std::optional<Clipping>& sum() const { return sum_; }

private:
    void count(const ConstImageView& source, const Rect& covers, const Rect& piece);
    void give_up();

    const std::shared_ptr<Engine> engine_;
    const ImageRequest request_;
    std::shared_ptr<const Plan> plan_; ///< null: nothing to compute
    std::vector<Rect> strips_;
    std::int64_t quantum_ = 1, piece_rows_ = 1;
    std::size_t memory_ = 0;
    std::unique_ptr<Queue> queue_;
    Image numbers_;
    std::optional<Clipping> sum_;
};

} // namespace kg::batch
