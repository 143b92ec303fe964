#pragma once
// Tiles of 256 outputs with the samples around them, the halo, in a buffer of their own: each sample is read
// from the signal once per tile, not once per tap. The two algorithms differ in how they load a tile.

#include "cpu/runtime/signal_plan.hpp"

namespace kg::cpu {

/// Outputs per tile, which is the block of threads on a GPU.
inline constexpr std::int64_t kSignalTile = 256;

/// Longer taps would make a tile of more memory than a core's cache.
inline constexpr std::int64_t kMostHalo = std::int64_t{1} << 20;

template <typename T>
class TilePlan : public SignalPlan<T> {
protected:
    explicit TilePlan(const SignalRequest& request) : SignalPlan<T>(request, kSignalTile) {}

private:
    /// Loads the samples of a tile: those of `body` sample places from `first` on, and `halo` more.
    virtual void load(const SignalLine<T>& line, std::int64_t first, std::int64_t body, std::int64_t halo,
                      T* tile) const = 0;

    void compute(const SignalLine<T>& line, Span outputs, T* out) const final {
        const auto stride = this->request_.stride, halo = tap_span(this->request_) - 1;
        const auto count = outputs.end - outputs.begin, body = (count - 1) * stride + 1;
        std::vector<T> tile(static_cast<std::size_t>(body + halo));
        load(line, this->first_ + outputs.begin * stride, body, halo, tile.data());
        for (std::int64_t i = 0; i < count; ++i) {
            T sum = 0;
            const T* window = tile.data() + i * stride;
            for (const auto& tap : this->taps_) sum = add_product(sum, tap.weight, window[tap.place]);
            out[i] = sum;
        }
    }
};

inline std::string why_not_tiles(const PlanStep& step) {
    const auto& request = std::get<SignalRequest>(step);
    if (tap_span(request) - 1 > kMostHalo) return "the taps reach over more than 2^20 samples";
    if (request.stride > kMostHalo / kSignalTile) return "the stride is larger than 4096";
    return {};
}

/// `cells_per_us` is the speed of loading a tile.
inline Cost tile_cost(const PlanStep& step, double cells_per_us, const Engine& engine) {
    const auto& request = std::get<SignalRequest>(step);
    constexpr double kProductsPerUs = 1000; // a sum is one chain of additions
    const double tiles = static_cast<double>(output_count(request)) * static_cast<double>(request.signals) /
                         static_cast<double>(kSignalTile);
    const auto cells = kSignalTile * request.stride + tap_span(request);
    return {(signal_products(request) / kProductsPerUs + tiles * static_cast<double>(cells) / cells_per_us) /
            threads_of(engine)};
}

} // namespace kg::cpu
