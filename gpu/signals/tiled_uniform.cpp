// A tile of outputs from shared memory, which the threads of a block fill alike: they stride over all cells,
// and every cell asks the border for its sample.
//
//   cells    0 1 2 ... 255 | 256 ... 511 | ...        thread t loads the cells t, t + 256, t + 512, ...
//
// The text that it comes from calls it the slower of its two methods of loading, without measuring; `bench
// signal` measures both.

#include "gpu/kernels/signals/tiles.hpp"

namespace kg::gpu::signals {

namespace {

Cost cost(const PlanStep& step, const Engine&) { return tile_cost(step); }
std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return tile_plan(step, engine, TileLoad::uniform);
}

} // namespace

extern const Algorithm kTiledUniform;
const Algorithm kTiledUniform{"tiled_uniform",
                              "Tiles, uniform load",
                              "Tiles of 256 outputs; every cell of tile and halo is loaded alike",
                              "Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, ch. 7",
                              why_not_tiles,
                              cost,
                              plan};

} // namespace kg::gpu::signals
