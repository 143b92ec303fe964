#pragma once
// What A and B of the view may show: the original, the result, or another result of the same image.

#include "core/image/border.hpp"

#include <string>

namespace kg {

/// Empty strings select automatically: the engine that suits best, and its cheapest algorithm.
struct Selection {
    std::string engine, algorithm;
    bool operator==(const Selection&) const = default;
};

struct ViewSource {
    enum class Kind {
        original,
        result,
        algorithm, ///< the shown steps by `selection`: an algorithm, the reference or another library
        border,    ///< the shown steps with `border`
    };
    Kind kind = Kind::result;
    Selection selection{};
    Border border = Border::zero;

    /// Whether it is computed beside the result.
    bool is_computed() const { return kind == Kind::algorithm || kind == Kind::border; }
    bool operator==(const ViewSource&) const = default;
};

/// An entry of the list behind A and B.
struct SourceChoice {
    ViewSource source;
    /// `why_not` is empty where the source can be shown.
    std::string title, why_not;
};

/// "Original", "Result", "Border zero", "tiled (cuda)".
std::string title(const ViewSource& source);

} // namespace kg
