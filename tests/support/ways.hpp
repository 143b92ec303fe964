#pragma once
// Every way of computing a request: the loop that tests of algorithms share.

#include "cpu/engine.hpp"
#include "tests/support/check.hpp"

#include <algorithm>

namespace kg::testing {

/// Calls body(engine, algorithm) for every algorithm of the engines that can do the request, the reference among them,
/// until the body fails fatally (ASSERT).
template <typename Body>
void for_each_way(const std::vector<std::shared_ptr<Engine>>& engines, const ImageRequest& request,
                  Body body) {
    for (const auto& engine : engines)
        for (const auto& candidate : candidates(*engine, request)) {
            if (!candidate.why_not.empty()) continue;
            SCOPED_TRACE(std::string(candidate.algorithm->id) + " on " + label(*engine));
            body(*engine, *candidate.algorithm);
            if (::testing::Test::HasFatalFailure()) return;
        }
}

/// ... of all engines that are here.
template <typename Body>
void for_each_way(const ImageRequest& request, Body body) {
    for_each_way(engines(), request, std::move(body));
}

/// The CPU's algorithm of this name.
inline const Algorithm& cpu_way(std::string_view id) {
    const auto all = cpu::algorithms();
    return **std::ranges::find(all, id, &Algorithm::id);
}

} // namespace kg::testing
