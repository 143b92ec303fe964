#include "python/module/regions.hpp"

#include "core/image/image.hpp"
#include "core/plan/parts.hpp"
#include "core/request/opaque.hpp"
#include "core/support/error.hpp"
#include "python/module/array.hpp"
#include "python/module/filtering.hpp"
#include "python/module/waiting.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace kg::python {

namespace {

using Size = std::pair<std::int64_t, std::int64_t>;                               ///< rows, columns
using Place = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>; ///< y, x, rows, columns

Rect rect_of(const Place& place) {
    const auto [y, x, rows, columns] = place;
    return {x, y, columns, rows};
}

/// What a plan computes for some outputs: whole strips, so that the bytes are those of the whole result.
struct Region {
    Rect outputs, source;
};

Region region_of(const Plan& plan, const Rect& outputs) {
    const auto quantum = plan.needs(outputs).row_quantum;
    auto strips = outputs;
    strips.y -= outputs.y % quantum;
    strips.height += outputs.y - strips.y;
    return {strips, plan.needs(strips).source};
}

/// The prepared request for the whole image. Throws Error, also for outputs outside the image.
std::shared_ptr<PreparedRequest> prepared_for_whole(const FilterOptions& options, const ImageShape& shape,
                                                    bool is_opaque, const Rect& outputs) {
    if (outputs.empty() || !whole(shape.size).contains(outputs))
        throw Error("region-outside", "the outputs ({}, {}) of {} x {} are not in an image of {} x {}",
                    outputs.x, outputs.y, outputs.width, outputs.height, shape.size.width, shape.size.height);
    auto prepared = prepared_for(options, shape);
    if (is_opaque && depends_on_opaque(prepared->request())) prepared = prepared_for(options, shape, true);
    return prepared;
}

/// `array` holds the rectangle of the image that begins at row and column `begin`.
nb::object filter_region(nb::handle object, const Size& begin, const ImageShape& shape,
                         const FilterOptions& options, bool is_opaque, const Rect& outputs,
                         nb::handle empty_like) {
    const Array array(object, "the array");
    const auto held = image_shape(array, "the array");
    if (array.is_on_gpu() || held.format.depth != shape.format.depth ||
        held.format.channels != shape.format.channels)
        throw Error("region-array",
                    "an array of shape {} is no rectangle of the image: it must be in host memory, of {} and "
                    "with {} channels",
                    array.shape_text(), name(shape.format.depth), shape.format.channels);
    const ImageShape source{held.size, shape.format};
    Image copy;
    if (!has_image_rows(array)) {
        copy = Image(source.size, source.format);
        copy_array(array, copy.view(), source);
    }
    const auto pixels = copy.empty() ? ConstImageView(image_view(array, source)) : std::as_const(copy).view();
    const Rect covers{begin.second, begin.first, held.size.width, held.size.height};
    const auto prepared = prepared_for_whole(options, shape, is_opaque, outputs);
    const auto& choice = prepared->choice();
    const auto result_format = prepared->request().out;
    Image result;
    Rect computed;
    interruptible([&](const std::stop_token& stop, const WaitFor& wait) {
        std::string notice;
        return with_fallback(choice, notice, [&](const std::shared_ptr<Engine>& engine) {
            const auto plan = prepared->plan(*engine, stop);
            const auto region = region_of(*plan, outputs);
            if (!covers.contains(region.source))
                throw Error("region-too-small",
                            "this process plans to read columns {} to {} and rows {} to {}, and was given "
                            "columns {} to {} and rows {} to {}; name engine and algorithm where machines "
                            "differ",
                            region.source.x, region.source.right(), region.source.y, region.source.bottom(),
                            covers.x, covers.right(), covers.y, covers.bottom());
            computed = region.outputs;
            result = Image({computed.width, computed.height}, result_format);
            return run_in_parts(*engine, plan, pixels, covers, result.view(), computed, stop, wait);
        });
    });
    nb::list extents;
    extents.append(outputs.height);
    extents.append(outputs.width);
    if (array.shape().size() == 3) extents.append(shape.format.channels);
    auto filled = empty_like(object, nb::cast(name(result_format.depth)), nb::tuple(extents));
    copy_array(std::as_const(result).view().crop(
                   {outputs.x - computed.x, outputs.y - computed.y, outputs.width, outputs.height}),
               Array(filled, "the result"));
    return filled;
}

} // namespace

void bind_regions(nb::module_& module) {
    using Text = std::optional<std::string_view>;
    const auto image_of = [](const Size& size, int channels, std::string_view depth, bool has_alpha,
                             bool linear) {
        ImageShape shape{{size.second, size.first}, {parse_depth(depth), channels}};
        if (has_alpha) shape.format.alpha = channels - 1;
        shape.format.linear = linear;
        return shape;
    };
    module.def(
        "region",
        [image_of](nb::handle recipe, const Size& size, int channels, std::string_view depth, bool has_alpha,
                   bool linear, std::string_view engine, Text algorithm, bool is_opaque,
                   const Place& outputs) {
            const FilterOptions options{recipe, {}, has_alpha, linear, engine, algorithm.value_or("")};
            const auto prepared = prepared_for_whole(
                options, image_of(size, channels, depth, has_alpha, linear), is_opaque, rect_of(outputs));
            const auto plan = prepared->plan(*prepared->choice().engine);
            const auto source = region_of(*plan, rect_of(outputs)).source;
            return std::make_tuple(Place{source.y, source.x, source.height, source.width},
                                   std::string(name(prepared->request().out.depth)),
                                   depends_on_opaque(prepared->request()));
        },
        nb::arg("recipe"), nb::arg("size"), nb::arg("channels"), nb::arg("depth"), nb::arg("has_alpha"),
        nb::arg("linear"), nb::arg("engine"), nb::arg("algorithm").none(), nb::arg("is_opaque"),
        nb::arg("outputs"));
    module.def(
        "filter_region",
        [image_of](nb::handle array, const Size& begin, nb::handle empty_like, nb::handle recipe,
                   const Size& size, int channels, std::string_view depth, bool has_alpha, bool linear,
                   std::string_view engine, Text algorithm, bool is_opaque, const Place& outputs) {
            const FilterOptions options{recipe, {}, has_alpha, linear, engine, algorithm.value_or("")};
            return filter_region(array, begin, image_of(size, channels, depth, has_alpha, linear), options,
                                 is_opaque, rect_of(outputs), empty_like);
        },
        nb::arg("array"), nb::arg("begin"), nb::arg("empty_like"), nb::arg("recipe"), nb::arg("size"),
        nb::arg("channels"), nb::arg("depth"), nb::arg("has_alpha"), nb::arg("linear"), nb::arg("engine"),
        nb::arg("algorithm").none(), nb::arg("is_opaque"), nb::arg("outputs"));
}

} // namespace kg::python
