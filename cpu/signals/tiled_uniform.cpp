// A tile of outputs from a buffer that all its cells are loaded into alike: every cell asks the border for
// its sample. On a GPU the threads of a block stride over the cells; here 256 cells follow each other. The
// text that it comes from calls it the slower of its two methods of loading, which docs/seeds.md measures.

#include "cpu/runtime/signal_tile.hpp"

namespace kg::cpu::signals {

namespace {

template <typename T>
class TiledUniformPlan final : public TilePlan<T> {
public:
    explicit TiledUniformPlan(const SignalRequest& request) : TilePlan<T>(request) {}

private:
    void load(const SignalLine<T>& line, std::int64_t first, std::int64_t body, std::int64_t halo,
              T* tile) const override {
        for (std::int64_t cell = 0; cell < body + halo; ++cell) tile[cell] = line.at(first + cell);
    }
};

std::string why_not(const PlanStep& step, const Engine&) { return why_not_tiles(step); }
Cost cost(const PlanStep& step, const Engine& engine) {
    return tile_cost(step, CoreSpeed().places_per_us, engine);
}
std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return make_signal_plan<TiledUniformPlan>(step);
}

} // namespace

extern const Algorithm kTiledUniform{"tiled_uniform",
                                     "Tiles, uniform load",
                                     "Tiles of 256 outputs; every cell of tile and halo is loaded alike",
                                     "Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, ch. 7",
                                     why_not,
                                     cost,
                                     plan};

} // namespace kg::cpu::signals
