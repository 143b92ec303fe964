#pragma once
// A chain of steps, executed strip by strip so that intermediate results stay within the engine's cache, or
// within a part of its memory.

#include "core/plan/engine.hpp"

#include <vector>

namespace kg {

/// The size of one part of scratch memory, so that the next begins at a multiple of 256 bytes
/// (Plan::record()).
std::size_t aligned_scratch(std::size_t bytes);

class Chain final : public Plan {
public:
    /// One plan for each request, in order; the `in` of a request describes what the one before it wrote. The
    /// buffers between the steps of an item stay within `strip_bytes` where the reach of the steps allows it.
    Chain(std::vector<ImageStep> requests, std::vector<std::shared_ptr<const Plan>> plans,
          std::size_t strip_bytes);

    Needs needs(const Rect& output) const override;
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override;

private:
    struct Layout {
        std::vector<Rect> rect;          ///< the output rectangle of each step
        std::vector<std::size_t> offset; ///< position of each step's output in the scratch
        std::size_t between_steps = 0;   ///< bytes of intermediate results, for one item
        std::size_t own = 0;             ///< scratch bytes of the steps themselves, for one item
    };
    struct Scratch {
        std::size_t between_steps = 0, own = 0;
    };

    Scratch most_scratch(const Rect& output) const;
    void check(std::span<const Item> items) const;
    Layout lay_out(const Rect& strip) const;
    template <typename Body>
    void for_each_strip(const Rect& output, Body body) const;

    std::vector<ImageStep> requests_;
    std::vector<std::shared_ptr<const Plan>> plans_;
    std::size_t strip_bytes_;
    std::int64_t quantum_ = 1;
};

} // namespace kg
