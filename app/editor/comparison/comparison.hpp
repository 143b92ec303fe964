#pragma once
// A and B of the view: what they show beside the document's result, and numbers about them.

#include "app/editor/comparison/measurements.hpp"
#include "app/editor/comparison/pixel_query.hpp"
#include "app/editor/comparison/sides.hpp"
#include "app/editor/comparison/view_state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kg {

class Document;

/// Belongs to its document and the document's thread.
class Comparison {
public:
    static constexpr double kMostSeconds = 5; ///< time limit of one algorithm, for one pixel
    /// A reference that takes longer has its time announced before it is chosen, and while it is computed.
    static constexpr double kAnnouncedSeconds = 2;

    Comparison(const Document& document, const std::function<void()>& wake);

    /// Every source that the image on the screen may have. `why_not` is set where it does not support the
    /// steps; a few reasons are known only once it is tried.
    std::vector<SourceChoice> choices() const;
    /// The algorithms of other libraries among choices().
    const std::vector<SourceChoice>& peers() const;
    /// The image of A or B beside the document's result. Empty while it is computed, where the result is a
    /// preview, and where there is none.
    WholeImage image(std::size_t side) const;
    /// The latest numbers that were read of a computed side's image, and requests those of `wanted`; null
    /// before the first are read.
    const RegionRead* region(std::size_t side, const Rect& wanted);
    /// Why A or B has no image; empty if it has one or it is being computed.
    std::string why_not(std::size_t side) const;

    /// The estimated time of a source, "about 40 s"; empty for a short one, and for all but the reference.
    std::string announcement(const ViewSource& source) const;
    /// How much of the reference as A or B is done; empty unless it is being computed. It stops where another
    /// source is chosen, and while the result itself is computed or measured; then it begins again.
    std::optional<ReferenceProgress> progress(std::size_t side) const { return sides_.progress(side); }

    /// Whether A or B shows an image that is computed beside the result.
    bool computes(std::size_t side) const;

    /// Counts the original and the whole result on the screen.
    Measured<Histograms> histograms();
    /// Compares A and B.
    Measured<DifferenceNumbers> difference();

    /// Why nothing is computed now beside the result; empty if it is.
    std::string why_not_now() const;
    /// Computes a pixel of the result by every library, and by every algorithm that can run and is predicted
    /// to take less than kMostSeconds. It ends when another pixel is read. Nothing happens while there is a
    /// why_not_now().
    void compute_pixel(std::int64_t x, std::int64_t y);
    void stop_pixel() { pixel_query_.forget(); }
    /// What is known of this pixel of the result on the screen.
    PixelResults pixel_results(std::int64_t x, std::int64_t y) const;

    /// Called by the document: requests what A and B lack, and takes what has been computed. True if
    /// something changed.
    bool update();
    bool busy() const { return sides_.busy() || measurements_.busy() || pixel_query_.busy(); }

private:
    /// The recipe of a source that has one of its own; else the shown recipe. Throws Error.
    Recipe recipe_of(const ViewSource& source) const;
    void want(std::size_t side, const Recipe& recipe);
    std::string snippet_algorithm(Library library, const ImageRequest& request) const;

    /// What A or B was requested for.
    struct Wanted {
        ViewSource source{};
        std::uint64_t stamp = 0; ///< stamp of the document's result
        Recipe recipe{};         ///< recipe of a source that has one of its own
        bool operator==(const Wanted&) const = default;
    };

    const Document& document_;
    Sides sides_;
    std::array<Wanted, kSides> wanted_;
    Measurements measurements_;
    PixelQuery pixel_query_;
    /// What other libraries answered to the request of the result on the screen.
    struct Peers {
        std::uint64_t stamp = 0;
        std::size_t engines = 0; ///< their number
        std::vector<SourceChoice> choices{};
    };
    mutable Peers peers_;
};

} // namespace kg
