#pragma once
// What the processor draws: the colour of each framebuffer pixel of the view, by the rules of
// shaders/show.frag.

#include "display/pass/viewed_image.hpp"

#include <cstdint>
#include <functional>

namespace kg::display {

class PassScene {
public:
    /// The arguments must outlive the object.
    PassScene(Extent view, const ViewedImage& a, const ViewedImage& b, const PassImage& image_b,
              const PassSettings& settings);
    /// Draws a row of the view, RGBA of 8 bits.
    void draw(std::int64_t y, std::uint32_t* row) const;

private:
    using Line = ViewedImage::Line;
    /// A region of the view that shows one image, by its columns and rows.
    struct Side {
        const ViewedImage& image;
        ViewedImage::Lines columns, rows;
        ViewedImage::Lines around_columns, around_rows; ///< of a, with its padding; empty = no padding
    };

    using Position = std::function<double(double)>;
    Side side_of(const ViewedImage& image, const Position& x_of, const Position& y_of) const;
    Side side_of_a(const ViewedImage& b) const;
    Side side_of_b(const ViewedImage& b) const;
    Colour behind(std::int64_t x, std::int64_t y) const;
    Colour hatching(std::int64_t x, std::int64_t y) const;
    Colour with_grid(Colour c, const Line& column, const Line& row) const;
    Colour over_checker(Colour c, std::int64_t x, std::int64_t y) const;
    Colour one(const Side& side, std::int64_t x, std::int64_t y) const;
    Colour around(const Side& side, std::int64_t x, std::int64_t y) const;
    Colour difference(std::int64_t x, std::int64_t y) const;
    void draw(const Side& side, std::int64_t y, std::int64_t begin, std::int64_t end,
              std::uint32_t* row) const;
    std::uint32_t quick(const Side& side, std::int64_t x, std::int64_t y) const;

    const PassSettings& settings_;
    const ViewedImage& a_;
    Extent view_;
    float grid_;
    bool plain_; ///< no setting changes a colour within an image
    Colour surround_, hatch_;
    Side left_, right_; ///< a and b; of a difference, a at the pixels that b's squares represent
    /// The columns of the line between a and b; a is left of it, b right of it.
    std::int64_t line_begin_ = 0, line_end_ = 0;
};

} // namespace kg::display
