#include "python/module/filtering.hpp"

#include "core/image/image.hpp"
#include "core/request/opaque.hpp"
#include "core/support/error.hpp"
#include "python/module/engines.hpp"
#include "python/module/gpu_arrays.hpp"
#include "python/module/plan_cache.hpp"
#include "python/module/waiting.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <string>
#include <utility>

namespace kg::python {

namespace {

/// The depth of the result is the recipe's, else the array's; values below 0 need a float.
ImageRequest request_of(const FilterOptions& options, const ImageShape& shape, bool opaque) {
    auto recipe = recipe_of(options.recipe);
    options.settings.apply_to(recipe);
    auto request = request_for(recipe, shape.size, shape.format);
    if (recipe.sign == SignedMode::keep) request.out.depth = depth_for_signed(recipe);
    validate(request);
    return opaque ? for_opaque(std::move(request)) : request;
}

std::string key_of(const FilterOptions& options, const ImageShape& shape, bool opaque,
                   std::optional<int> gpu) {
    std::string key;
    key.reserve(128);
    append_key(options.recipe, key);
    options.settings.append_to(key);
    ((key += options.engine) += '\0') += options.algorithm;
    const std::int64_t numbers[] = {shape.size.width,
                                    shape.size.height,
                                    static_cast<std::int64_t>(shape.format.depth),
                                    shape.format.channels,
                                    shape.format.alpha,
                                    shape.format.linear,
                                    opaque,
                                    gpu.value_or(-2)};
    return key.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
}

ImageShape shape_of(const Array& array, const FilterOptions& options) {
    auto shape = image_shape(array, "the array");
    auto& format = shape.format;
    format.linear = options.linear;
    if (!options.has_alpha) return shape;
    if (format.channels % 2 != 0)
        throw Error("array-without-alpha",
                    "an array of shape {} has no alpha: alpha is the last of 2 or 4 channels",
                    array.shape_text());
    format.alpha = format.channels - 1;
    return shape;
}

/// The bytes between the first and the last number.
std::pair<std::uintptr_t, std::uintptr_t> extent_of(const Array& array) {
    auto first = reinterpret_cast<std::uintptr_t>(array.data()), last = first + bytes(array.element());
    for (std::size_t i = 0; i < array.shape().size(); ++i) {
        const auto reach = (array.shape()[i] - 1) * array.strides()[i];
        if (reach < 0) first += static_cast<std::uintptr_t>(reach);
        else last += static_cast<std::uintptr_t>(reach);
    }
    return {first, last};
}

bool overlap(const Array& a, const Array& b) {
    const auto [a_first, a_last] = extent_of(a);
    const auto [b_first, b_last] = extent_of(b);
    return a_first < b_last && b_first < a_last;
}

/// Throws Error unless the result fits into the array.
void check_out(const Array& out, const ImageShape& out_shape, const Array& array) {
    if (!std::ranges::equal(out.shape(), array.shape()))
        throw Error("out-shape", "out has shape {}, and the result has {}", out.shape_text(),
                    array.shape_text());
    const auto shape = image_shape(out, "out");
    if (shape.format.depth != out_shape.format.depth)
        throw Error("out-type",
                    "out has numbers of type {}, and the result has {}; depth= chooses the result's",
                    name(shape.format.depth), name(out_shape.format.depth));
    if (out.is_read_only()) throw Error("out-read-only", "out is read-only");
    const auto place = [](const Array& of) {
        return of.is_on_gpu() ? "on GPU " + std::to_string(of.gpu()) : std::string("in host memory");
    };
    if (place(out) != place(array))
        throw Error("out-device", "out is {}, and the array is {}", place(out), place(array));
    if (array.is_on_gpu() && overlap(array, out))
        throw Error("out-overlaps", "out overlaps the array, which a GPU reads while it writes the result");
}

void compute(PreparedRequest& prepared, const ConstImageView& image, const ImageView& result) {
    bool is_done = false;
    if (prepared.is_short()) {
        const nb::gil_scoped_release released;
        is_done = prepared.run_here(image, result);
    }
    if (!is_done)
        interruptible([&](const std::stop_token& stop, const WaitFor& wait) {
            return prepared.run(image, result, stop, wait);
        });
}

/// Copies what is not laid out as an image, and the input where the result would overwrite it.
void compute_on_host(PreparedRequest& prepared, const Array& array, const ImageShape& shape, const Array& out,
                     const ImageShape& out_shape) {
    if (out.shape()[0] == 0) return;
    Image in_copy, out_copy;
    if (!has_image_rows(array) || overlap(array, out)) {
        in_copy = Image(shape.size, shape.format);
        copy_array(array, in_copy.view(), shape);
    }
    if (!has_image_rows(out)) out_copy = Image(out_shape.size, out_shape.format);
    compute(prepared,
            in_copy.empty() ? ConstImageView(image_view(array, shape)) : std::as_const(in_copy).view(),
            out_copy.empty() ? image_view(out, out_shape) : out_copy.view());
    if (!out_copy.empty()) copy_array(std::as_const(out_copy).view(), out);
}

bool is_opaque_array(const Array& array, const ImageShape& shape) {
    if (has_image_rows(array)) return is_opaque(image_view(array, shape));
    Image copy(shape.size, shape.format);
    copy_array(array, copy.view(), shape);
    return is_opaque(std::as_const(copy).view());
}

/// Functions of kernelglass/_arrays.py.
struct Library {
    nb::handle empty_like, of_kind, current_stream;
};

nb::object filter(nb::handle object, const FilterOptions& options, nb::handle out, const Library& library,
                  std::optional<std::uintptr_t> stream) {
    const Array array(object, "the array");
    const auto shape = shape_of(array, options);
    const auto gpu = array.is_on_gpu() ? std::optional(array.gpu()) : std::nullopt;
    auto prepared = prepared_for(options, shape, false, gpu);
    if (!gpu && shape.format.alpha >= 0 && depends_on_opaque(prepared->request()) &&
        is_opaque_array(array, shape))
        prepared = prepared_for(options, shape, true);
    const auto& format = prepared->request().out;
    auto result = out.is_none() ? library.empty_like(object, nb::cast(name(format.depth))) : nb::borrow(out);
    const Array target(result, "out");
    const ImageShape out_shape{shape.size, format};
    if (!out.is_none()) check_out(target, out_shape, array);
    if (gpu) {
        if (!stream) stream = nb::cast<std::optional<std::uintptr_t>>(library.current_stream(object));
        compute_on_gpu(*prepared, array, shape, target, out_shape, stream);
        return result;
    }
    compute_on_host(*prepared, array, shape, target, out_shape);
    return out.is_none() && array.is_by_dlpack() ? library.of_kind(object, result) : result;
}

} // namespace

std::shared_ptr<PreparedRequest> prepared_for(const FilterOptions& options, ImageShape shape, bool opaque,
                                              std::optional<int> gpu) {
    static auto& cache = *new PlanCache;
    auto key = key_of(options, shape, opaque, gpu);
    if (auto known = cache.find(key)) return known;
    auto request = request_of(options, shape, opaque);
    auto choice = gpu ? engine_on_gpu(options.engine, *gpu)
                      : engine_for(options.engine, options.algorithm, request);
    auto made = std::make_shared<PreparedRequest>(std::move(choice), std::move(request), options.algorithm);
    cache.add(std::move(key), made);
    return made;
}

void bind_filtering(nb::module_& module) {
    using Text = std::optional<std::string_view>;
    module.def(
        "filter",
        [](nb::handle array, nb::handle recipe, nb::handle out, nb::handle empty_like, nb::handle of_kind,
           nb::handle current_stream, Text border, Text light, Text alpha, bool has_alpha, Text sign,
           Text channels, Text depth, std::optional<double> tolerance, std::string_view engine,
           Text algorithm, bool linear, std::optional<std::uintptr_t> stream) {
            const FilterOptions options{recipe,    {border, light, alpha, sign, channels, depth, tolerance},
                                        has_alpha, linear,
                                        engine,    algorithm.value_or("")};
            return filter(array, options, out, {empty_like, of_kind, current_stream}, stream);
        },
        nb::arg("array").none(), nb::arg("recipe").none(), nb::arg("out").none(), nb::arg("empty_like"),
        nb::arg("of_kind"), nb::arg("current_stream"), nb::arg("border").none(), nb::arg("light").none(),
        nb::arg("alpha").none(), nb::arg("has_alpha"), nb::arg("signed").none(), nb::arg("channels").none(),
        nb::arg("depth").none(), nb::arg("tolerance").none(), nb::arg("engine"), nb::arg("algorithm").none(),
        nb::arg("linear"), nb::arg("stream").none());
}

} // namespace kg::python
