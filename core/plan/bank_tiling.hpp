#pragma once
// How plans divide the outputs of a filter bank: for people who look at it, not for the planner.

#include "core/image/geometry.hpp"

#include <cstdint>
#include <string_view>

namespace kg {

/// Equal parts, of which the last in each direction may be smaller. They are counted along the columns first,
/// then along the rows, then along the filters of a group, group by group, item by item.
struct BankTiling {
    Extent tile;              ///< outputs of a part
    std::int64_t filters = 1; ///< filters of a part, all of one group
    std::string_view unit;    ///< what computes a part: "task", "block"
};

/// A plan of a filter bank that is divided so.
class TiledBankPlan {
public:
    virtual ~TiledBankPlan() = default;
    virtual BankTiling tiling() const = 0;
};

} // namespace kg
