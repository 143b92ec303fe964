#pragma once
// Tiles of 256 outputs from shared memory: each sample is read from the signal once per tile, not once per
// tap. `tiled_uniform` and `tiled_zones` differ in how a block loads its tile (tiles.cu).

#include "core/plan/engine.hpp"

namespace kg::gpu {

enum class TileLoad : std::uint8_t {
    uniform, ///< every cell alike
    zones,   ///< the halo before the tile, its body, and the halo behind
};

std::string why_not_tiles(const PlanStep& step, const Engine& engine);
Cost tile_cost(const PlanStep& step);
std::shared_ptr<const Plan> tile_plan(const PlanStep& step, Engine& engine, TileLoad load);

/// Numbers of a tile: body and halo.
std::int64_t tile_cells(const SignalRequest& request);

} // namespace kg::gpu
