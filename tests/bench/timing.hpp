#pragma once
// What the benchmarks of the CPU engine share: pictures, times, and the file that they write.

#include "core/pixel.hpp"
#include "core/stage.hpp"
#include "core/image.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace kg::testing {

using Json = nlohmann::ordered_json;

inline constexpr Extent kSize{3840, 2160};
inline constexpr Extent kSmall{257, 193}; ///< on which results are compared with the reference

struct Format {
    const char* name;
    PixelFormat pixels;
};
inline constexpr Format kFormats[] = {{"rgba8", {Depth::u8, 4}},
                                      {"rgb8", {Depth::u8, 3}},
                                      {"grey8", {Depth::u8, 1}},
                                      {"greyf32", {Depth::f32, 1}},
                                      {"rgb16", {Depth::u16, 3}}};

/// A named filter with its parameters, as a recipe has it.
Stage named(const std::string& filter, const std::string& parameter, const std::string& value);

/// What a call takes: on the clock, and on all cores together, which other programs' work disturbs less.
struct Taken {
    double wall_ms, cpu_ms;
};
Taken timed(const std::function<void()>& body);

/// The same for many calls.
struct Times {
    std::vector<double> wall_ms, cpu_ms;
    void add(const Taken& one) {
        wall_ms.push_back(one.wall_ms);
        cpu_ms.push_back(one.cpu_ms);
    }
};

double quantile(std::vector<double> values, double q);

/// To four digits: more are noise.
double rounded(double value);

/// Median, 5th and 95th percentile.
Json summary(const std::vector<double>& values);

/// `report` with its "rows" one a line.
void write_report(const std::string& path, const Json& report);

} // namespace kg::testing
