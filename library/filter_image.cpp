#include "library/filter_image.hpp"

#include "core/plan/parts.hpp"
#include "core/plan/planner.hpp"
#include "core/request/opaque.hpp"
#include "core/support/error.hpp"
#include "filters/preset.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace kg {

namespace {

Recipe recipe_of(std::string_view text) {
    const auto all = presets();
    const auto preset = std::ranges::find(all, text, &Preset::id);
    return preset != all.end() ? preset->recipe : parse_recipe_or_preset(text, "given as text");
}

void filter_on(const std::shared_ptr<Engine>& engine, const ImageRequest& request,
               const ConstImageView& image, const FilterOptions& options, FilteredImage& filtered) {
    const auto prepared = plan(*engine, request, options.algorithm, {options.stop});
    const auto done = run_in_parts(*engine, prepared, image, filtered.image.view(), options.stop);
    filtered.engine = engine;
    filtered.algorithm = prepared->algorithm;
    filtered.reason = prepared->reason;
    if (done.parts > 1) filtered.notice = parts_text(engine->device(), done.parts);
}

/// To be called in a catch block: why another engine may compute what `engine` could not. Rethrows the errors
/// that it would have, too.
std::string why_elsewhere(const Engine& engine) {
    try {
        throw;
    } catch (const NoAlgorithm&) {
        return "the engine " + engine.device().id + " has no algorithm for this";
    } catch (const std::bad_alloc&) {
        return engine.device().name + " has not enough memory, not even for a small part of the image";
    } catch (const Unavailable& error) {
        return error.what();
    }
}

} // namespace

FilteredImage filter_image(const Engines& engines, std::string_view recipe, const ConstImageView& image,
                           const FilterOptions& options) {
    return filter_image(engines, recipe_of(recipe), image, options);
}

FilteredImage filter_image(const Engines& engines, const Recipe& recipe, const ConstImageView& image,
                           const FilterOptions& options) {
    auto request = request_for(recipe, image.size, image.format);
    const bool opaque = depends_on_opaque(request) && is_opaque(image);
    if (opaque) request = for_opaque(std::move(request));
    auto filtered = filter_image(engines, request, image, options);
    filtered.reason = reason_with_alpha(std::move(filtered.reason), opaque);
    return filtered;
}

FilteredImage filter_image(const Engines& engines, const ImageRequest& request, const ConstImageView& image,
                           const FilterOptions& options) {
    if (image.size != request.size || image.format != request.in)
        throw Error("image-of-other-request", "the image has another size or format than the request");
    FilteredImage filtered;
    filtered.image = Image(request.size, request.out);
    std::string why;
    try {
        filter_on(engines.engine, request, image, options, filtered);
        return filtered;
    } catch (...) {
        if (!engines.fallback) throw;
        why = why_elsewhere(*engines.engine);
    }
    filter_on(engines.fallback, request, image, options, filtered);
    const auto& device = engines.fallback->device();
    filtered.notice = "Using " + (device.host_memory ? "the CPU" : device.name) + ": " + why +
                      (filtered.notice.empty() ? "" : ". ") + filtered.notice;
    return filtered;
}

} // namespace kg
