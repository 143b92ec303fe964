#pragma once
// A step of a recipe in other libraries: text to paste, and where its result would differ.

#include "filters/recipe.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// `python` and `kernelglass` are this program, called from Python and from a shell.
enum class Library : std::uint8_t { opencv, scipy, numpy, pytorch, python, kernelglass };
inline constexpr std::array kLibraries{Library::opencv,  Library::scipy,  Library::numpy,
                                       Library::pytorch, Library::python, Library::kernelglass};
std::string_view title(Library library); ///< "OpenCV"

/// What the translation depends on beside the step.
struct SnippetContext {
    Border border = Border::reflect101;
    PixelFormat image{};
    Light light = Light::stored;
    AlphaMode alpha = AlphaMode::premultiplied;
    SignedMode sign = SignedMode::clamp;
    std::string channels{}; ///< as in a recipe; empty = all
    BorderColour border_colour{};

    static SnippetContext of(const Recipe& recipe, const PixelFormat& image) {
        return {recipe.border, image,           recipe.light,        recipe.alpha,
                recipe.sign,   recipe.channels, recipe.border_colour};
    }
};

/// In Python, a function `filtered(image)` of a NumPy array: rows x columns, or rows x columns x channels, of
/// the image's depth. The kernel is a correlation there; a flipped one is listed rotated. For the shell, a
/// command. Kernels above kMostTyped weights that are not separable are read from kernel.npy, by this program
/// from kernel.json. Throws Error if the step is invalid.
std::string snippet(Library library, const Step& step, const SnippetContext& context);
inline constexpr std::size_t kMostTyped = 4225; ///< 65 x 65

/// What the snippet for another library computes, as a recipe: the step alone, of the stored numbers, alpha
/// as one more channel, 0 outside instead of the colour of border `constant`, negative results clamped.
Recipe snippet_recipe(const Step& step, Border border);

/// A difference between the snippet's result and the program's, or between the snippet and the shortest call
/// to write it in that library.
struct LibraryNote {
    std::string_view code; ///< "rounding", "no-wrap", "integers" and the like
    std::string text;
};
std::vector<LibraryNote> library_notes(Library library, const Stage& stage, const SnippetContext& context);

} // namespace kg
