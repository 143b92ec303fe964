#pragma once
// What the response of a kernel means for an image: numbers that a plot shows, and a message about each.

#include "filters/kernel/response.hpp"

#include <string>

namespace kg {

/// What becomes of details, by their period in pixels.
struct DetailEffect {
    enum class Kind {
        keeps,       ///< every period, to within a tenth of the mean over all directions
        removes,     ///< periods up to `pixels` to a tenth in the mean, and a fifth in every direction
        weakens,     ///< to less than nine tenths in the mean, and those of 2 pixels to `factor`
        strengthens, ///< periods up to `pixels` by more than a tenth in the mean, in some up to `factor`
        selects,     ///< constant areas become 0; about `pixels` are strongest, in some up to `factor`
        nothing,     ///< all weights are 0
    };
    Kind kind = Kind::nothing;
    double pixels = 0, factor = 0;
};
DetailEffect detail_effect(const Response& response);

/// What becomes of an edge.
struct EdgeEffect {
    bool is_line = false; ///< constant areas become 0: the edge becomes a line
    int pixels = 0;       ///< width between a tenth and nine tenths; of a line, where it is above a tenth
    double overshoot = 0; ///< beyond the brighter side, relative to the height of the edge
};
EdgeEffect edge_effect(const Response& response);

std::string detail_text(const Response& response);
std::string radial_text(const Response& response);
std::string edge_text(const Response& response);
std::string noise_text(const Response& response);
std::string impulse_text(const Response& response);

} // namespace kg
