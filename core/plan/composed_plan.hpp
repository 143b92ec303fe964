#pragma once
// A recipe computed as one filter, except for the outputs near the border where that would be another result
// (core/request/compose.hpp).

#include "core/plan/engine.hpp"

#include <memory>
#include <vector>

namespace kg {

/// A part of the outputs, and whether it is computed by the composed filter.
struct ComposedPart {
    Rect outputs;
    bool composed = false;
};

/// The outputs inside `exact`, and up to four rectangles of others around them. All parts begin at multiples
/// of `quantum` rows and 16 columns, or where `outputs` begins.
std::vector<ComposedPart> divided(const Rect& outputs, const Rect& exact, std::int64_t quantum);

class ComposedPlan final : public Plan {
public:
    /// `composed` is right for the outputs in `exact`, `steps` for all.
    ComposedPlan(std::shared_ptr<const Plan> composed, std::shared_ptr<const Plan> steps, const Rect& exact);

    Needs needs(const Rect& output) const override;
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override;

private:
    struct Parts {
        std::vector<ComposedPart> all;
        std::vector<std::size_t> scratch; ///< bytes of each, for one item
        Rect source;
        bool apart = false;            ///< each has scratch of its own, so that they may run at the same time
        std::size_t scratch_bytes = 0; ///< for one item
    };
    Parts parts_of(const Rect& output) const;
    const Plan& plan_of(const ComposedPart& part) const { return part.composed ? *composed_ : *steps_; }

    std::shared_ptr<const Plan> composed_, steps_;
    Rect exact_;
    std::int64_t quantum_;
};

} // namespace kg
