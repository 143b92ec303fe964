// A tile of outputs from a buffer that is loaded zone by zone: the halo before the tile, its body, and the
// halo behind. Only a zone that meets an end of the signal asks the border; the others are copied. On a GPU
// one thread loads one cell of each zone, so a radius over the 256 threads of a block leaves cells unloaded;
// here a zone is as long as it has to be.

#include "cpu/runtime/signal_tile.hpp"

namespace kg::cpu::signals {

namespace {

template <typename T>
class TiledZonesPlan final : public TilePlan<T> {
public:
    explicit TiledZonesPlan(const SignalRequest& request) : TilePlan<T>(request) {}

private:
    void load(const SignalLine<T>& line, std::int64_t first, std::int64_t body, std::int64_t halo,
              T* tile) const override {
        const auto left = halo / 2, right = halo - left;
        load_zone(line, first, left, tile);
        load_zone(line, first + left, body, tile + left);
        load_zone(line, first + left + body, right, tile + left + body);
    }

    static void load_zone(const SignalLine<T>& line, std::int64_t first, std::int64_t count, T* zone) {
        if (first >= 0 && first + count <= line.samples) line.load(first, count, 1, zone);
        else
            for (std::int64_t cell = 0; cell < count; ++cell) zone[cell] = line.at(first + cell);
    }
};

std::string why_not(const PlanStep& step, const Engine&) { return why_not_tiles(step); }
Cost cost(const PlanStep& step, const Engine& engine) {
    return tile_cost(step, CoreSpeed().samples_per_us, engine);
}
std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return make_signal_plan<TiledZonesPlan>(step);
}

} // namespace

extern const Algorithm kTiledZones{"tiled_zones",
                                   "Tiles, zone load",
                                   "Tiles of 256 outputs; left halo, body and right halo are loaded apart",
                                   "Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, ch. 7",
                                   why_not,
                                   cost,
                                   plan};

} // namespace kg::cpu::signals
