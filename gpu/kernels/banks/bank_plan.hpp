#pragma once
// Base of the plans for filter banks: needs, and a launch for some items of a batch.

#include "core/plan/engine.hpp"
#include "gpu/kernels/banks/bank_launch.hpp"
#include "gpu/runtime/queue.hpp"

#include <algorithm>
#include <span>

#include <cuda_runtime.h>

namespace kg::gpu {

class BankPlan : public Plan {
public:
    Needs needs(const Rect& output) const final;
    /// Items whose strides differ have launches of their own.
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const final;

protected:
    /// Copies the bias to the device. Outputs depend on all that the others of their rectangle of `together`
    /// read. Throws std::bad_alloc.
    BankPlan(const BankRequest& request, Engine& engine, Extent together = {1, 1});

    /// Launches for `count` items, at most kMostBankItems. `parameters` may be changed. `scratch` is their
    /// memory, item after item.
    virtual void launch(CudaQueue& queue, BankLaunch& parameters, unsigned count,
                        std::byte* scratch) const = 0;
    /// Bytes of scratch for these outputs of one item.
    virtual std::size_t scratch_bytes(const Rect&) const { return 0; }

    const BankRequest& request() const { return request_; }

private:
    BankRequest request_;
    Extent together_;
    std::shared_ptr<CudaBuffer> bias_; ///< null if there is none
};

/// Calls body(first, count) for the blocks 0 to `blocks` - 1, at most as many at a time as a launch may have
/// in its second dimension.
template <typename Body>
void for_each_launch(std::int64_t blocks, Body body) {
    constexpr std::int64_t kMost = 65535;
    for (std::int64_t first = 0; first < blocks; first += kMost)
        body(first, static_cast<unsigned>(std::min(kMost, blocks - first)));
}

/// Throws Error if the blocks across are more than a launch may have.
dim3 bank_grid(std::int64_t across, unsigned down, unsigned items);

/// Products of all outputs of all items.
double bank_products(const BankRequest& request);

/// The time of an algorithm that multiplies at this rate: its products, and numbers and outputs at the speed
/// of memory.
double bank_microseconds(const BankRequest& request, double products, double products_per_us);

} // namespace kg::gpu
