#pragma once
// Time over kernel size or image size, which shows where each algorithm becomes the fastest: the data of that
// chart. "Size" is that of the family's axis.

#include "measure/report/standing.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kg::measure {

struct CrossoverPoint {
    int size; ///< Family::size() of the row
    const ReportRow* row;
};

/// One algorithm; `runs` are the sequences of consecutive sizes at which it has times.
struct CrossoverSeries {
    std::string label;
    bool peer = false, wins = false; ///< wins: the fastest at some size
    std::string engine;
    std::size_t shape = 0; ///< shape of a peer's markers: peers count from 0
    std::vector<std::vector<CrossoverPoint>> runs;
    std::size_t last_request = 0;

    const CrossoverPoint& last() const { return runs.back().back(); }
};

/// Rows whose time or size is not positive have no place on logarithmic axes and are left out.
struct Crossover {
    std::vector<CrossoverSeries> series;
    std::set<int> sizes; ///< with those at which a result is wrong
    std::set<std::string> engines;
    std::size_t timed_sizes = 0;
    std::map<int, std::vector<const ReportRow*>> wrong;  ///< rows whose result is wrong, by size
    std::map<std::string, std::map<int, double>> copies; ///< microseconds of a copy by engine and size
    double low = 0, high = 0;                            ///< the shortest and longest time, microseconds
};

/// Points refer to the family's report, which must outlive them.
Crossover crossover(const Family& family);

/// "naive at 3, separable from 5 to 21, fourier at 31": the fastest by size. Empty without times.
std::string crossover_text(const Family& family);

} // namespace kg::measure
