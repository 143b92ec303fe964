// Not a test: times the CPU engine. docs/performance.md says how to run it.
//
//     kg_cpu_bench [--ways] RESULT.json [--samples N] [--threads N] [--only TEXT] [--algorithm ID]

#include "cpu/engine.hpp"
#include "tests/bench/rows.hpp"

#include <opencv2/core.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    using namespace kg::testing;
    const std::vector<std::string> words(argv + 1, argv + argc);
    BenchOptions options;
    bool ways = false;
    std::string path;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--samples") options.samples = std::stoi(words.at(++i));
        else if (words[i] == "--threads") options.threads = std::stoi(words.at(++i));
        else if (words[i] == "--only") options.only = words.at(++i);
        else if (words[i] == "--algorithm") options.algorithm = words.at(++i);
        else if (words[i] == "--ways") ways = true;
        else path = words[i];
    }
    if (path.empty()) {
        std::puts("Usage: kg_cpu_bench [--ways] RESULT.json [--samples N] [--threads N] [--only TEXT] "
                  "[--algorithm ID]\n"
                  "Without --ways the engine is timed beside OpenCV; with it, its ways beside each other.\n"
                  "TEXT chooses rows by a part of their name, as in \"gaussian rgba8\" or \"grey8 31 \".");
        return 2;
    }
    const auto device = kg::cpu::make_engine(options.threads)->device();
    Json report{{"device", device.name},      {"description", device.description},
                {"opencv", CV_VERSION},       {"size", {kSize.width, kSize.height}},
                {"samples", options.samples}, {"threads", options.threads},
                {"border", "reflect101"},     {"rows", Json::array()}};
    (ways ? rows_of_ways : rows_against_opencv)(options, report["rows"]);
    write_report(path, report);
    return 0;
}
