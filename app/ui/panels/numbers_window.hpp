#pragma once
// A small image whose samples are edited as numbers.

#include "app/editor/document/document.hpp"

#include <array>
#include <cstddef>

namespace kg::ui {

class NumbersWindow {
public:
    /// Opens the window, and its image in the document.
    void open(Document& document);
    /// The window "Image of numbers##numbers" while it is open; Escape and its button close it. Each edit
    /// opens the changed image.
    void draw(Document& document);

private:
    static constexpr std::size_t kSide = 8; ///< width and height
    using Samples = std::array<double, kSide * kSide>;

    bool draw_samples();
    void show(Document& document) const;

    Samples samples_ = square();
    bool open_ = false;

    /// A light square on a dark ground.
    static Samples square();
};

} // namespace kg::ui
