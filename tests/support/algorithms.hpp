#pragma once
// The loop over the algorithms of a request, shared by tests.

#include "cpu/engine.hpp"
#include "tests/support/check.hpp"

#include <algorithm>

namespace kg::testing {

/// Calls body(engine, algorithm) for every algorithm of the engines that supports the request, including the
/// reference, until the body fails fatally (ASSERT).
template <typename Body>
void for_each_algorithm(const std::vector<std::shared_ptr<Engine>>& engines, const ImageRequest& request,
                        Body body) {
    for (const auto& engine : engines)
        for (const auto& candidate : algorithm_answers(*engine, request)) {
            if (!candidate.why_not.empty()) continue;
            SCOPED_TRACE(std::string(candidate.algorithm->id) + " on " + label(*engine));
            body(*engine, *candidate.algorithm);
            if (::testing::Test::HasFatalFailure()) return;
        }
}

/// The same for all available engines.
template <typename Body>
void for_each_algorithm(const ImageRequest& request, Body body) {
    for_each_algorithm(engines(), request, std::move(body));
}

/// The CPU algorithm of this name.
inline const Algorithm& cpu_algorithm(std::string_view id) {
    const auto all = cpu::algorithms();
    return **std::ranges::find(all, id, &Algorithm::id);
}

} // namespace kg::testing
