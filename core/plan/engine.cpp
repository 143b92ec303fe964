#include "core/plan/engine.hpp"

#include "core/support/error.hpp"

namespace kg {

namespace {
constexpr std::size_t kRowAlignment = 256;
}

BufferView BufferView::crop(const Rect& part) const {
    if (!covers.contains(part)) throw Error("crop() reaches outside the view");
    auto sub = *this;
    sub.offset += static_cast<std::size_t>(part.y - covers.y) * pitch +
                  static_cast<std::size_t>(part.x - covers.x) * bytes_per_pixel(format);
    sub.covers = part;
    return sub;
}

std::size_t BufferView::size_in_bytes() const { return pitch * static_cast<std::size_t>(covers.height); }

std::size_t buffer_pitch(std::int64_t width, const PixelFormat& format) {
    const auto row = static_cast<std::size_t>(width) * bytes_per_pixel(format);
    return (row + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
}

BufferView allocate_view(Engine& engine, const PixelFormat& format, const Rect& covers, BufferKind kind) {
    BufferView view{nullptr, 0, buffer_pitch(covers.width, format), format, covers};
    std::size_t total = 0;
    if (covers.empty() || __builtin_mul_overflow(view.pitch, static_cast<std::size_t>(covers.height), &total))
        throw Error("a buffer must hold at least one pixel and fit the address space");
    view.memory = engine.allocate(total, kind);
    return view;
}

void check_transfer(const ConstImageView& host, const BufferView& buffer) {
    const Extent size{buffer.covers.width, buffer.covers.height};
    if (host.format.depth != buffer.format.depth || host.format.channels != buffer.format.channels ||
        host.size != size)
        throw Error("a transfer needs images of the same size, depth and channels on both sides");
}

Rect source_rect(const Stage& stage, Border border, Extent size, const Rect& output) {
    const auto r = reach(stage);
    const auto x = border_span(border, {output.x - r.left, output.right() + r.right}, size.width);
    const auto y = border_span(border, {output.y - r.up, output.bottom() + r.down}, size.height);
    return {x.begin, y.begin, x.end - x.begin, y.end - y.begin};
}

} // namespace kg
