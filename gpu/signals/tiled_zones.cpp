// A tile of outputs from shared memory, which is filled zone by zone: the halo before the tile, its body, and
// the halo behind. Only a zone that meets an end of the signal asks the border.
//
//   zones    | halo before |  body  | halo behind |       thread t loads the cells t, t + 256, ... of each
//
// In the text that it comes from one thread loads one cell of each halo, so a radius over the 256 threads of
// a block, which it allows, leaves cells unloaded. Here a zone is as long as it has to be.

#include "gpu/kernels/signals/tiles.hpp"

namespace kg::gpu::signals {

namespace {

Cost cost(const PlanStep& step, const Engine&) { return tile_cost(step); }
std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return tile_plan(step, engine, TileLoad::zones);
}

} // namespace

extern const Algorithm kTiledZones;
const Algorithm kTiledZones{"tiled_zones",
                            "Tiles, zone load",
                            "Tiles of 256 outputs; left halo, body and right halo are loaded apart",
                            "Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, ch. 7",
                            why_not_tiles,
                            cost,
                            plan};

} // namespace kg::gpu::signals
