#pragma once
// What the window shows, as one value: pixels, size, parameters, reason and timings swap together.

#include "app/io/image_file.hpp"
#include "app/process/clipping/clipping.hpp"
#include "app/process/engine/engines.hpp"
#include "core/plan/planner.hpp"
#include "core/request/opaque.hpp"
#include "core/support/error.hpp"
#include "filters/recipe.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kg {

/// The region in view, which is computed first.
struct Focus {
    Extent image;              ///< size of the image that the other members refer to
    Extent view;               ///< framebuffer pixels
    Rect visible;              ///< visible rectangle of the image
    std::int64_t x = 0, y = 0; ///< the pixel under the cursor, else the middle of `visible`
    double zoom = 1;           ///< framebuffer pixels per image pixel
};

/// The finished pixels of a result in progress. They are exact: those of the whole result, byte for byte or
/// by the same rule (semantics 11 and 12), never a filter of a smaller image.
struct Preview {
    int every = 1; ///< only every n-th pixel of every n-th row is valid
    Rect region;   ///< valid region of the image
    /// Rectangles of the result's buffer that changed since the previous preview.
    std::vector<Rect> changed{};

    bool operator==(const Preview&) const = default;
};

/// One thing to compute for the screen.
struct ScreenJob {
    std::uint64_t serial = 0; ///< grows with every job
    EngineChoice choice{};    ///< the engine, and its fallback
    std::shared_ptr<const LoadedImage> image;
    ImageRequest request;
    std::string algorithm;        ///< forced; empty = auto
    std::optional<Focus> focus{}; ///< empty = no preview
    std::chrono::steady_clock::time_point posted = std::chrono::steady_clock::now();
};

struct Result {
    ScreenJob job;           ///< `choice.engine` is the one that computed
    std::uint64_t stamp = 0; ///< grows with every result, including repeated results of one job
    /// Empty for the whole result. The times of a preview are not those of a result.
    std::optional<Preview> preview{};
    /// Owner of the buffers: job.choice.engine, or a host engine if computed out of core.
    std::shared_ptr<Engine> home;
    BufferView source;
    /// Buffers of the whole image (of a preview: every n-th pixel of every n-th row); kept for the display.
    BufferView pixels;
    Completion ready; ///< fence of `pixels`; already signalled
    /// Alpha is full everywhere: for_opaque(job.request) was computed.
    bool opaque = false;
    std::string algorithm, reason;  ///< what ran, and why
    std::optional<Error> refusal{}; ///< why a forced algorithm was not used; empty = as requested
    std::string notice;             ///< why it was done in parts, or by the fallback; may be empty
    double upload_us = 0;           ///< upload of the image; 0 if it was on the engine already
    double filter_us = 0;
    double total_us = 0; ///< from the edit to the result

    /// The message of `refusal`; empty without one.
    std::string why_yielded() const { return refusal ? refusal->what() : ""; }

    /// The request that was computed.
    ImageRequest request() const { return opaque ? for_opaque(job.request) : job.request; }

    /// Position of image pixel (x, y) in `pixels`, if it is valid.
    std::optional<Rect> place_of(std::int64_t x, std::int64_t y) const {
        const auto n = preview ? preview->every : 1;
        if (preview && (!preview->region.contains({x, y, 1, 1}) || x % n != 0 || y % n != 0)) return {};
        return Rect{x / n, y / n, 1, 1};
    }
};

// Events of the worker, in order.
struct Opened {
    std::shared_ptr<const LoadedImage> image;
    std::shared_ptr<const Image> thumbnail; ///< RGBA u8
    std::optional<Recipe> made_by{};        ///< the recipe that its file carries
    std::string making{};                   ///< "made by Kernelglass 1.0 with gaussian"; may be empty
    std::optional<FileStamp> stamp{};       ///< the file's state before it was read
    std::string title{};                    ///< of an image without a file
};
struct Thumbnailed {
    std::filesystem::path path;
    std::shared_ptr<const Image> thumbnail; ///< null: the file cannot be read
    std::string damage{};                   ///< LoadedImage::damage
};
struct Previewed {
    std::shared_ptr<const LoadedImage> image;
    std::size_t preset = 0;               ///< index in the document's PresetList
    std::shared_ptr<const Image> preview; ///< RGBA u8; null: the preset does not suit the image
    std::uint64_t version = 0;            ///< the list's version
};
struct Saved {
    std::filesystem::path path;
    std::string note;                           ///< "16 to 8 bit" and the like; may be empty
    std::shared_ptr<const LoadedImage> image{}; ///< the image it is an export of
};
struct Wrote { ///< a text file
    std::filesystem::path path;
    std::string note{}; ///< as in Saved
};
struct Copied {
    std::shared_ptr<const std::string> png; ///< a file
    std::string note;                       ///< as of Saved
};
/// The kernel of two that an edit concerns; empty = the whole step.
using OfTwo = std::optional<std::size_t>;
struct KernelRead {
    std::filesystem::path path;
    std::shared_ptr<const Kernel> kernel; ///< null: the file has a recipe
    std::optional<Recipe> recipe{};
    OfTwo of_two{};
};
struct Probed {
    std::shared_ptr<const Result> result;
    std::int64_t x = 0, y = 0;
    std::vector<double> values; ///< the result's samples at (x, y), as stored
};
/// The stored numbers of a region of a result.
struct RegionRead {
    std::uint64_t stamp = 0; ///< the result's stamp
    Rect region;
    std::shared_ptr<const Image> pixels;
};
struct Counted {
    std::shared_ptr<const Result> result;
    std::optional<Clipping> clipping; ///< empty = not enough memory to count
};
struct Failed {
    enum class What { filtering, opening, saving, probing };
    What what = What::filtering;
    Error error;
    std::uint64_t serial = 0;     ///< the failed job
    std::filesystem::path path{}; ///< image that could not be opened
};
using Event = std::variant<std::shared_ptr<const Result>, Opened, Thumbnailed, Previewed, Saved, Wrote,
                           Copied, KernelRead, Probed, RegionRead, Counted, Failed>;

} // namespace kg
