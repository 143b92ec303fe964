#include "app/bench/tune.hpp"

#include "app/bench/sweep.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <utility>

namespace kg {

CostCorrections fitted_costs(std::span<const measure::BenchReport> reports, std::string_view engine) {
    std::vector<CostSample> samples;
    for (const auto& report : reports)
        for (const auto& row : report.rows) {
            // Signals, filter banks and volumes have algorithms of the same names.
            const bool fits = row.name.starts_with("image/") && row.engine == engine && row.peer.empty() &&
                              row.times && row.cold && row.formula_us > 0;
            if (!fits || row.algorithm != algorithm_name(row)) continue; // it has conversions
            samples.push_back({row.algorithm, parse_depth(row.depth), row.channels,
                               static_cast<double>(row.width) * static_cast<double>(row.height) * 1e-6,
                               std::max(row.kernel_width, row.kernel_height),
                               row.times->run.median / row.formula_us, row.alpha_weighted});
        }
    if (samples.empty())
        throw Error("nothing-to-fit", "the reports have no time of the engine {} beside its estimate",
                    engine);
    return CostCorrections(std::move(samples));
}

std::vector<measure::BenchCase> tuning_cases() {
    struct Samples {
        Depth depth;
        std::vector<ChannelLayout> channels;
    };
    struct Kernels {
        const char *filter, *sizes;
        double tolerance = 0;
    };
    std::vector<measure::BenchCase> all;
    // Large images first: constants fitted to small ones alone, where the time was too short for the others,
    // misjudge the large ones.
    for (const Extent size : {Extent{4096, 4096}, Extent{512, 512}})
        for (const auto& [depth, channels] : {Samples{Depth::u8, {{1}, {3}, {4}, {4, true}}},
                                              {Depth::u16, {{1}, {4}}},
                                              {Depth::f32, {{1}, {4}}}})
            for (const auto& [filter, kernel_sizes, tolerance] : {Kernels{"dense", "3,5,7,9,15,31,63"},
                                                                  {"gaussian", "3,9,15,31,63"},
                                                                  {"gaussian", "81,401", 1e-3},
                                                                  {"box", "3,31,101"},
                                                                  {"sobel", "3,5"}}) {
                Sweep sweep;
                sweep.sizes = {size};
                sweep.depths = {depth};
                sweep.channels = channels;
                sweep.filters = {filter};
                sweep.tolerances = {tolerance};
                sweep.kernel_sizes = parse_kernel_sizes(kernel_sizes);
                for (auto& one : cases_of(sweep)) all.push_back(std::move(one));
            }
    return all;
}

} // namespace kg
