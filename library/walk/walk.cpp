#include "library/walk/walk.hpp"

#include "core/plan/planner.hpp"
#include "core/plan/verification.hpp"
#include "library/walk/requests.hpp"
#include "library/walk/runs.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>

namespace kg {

namespace {

/// Null if the algorithm does not support the request.
std::shared_ptr<const Plan> plan_if_supported(Engine& engine, const ImageRequest& request,
                                              const Algorithm& algorithm, const std::stop_token& stop) {
    try {
        return plan(engine, request, algorithm, {stop});
    } catch (const Refused&) {
        return nullptr;
    }
}

Rect random_region(Extent size, std::mt19937& random) {
    const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
    };
    const auto x = below(size.width), y = below(size.height);
    return {x, y, 1 + below(size.width - x), 1 + below(size.height - y)};
}

bool same_bytes(const ConstImageView& a, const ConstImageView& b) {
    const auto row = static_cast<std::size_t>(a.size.width) * bytes_per_pixel(a.format);
    for (std::int64_t y = 0; y < a.size.height; ++y)
        if (std::memcmp(a.row<std::byte>(y), b.row<std::byte>(y), row) != 0) return false;
    return true;
}

/// A message about the first difference; empty if the algorithm computes the request right.
std::string why_wrong(Engine& engine, Queue& queue, const Algorithm& algorithm,
                      const std::shared_ptr<const Plan>& prepared, const ImageRequest& request, unsigned seed,
                      const std::stop_token& stop) {
    const auto image = noise_image(request.size, request.in, seed);
    const auto all = run_region(engine, queue, prepared, request, image.view(), whole(request.size));
    const auto verification = ReferenceResult(request, image.view(), whole(request.size), stop)
                                  .verify(all.view(), &algorithm, stop);
    if (!verification.right()) return verification.first_wrong;
    std::mt19937 random(seed);
    const auto area = random_region(request.size, random);
    const auto region = run_region(engine, queue, prepared, request, image.view(), area);
    if (same_bytes(all.view().crop(area), region.view())) return {};
    return "the rectangle at x " + std::to_string(area.x) + " y " + std::to_string(area.y) + " of " +
           std::to_string(area.width) + "x" + std::to_string(area.height) +
           " has other bytes alone than in the whole image";
}

} // namespace

WalkOutcome walk_algorithm(Engine& engine, const Algorithm& algorithm, std::size_t every,
                           const std::stop_token& stop) {
    WalkOutcome outcome;
    const auto queue = engine.queue();
    for (std::size_t i = 0; i < walk_size(); i += std::max<std::size_t>(every, 1)) {
        if (stop.stop_requested()) throw Cancelled();
        const auto request = walk_request(i);
        ++outcome.requests;
        const auto prepared = plan_if_supported(engine, request, algorithm, stop);
        if (!prepared) continue;
        ++outcome.ran;
        const auto why = why_wrong(engine, *queue, algorithm, prepared, request, static_cast<unsigned>(i + 1),
                                   stop);
        if (why.empty()) continue;
        ++outcome.wrong;
        if (outcome.first_wrong.empty()) outcome.first_wrong = why + "; " + request_text(request);
    }
    return outcome;
}

} // namespace kg
