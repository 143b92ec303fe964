#include "tests/bench/timing.hpp"

#include "filters/recipe.hpp"
#include "measure/statistics.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>

#include <time.h>

namespace kg::testing {

Stage named(const std::string& filter, const std::string& parameter, const std::string& value) {
    if (parameter.empty()) return stage_of({filter, {}, {}});
    return stage_of({filter, {{parameter, value}}, {}});
}

namespace {

double processor_ms() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

} // namespace

Taken timed(const std::function<void()>& body) {
    const double cpu = processor_ms();
    const auto began = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - began;
    return {wall.count(), processor_ms() - cpu};
}

double quantile(std::vector<double> values, double q) {
    std::ranges::sort(values);
    return measure::quantile(values, q);
}

double rounded(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return std::stod(text);
}

Json summary(const std::vector<double>& values) {
    return {{"median", rounded(quantile(values, 0.5))},
            {"p5", rounded(quantile(values, 0.05))},
            {"p95", rounded(quantile(values, 0.95))}};
}

void write_report(const std::string& path, const Json& report) {
    std::ofstream file(path);
    const char* before = "{\n";
    for (const auto& [key, value] : report.items()) {
        file << before << " " << Json(key).dump() << ": ";
        before = ",\n";
        if (key != "rows") {
            file << value.dump();
            continue;
        }
        for (std::size_t i = 0; i < value.size(); ++i) file << (i ? ",\n  " : "[\n  ") << value[i].dump();
        file << "\n ]";
    }
    file << "\n}\n";
}

} // namespace kg::testing
