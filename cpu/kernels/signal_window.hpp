#pragma once
// The samples that a chunk of outputs reads, in buffers that stay in a core's cache: what `direct` for
// signals sums from.

#include "core/request/signal_request.hpp"
#include "cpu/kernels/signal_sums.hpp"
#include "cpu/runtime/signal_line.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace kg::cpu {

/// Some taps and the samples under them for all outputs of a chunk. Samples that outputs read one after
/// another are `stride` apart in the signal, and lie next to each other here: taps whose places have one
/// remainder modulo the stride share such a run, as long as its gaps are shorter than a chunk.
template <typename T>
struct SignalWindow {
    struct Run {
        std::int64_t place = 0; ///< of its first tap, in samples
        std::int64_t extra = 0; ///< samples beyond one per output
        std::int64_t at = 0;    ///< in the buffer
    };
    std::vector<Run> runs;
    std::vector<PlacedTap<T>> taps; ///< placed in the buffer
    std::int64_t size = 0;          ///< numbers in the buffer, without slack

    /// Loads the samples for `count` outputs, the first of which has its first tap over sample `first`.
    void load(const SignalLine<T>& line, std::int64_t first, std::int64_t count, std::int64_t stride,
              T* buffer) const {
        for (const auto& run : runs) line.load(first + run.place, count + run.extra, stride, buffer + run.at);
    }
};

/// Divides the taps, in their order, into windows of about `most` numbers for chunks of `outputs` outputs. A
/// window has at least one tap.
template <typename T>
std::vector<SignalWindow<T>> signal_windows(const std::vector<PlacedTap<T>>& taps, std::int64_t stride,
                                            std::int64_t outputs, std::int64_t most) {
    std::vector<SignalWindow<T>> windows;
    std::map<std::int64_t, std::size_t> last_run;             // of each remainder, in the window at work
    std::vector<std::pair<std::size_t, std::int64_t>> placed; // run and offset of each tap
    std::size_t begin = 0;
    const auto close = [&](std::size_t end) {
        auto& window = windows.back();
        window.size = 0;
        for (auto& run : window.runs) {
            run.at = window.size;
            window.size += outputs + run.extra;
        }
        for (auto i = begin; i < end; ++i) {
            const auto [run, offset] = placed[i - begin];
            window.taps.push_back({window.runs[run].at + offset, taps[i].weight});
        }
        begin = end;
        placed.clear();
        last_run.clear();
    };
    for (std::size_t i = 0; i < taps.size(); ++i) {
        if (windows.empty() || windows.back().size >= most) {
            if (!windows.empty()) close(i);
            windows.emplace_back();
        }
        auto& window = windows.back();
        const auto place = taps[i].place;
        const auto [known, is_new] = last_run.try_emplace(place % stride, window.runs.size());
        if (!is_new) {
            const auto& run = window.runs[known->second];
            if ((place - run.place) / stride - run.extra > outputs) known->second = window.runs.size();
        }
        if (known->second == window.runs.size()) {
            window.runs.push_back({place, 0, 0});
            window.size += outputs;
        }
        auto& run = window.runs[known->second];
        const auto offset = (place - run.place) / stride;
        window.size += offset - run.extra;
        run.extra = offset;
        placed.emplace_back(known->second, offset);
    }
    if (!windows.empty()) close(taps.size());
    return windows;
}

} // namespace kg::cpu
