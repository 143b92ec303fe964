#pragma once
// One call from a recipe and an image in memory to the filtered image, for programs that use the library.
// Kernelglass itself has files, batches and bands to serve (app/process/job.hpp).

#include "core/image/image.hpp"
#include "core/request/request.hpp"
#include "filters/recipe.hpp"
#include "library/engines.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>

namespace kg {

/// A view of `size` pixels of interleaved samples in memory, row after row without gaps. T is std::uint8_t,
/// std::uint16_t or float (white = 1), const or not; `alpha` is the index of the alpha channel, -1 = none.
template <typename T>
auto view_of(T* samples, Extent size, int channels, int alpha = -1) {
    using Sample = std::remove_const_t<T>;
    constexpr bool is_byte = std::is_same_v<Sample, std::uint8_t>;
    static_assert(is_byte || std::is_same_v<Sample, std::uint16_t> || std::is_same_v<Sample, float>);
    constexpr auto depth = is_byte ? Depth::u8 : std::is_same_v<Sample, float> ? Depth::f32 : Depth::u16;
    using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
    const PixelFormat format{depth, channels, alpha};
    return BasicImageView<Byte>{reinterpret_cast<Byte*>(samples),
                                static_cast<std::size_t>(size.width) * bytes_per_pixel(format), size, format};
}

struct FilterOptions {
    std::string_view algorithm{}; ///< forced; empty = the fastest by estimate
    std::stop_token stop{};
};

struct FilteredImage {
    Image image;
    std::shared_ptr<Engine> engine; ///< that computed it
    std::string algorithm, reason;  ///< ids of what ran, as Plan::algorithm, and why the planner chose it
    std::string notice;             ///< why the fallback computed it, or why in parts; may be empty
};

/// Filters by a recipe, written as text (`gaussian:sigma=2 | sobel | border=wrap`), as JSON, or as the id of
/// a preset. The result has the depth of the recipe, else that of the image. Waits for it. The pixels are
/// only read, and are computed in parts where an engine's memory is short. Throws Error for a recipe that is
/// wrong or does not fit the image, what the engine throws if it has no fallback, and Cancelled.
FilteredImage filter_image(const Engines& engines, std::string_view recipe, const ConstImageView& image,
                           const FilterOptions& options = {});
FilteredImage filter_image(const Engines& engines, const Recipe& recipe, const ConstImageView& image,
                           const FilterOptions& options = {});
/// The same for a request of one's own; `image` has its size and input format.
FilteredImage filter_image(const Engines& engines, const ImageRequest& request, const ConstImageView& image,
                           const FilterOptions& options = {});

} // namespace kg
