#pragma once
// What the window shows, as one value: pixels, size, parameters, reason and timings belong together and swap at once.

#include "app/io/image_file.hpp"
#include "app/process/clipping.hpp"
#include "core/image/opaque.hpp"
#include "core/plan/planner.hpp"
#include "filters/recipe.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kg {

/// Where a person looks while something is computed: that comes first.
struct Focus {
    Extent picture;            ///< the rest is about one of this size
    Extent view;               ///< framebuffer pixels
    Rect visible;              ///< of the picture
    std::int64_t x = 0, y = 0; ///< the pixel under the cursor, else the middle of what is seen
    double zoom = 1;           ///< framebuffer pixels per pixel
};

/// What is there of a result before all of it is. Its pixels are exact: those of the whole result, byte for byte or by the same
/// rule (semantics 11 and 12), never a filter of a smaller picture.
struct Preview {
    int every = 1;               ///< only every n-th pixel of every n-th row is there
    Rect part;                   ///< of the picture: outside nothing is there
    std::vector<Rect> changed{}; ///< of the result's buffer, since the preview before

    bool operator==(const Preview&) const = default;
};

/// One thing to compute for the screen.
struct Job {
    std::uint64_t serial = 0; ///< grows with every job
    std::shared_ptr<Engine> engine;
    std::shared_ptr<Engine> fallback{}; ///< as in EngineChoice
    std::shared_ptr<const Picture> picture;
    ImageRequest request;
    std::string algorithm;        ///< forced; empty = auto
    std::optional<Focus> focus{}; ///< empty: no preview is wanted
    std::chrono::steady_clock::time_point posted = std::chrono::steady_clock::now();
};

struct Result {
    Job job;                          ///< its engine is the one that computed
    std::uint64_t stamp = 0;          ///< grows with every result, also of the same job
    std::optional<Preview> preview{}; ///< empty: this is the whole result. A preview's times are no result's
    std::shared_ptr<Engine>
        home; ///< whose buffers they are: job.engine's, or a host's if it was computed in parts
    BufferView source,
        pixels; ///< of the whole picture (of a preview, every n-th of n rows); they stay for the display
    Completion ready;              ///< of `pixels`; already done
    bool opaque = false;           ///< alpha is full everywhere, so that for_opaque(job.request) was computed
    std::string algorithm, reason; ///< what ran, and why
    std::string notice;            ///< why a forced algorithm was not used; empty = all as asked
    std::string detour;            ///< why it was computed in parts, or by the fallback; empty = neither
    double upload_us = 0;          ///< of the picture; 0 if it was on the engine already
    double filter_us = 0;
    double total_us = 0; ///< from the edit to the result

    /// That was computed.
    ImageRequest request() const { return opaque ? for_opaque(job.request) : job.request; }

    /// Where pixel (x, y) of the picture lies in `pixels`, if it is there.
    std::optional<Rect> place_of(std::int64_t x, std::int64_t y) const {
        const auto n = preview ? preview->every : 1;
        if (preview && (!preview->part.contains({x, y, 1, 1}) || x % n != 0 || y % n != 0)) return {};
        return Rect{x / n, y / n, 1, 1};
    }
};

// What the worker reports, in the order it happened.
struct Opened {
    std::shared_ptr<const Picture> picture;
    std::shared_ptr<const Image> thumbnail; ///< RGBA u8
    std::optional<Recipe> made_by{};        ///< the recipe that its file carries
    std::string making{}; ///< "made by Kernelglass 1.0 with gaussian"; empty = nothing is said
};
struct Thumbnailed {
    std::filesystem::path path;
    std::shared_ptr<const Image> thumbnail; ///< null: the file cannot be read
};
struct Previewed {
    std::shared_ptr<const Picture> picture;
    std::size_t preset = 0;               ///< its place in presets()
    std::shared_ptr<const Image> preview; ///< RGBA u8; null: the preset does not suit the picture
};
struct Saved {
    std::filesystem::path path;
    std::string note;                         ///< "16 to 8 bit" and the like; may be empty
    std::shared_ptr<const Picture> picture{}; ///< that it is the export of
};
struct Wrote { ///< a text, where a person wanted it
    std::filesystem::path path;
};
struct Probed {
    std::shared_ptr<const Result> result;
    std::int64_t x = 0, y = 0;
    std::vector<double> values; ///< the result's samples at (x, y), as stored
};
struct Counted {
    std::shared_ptr<const Result> result;
    std::optional<Clipping> clipping; ///< empty: there was not enough memory to count
};
struct Failed {
    enum class What { filtering, opening, saving, probing };
    What what = What::filtering;
    std::string sentence;
    std::uint64_t serial = 0;     ///< of the job that failed
    std::filesystem::path path{}; ///< of the picture that could not be opened
};
using Event = std::variant<std::shared_ptr<const Result>, Opened, Thumbnailed, Previewed, Saved, Wrote,
                           Probed, Counted, Failed>;

} // namespace kg
