#include "core/plan/engine.hpp"

#include "core/plan/plans_in_use.hpp"
#include "core/support/error.hpp"

#include <limits>

namespace kg {

namespace {
constexpr std::size_t kBufferRowAlignment = 256;

std::size_t aligned_row(std::size_t bytes) {
    return (bytes + kBufferRowAlignment - 1) / kBufferRowAlignment * kBufferRowAlignment;
}

[[noreturn]] void refuse_tensors() {
    throw Error("no-tensors", "this engine computes images alone; the engine cpu computes signals and banks");
}

} // namespace

Engine::Engine() : plans_in_use_(std::make_shared<PlansInUse>()) {}

const CostCorrections& Engine::cost_corrections() const {
    static const CostCorrections none;
    return none;
}

void Queue::upload_tensor(const ConstTensorView&, const BufferView&) { refuse_tensors(); }
void Queue::download_tensor(const BufferView&, const TensorView&) { refuse_tensors(); }

BufferView BufferView::crop(const Rect& part) const {
    if (!covers.contains(part)) throw Error("outside-view", "crop() reaches outside the view");
    auto sub = *this;
    sub.offset += static_cast<std::size_t>(part.y - covers.y) * pitch +
                  static_cast<std::size_t>(part.x - covers.x) *
                      (tensor ? tensor->column_stride : bytes_per_pixel(format));
    sub.covers = part;
    return sub;
}

std::size_t BufferView::size_in_bytes() const {
    const auto rows = pitch * static_cast<std::size_t>(covers.height);
    if (!tensor) return rows;
    // Interleaved channels lie within the rows, planes one behind the other.
    const auto last_channel = static_cast<std::size_t>(tensor->channels - 1) * tensor->channel_stride;
    return tensor->channel_stride < tensor->column_stride ? rows : last_channel + rows;
}

std::size_t buffer_pitch(std::int64_t width, const PixelFormat& format) {
    return aligned_row(static_cast<std::size_t>(width) * bytes_per_pixel(format));
}

BufferView allocate_view(Engine& engine, const PixelFormat& format, const Rect& covers, BufferKind kind) {
    BufferView view{nullptr, 0, buffer_pitch(covers.width, format), format, covers};
    std::size_t total = 0;
    if (covers.empty() || __builtin_mul_overflow(view.pitch, static_cast<std::size_t>(covers.height), &total))
        throw Error("bad-buffer-size", "a buffer must hold at least one pixel and fit the address space");
    view.memory = engine.allocate(total, kind);
    return view;
}

BufferView allocate_tensor(Engine& engine, Element element, std::int64_t channels, const Rect& covers,
                           BufferKind kind) {
    std::size_t row = 0, plane = 0, total = 0;
    if (covers.empty() || channels < 1 ||
        __builtin_mul_overflow(bytes(element), static_cast<std::size_t>(covers.width), &row) ||
        row > std::numeric_limits<std::size_t>::max() - kBufferRowAlignment ||
        __builtin_mul_overflow(aligned_row(row), static_cast<std::size_t>(covers.height), &plane) ||
        __builtin_mul_overflow(plane, static_cast<std::size_t>(channels), &total))
        throw Error("impossible-size", "a tensor must hold at least one number and fit the address space");
    return {engine.allocate(total, kind),
            0,
            aligned_row(row),
            {},
            covers,
            TensorFormat{element, channels, bytes(element), plane}};
}

void check_transfer(const ConstImageView& host, const BufferView& buffer) {
    const Extent size{buffer.covers.width, buffer.covers.height};
    if (buffer.tensor || host.format.depth != buffer.format.depth ||
        host.format.channels != buffer.format.channels || host.size != size)
        throw Error("image-mismatch",
                    "a transfer needs images of the same size, depth and channels on both sides");
}

void check_tensor_transfer(const ConstTensorView& host, const BufferView& buffer) {
    const Extent size{buffer.covers.width, buffer.covers.height};
    if (!buffer.tensor || host.format.element != buffer.tensor->element ||
        host.format.channels != buffer.tensor->channels || host.size != size)
        throw Error("tensor-mismatch",
                    "a transfer needs tensors of the same size, type and channels on both sides");
}

Rect source_rect(const Stage& stage, Border border, Extent size, const Rect& output) {
    const auto r = reach(stage);
    const auto x = border_span(border, {output.x - r.left, output.right() + r.right}, size.width);
    const auto y = border_span(border, {output.y - r.up, output.bottom() + r.down}, size.height);
    return {x.begin, y.begin, x.end - x.begin, y.end - y.begin};
}

} // namespace kg
