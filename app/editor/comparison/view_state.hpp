#pragma once
// How the view shows the image, and what its A and B may show: the original, the result, or another result
// of the same image.

#include "core/image/border.hpp"
#include "filters/kernel/snippets.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace kg {

/// Empty strings select automatically: the engine that suits best, and its cheapest algorithm.
struct Selection {
    std::string engine, algorithm;
    bool operator==(const Selection&) const = default;
};

/// What A or B shows.
struct ViewSource {
    enum class Kind {
        original,
        result,
        recipe,    ///< another recipe, that of `slot`
        algorithm, ///< the shown steps by `selection`: an algorithm, the reference or another library
        border,    ///< the shown steps with `border`
        step,      ///< the selected step alone
        snippet,   ///< the selected step as its snippet for `library` computes it
    };
    Kind kind = Kind::result;
    Selection selection{};
    Border border = Border::zero;
    std::size_t slot = 0; ///< index below kRecipeSlots
    Library library = Library::opencv;

    /// Whether it is computed beside the result.
    bool is_computed() const { return kind != Kind::original && kind != Kind::result; }
    /// Whether its recipe is another one than that of the result.
    bool has_recipe() const { return is_computed() && kind != Kind::algorithm; }
    bool operator==(const ViewSource&) const = default;
};

/// How the image is displayed. Zoom and position live in the view panel; nothing here is saved or undone.
struct ViewState {
    enum class Mode { result, split, side, difference };
    Mode mode = Mode::result;
    /// What A and B show.
    std::array<ViewSource, 2> sources{{{ViewSource::Kind::original, {}, {}}, {}}};
    int gain = 4;                ///< magnification of a difference
    double divider = 0.5;        ///< fraction of the view's width
    bool show_original = false;  ///< while O is held
    bool original_stays = false; ///< toggled by a tap on O; also set for a file that is shown unfiltered
};

/// An entry of the list behind A and B.
struct SourceChoice {
    ViewSource source;
    /// `why_not` is empty where the source can be shown.
    std::string title, why_not;
};

/// "Original", "Result", "Recipe B", "Border zero", "tiled (cuda)", "Selected step", "SciPy, this step".
std::string title(const ViewSource& source);

} // namespace kg
