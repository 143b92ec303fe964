#pragma once
// A plan that computes the outputs of filter banks tile by tile on all threads: the tiles of all items, of
// all groups and of some filters each are one list of tasks.

#include "core/plan/bank_tiling.hpp"
#include "core/plan/engine.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/bank_source.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <vector>

namespace kg::cpu {

/// Some outputs of some filters of one group.
struct BankTile {
    Span filters; ///< of the request
    Rect outputs; ///< of the request
};

/// Where the outputs of an item go.
struct BankTarget {
    TensorView view;
    Rect covers;

    /// Stores outputs of a row that begin at column x.
    void store(std::int64_t filter, std::int64_t x, std::int64_t y, const float* values,
               std::int64_t count) const;
};

class BankPlan : public Plan, public TiledBankPlan, public std::enable_shared_from_this<BankPlan> {
public:
    Needs needs(const Rect& output) const final;
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const final;
    BankTiling tiling() const final { return {tile_, filters_, "task"}; }

protected:
    /// A tile has up to `tile` outputs of up to `filters` filters. Outputs depend on all that the others of
    /// their rectangle of `together` read.
    BankPlan(const BankRequest& request, Extent tile, std::int64_t filters, Extent together = {1, 1})
        : request_(request), tile_(tile), filters_(filters), together_(together) {}

    float bias(std::int64_t filter) const {
        return request_.bias.empty() ? 0.0f : request_.bias[static_cast<std::size_t>(filter)];
    }

    const BankRequest request_;

private:
    /// An output must have the same bytes in any tile.
    virtual void compute(const BankSource& source, const BankTile& tile, const BankTarget& target) const = 0;

    Extent tile_;
    std::int64_t filters_;
    Extent together_;
};

/// Products of all outputs of one item.
double bank_products(const BankRequest& request);

} // namespace kg::cpu
