#pragma once
// Any stride and dilation as dense sums, for `direct`: which samples and taps lie next to each other.
//
// Output i reads the samples first + i u + j d under its taps j, with stride u and dilation d. With
// g = gcd(u, d) there are d/g classes of outputs, every (d/g)-th of them, and u/g phases of taps, every
// (u/g)-th. Within a class and a phase, an output further and a tap further both mean L = u d / g samples
// further, so the samples first + class * u + phase * d + L n are summed densely:
//
//   u = 2, d = 1:   taps      w0 w1 w2 w3        phase 0: w0 w2 over x0 x2 x4 ...
//                   samples   x0 x1 x2 x3 ...    phase 1: w1 w3 over x1 x3 x5 ...
//   u = 1, d = 2:   outputs   y0 y1 y2 y3        class 0: y0 y2 over x0 x2 x4 ...
//                                                class 1: y1 y3 over x1 x3 x5 ...
//
// Chunks of taps without one other than zero are left out. A stage is a run of chunks whose samples fit into
// shared memory.

#include "core/request/signal_request.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace kg::gpu {

struct DirectSteps {
    std::int64_t classes, phases, step; ///< step: L
};
constexpr DirectSteps direct_steps(std::int64_t stride, std::int64_t dilation) {
    const auto common = std::gcd(stride, dilation);
    return {dilation / common, stride / common, stride / common * dilation};
}

/// Some chunks of the taps of one phase. Numbers below count samples of the class and phase, L apart.
struct DirectStage {
    std::int64_t offset; ///< samples of the signal from an output's first tap to the stage's first
    int first, count;    ///< chunks
    int reach;           ///< from the stage's first sample of an output to the last under a tap
    int last;            ///< place of the last chunk
};

/// Samples and taps of a chunk; the samples under the taps of a stage are at most `stage` chunks.
struct DirectSizes {
    int chunk, stage;
};

template <typename T>
struct DirectTaps {
    std::vector<DirectStage> stages;
    std::vector<int> places; ///< of each chunk, in chunks from the stage's first sample
    std::vector<T> weights;  ///< of each chunk, zeros at the end of a phase
};

template <typename T>
DirectTaps<T> direct_taps(const SignalRequest& request, const DirectSizes& sizes) {
    auto taps = std::get<std::vector<T>>(request.taps);
    if (request.flip) std::ranges::reverse(taps);
    const auto [classes, phases, step] = direct_steps(request.stride, request.dilation);
    const auto all = static_cast<std::int64_t>(taps.size());
    DirectTaps<T> direct;
    std::vector<T> chunk(static_cast<std::size_t>(sizes.chunk));
    for (std::int64_t phase = 0; phase < std::min(phases, all); ++phase) {
        const auto count = (all - phase - 1) / phases + 1; // taps of this phase
        std::int64_t begin = -1;                           // the first chunk of the stage
        for (std::int64_t place = 0; place * sizes.chunk < count; ++place) {
            const auto first = place * sizes.chunk, end = std::min(count, first + sizes.chunk);
            std::ranges::fill(chunk, T{0});
            for (auto k = first; k < end; ++k)
                chunk[static_cast<std::size_t>(k - first)] =
                    taps[static_cast<std::size_t>(phase + k * phases)];
            if (std::ranges::all_of(chunk, [](T tap) { return tap == 0; })) continue;
            if (begin < 0 || place - begin >= sizes.stage) {
                begin = place;
                direct.stages.push_back({phase * request.dilation + first * step,
                                         static_cast<int>(direct.places.size()), 0, 0, 0});
            }
            auto& stage = direct.stages.back();
            ++stage.count;
            stage.last = static_cast<int>(place - begin);
            stage.reach = static_cast<int>(end - 1 - begin * sizes.chunk);
            direct.places.push_back(stage.last);
            direct.weights.insert(direct.weights.end(), chunk.begin(), chunk.end());
        }
    }
    return direct;
}

/// The blocks of threads for the outputs of one signal: a block has up to `tile` outputs of one class.
struct DirectTasks {
    std::int64_t classes, tiles; ///< classes with outputs; tiles of the largest of them
};
constexpr DirectTasks direct_tasks(std::int64_t outputs, const DirectSteps& steps, int tile) {
    const auto classes = steps.classes < outputs ? steps.classes : outputs;
    const auto largest = (outputs - 1) / steps.classes + 1;
    return {classes, (largest - 1) / tile + 1};
}

} // namespace kg::gpu
