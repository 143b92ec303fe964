// From any engine to a texture through host memory. The engine downloads on its own time line into staging memory; the
// GL thread uploads from there once that is done, so it never waits for pixels to be computed or to travel.

#include "core/elapsed.hpp"
#include "display/hand_off.hpp"
#include "display/packing.hpp"
#include "display/picture_texture.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <vector>

namespace kg::display {

namespace {

using Clock = std::chrono::steady_clock;

/// Rows of the picture in host memory, tightly packed: GL's unpack state cannot say every engine's pitch.
struct Piece {
    Rect texels;
    BufferView source; ///< only the rows that are shown
    ImageView rows;
};

struct Download {
    Frame frame; ///< keeps engine and source alive
    Fit fit;
    std::vector<Piece> pieces;
    Completion done;
};

/// The rows behind these texels, as a picture of its own. Nothing else of a picture over the limit needs to travel.
BufferView shown_rows(const BufferView& pixels, const Fit& fit, const Rect& texels) {
    const std::int64_t n = fit.reduction;
    const auto width = (texels.width - 1) * n + 1, height = (texels.height - 1) * n + 1;
    auto rows = pixels.crop({pixels.covers.x + texels.x * n, pixels.covers.y + texels.y * n, width, height});
    rows.pitch *= static_cast<std::size_t>(n);
    rows.covers = {0, 0, width, texels.height};
    return rows;
}

template <typename Sample>
void pack_rows(const ConstImageView& rows, const Packing& packing, std::int64_t first, std::int64_t count,
               std::int64_t width, std::vector<std::byte>& texels) {
    texels.resize(static_cast<std::size_t>(count * width) * 4 * sizeof(Sample));
    auto* to = reinterpret_cast<Sample*>(texels.data());
    const auto stride = static_cast<std::ptrdiff_t>(packing.step) * packing.channels;
    const auto channel = [packing](const Sample* pixel, int c) { return texel_sample(pixel, packing, c); };
    for (std::int64_t y = first; y < first + count; ++y) {
        const auto* from = rows.row<Sample>(y);
        for (std::int64_t x = 0; x < width; ++x, from += stride, to += 4) {
            to[0] = channel(from, 0),
            to[1] = channel(from, 1); // written out: twice as fast as a loop over four
            to[2] = channel(from, 2), to[3] = channel(from, 3);
        }
    }
}

void pack(const ConstImageView& rows, const Packing& packing, std::int64_t first, std::int64_t count,
          std::int64_t width, std::vector<std::byte>& texels) {
    switch (rows.format.depth) {
    case Depth::u8: return pack_rows<std::uint8_t>(rows, packing, first, count, width, texels);
    case Depth::u16: return pack_rows<std::uint16_t>(rows, packing, first, count, width, texels);
    case Depth::f16: return pack_rows<Half>(rows, packing, first, count, width, texels);
    case Depth::f32: return pack_rows<float>(rows, packing, first, count, width, texels);
    }
}

void upload_band(GLuint texture, GLenum type, const Rect& texels, const void* from) {
    glTextureSubImage2D(texture, 0, static_cast<GLint>(texels.x), static_cast<GLint>(texels.y),
                        static_cast<GLsizei>(texels.width), static_cast<GLsizei>(texels.height), GL_RGBA,
                        type, from);
}

/// Texels that are not the pixels as they are go through a band that stays in cache.
void upload(const Piece& piece, int reduction, GLuint texture) {
    constexpr std::size_t kBandBytes = std::size_t{1} << 20;
    const ConstImageView rows = piece.rows;
    const auto& [left, top, width, height] = piece.texels;
    const auto packing = Packing::of(rows.format, reduction);
    const auto type = TexelFormat::of(rows.format.depth).type;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (const auto state : {GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS})
        glPixelStorei(state, 0);
    if (packing.is_identity()) {
        upload_band(texture, type, piece.texels, rows.data);
    } else {
        const auto texel_row = static_cast<std::size_t>(width) * 4 * bytes(rows.format.depth);
        const auto band = std::max<std::int64_t>(1, static_cast<std::int64_t>(kBandBytes / texel_row));
        std::vector<std::byte> texels;
        for (std::int64_t y = 0; y < height; y += band) {
            const auto count = std::min(band, height - y);
            pack(rows, packing, y, count, width, texels);
            upload_band(texture, type, {left, top + y, width, count}, texels.data());
        }
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4); // GL's own default, which other code may count on
}

class HostUpload final : public HandOff {
public:
    HostUpload(std::int64_t texture_limit, std::function<void()> wake)
        : limit_(texture_limit), wake_(std::move(wake)) {}

    ~HostUpload() override {
        if (!download_) return;
        try {
            download_->done.wait(); // the engine still writes into our staging memory
        } catch (...) {             // a result that failed: nobody is left to show it to
        }
    }

    void present(Frame frame) override {
        if (waiting_) frame.changed = changed_by_both(waiting_->pixels.memory, waiting_->changed, frame);
        waiting_ = std::move(frame);
        begin_download();
    }

    bool poll() override {
        if (!download_ || !download_->done.ready()) return false;
        const auto arrived = std::move(*download_);
        download_.reset();
        const bool shows = show(arrived);
        begin_download();
        return shows;
    }

    GLuint texture() const override { return texture_.id(); }
    const Shown& shown() const override { return shown_; }
    std::optional<HandOffTimes> take_times() override { return take_first(times_); }

private:
    void begin_download() {
        if (download_ || !waiting_) return;
        Download next{std::move(*waiting_), {}, {}, {}};
        waiting_.reset();
        const auto& pixels = next.frame.pixels;
        next.fit = Fit::of({pixels.covers.width, pixels.covers.height}, limit_);
        if (engine_ != next.frame.engine) {
            queue_.reset();
            staging_.reset();
            engine_ = next.frame.engine;
            queue_ = engine_->queue(Priority::high);
        }
        std::size_t needed = 0;
        std::vector<std::size_t> places;
        for (const auto& texels : texels_of(next.frame, next.fit)) {
            auto source = shown_rows(pixels, next.fit, texels);
            const auto row = static_cast<std::size_t>(source.covers.width) * bytes_per_pixel(source.format);
            const Extent size{source.covers.width, source.covers.height};
            places.push_back(needed);
            needed += (row * static_cast<std::size_t>(size.height) + kPieceAlignment - 1) / kPieceAlignment *
                      kPieceAlignment;
            next.pieces.push_back({texels, source, {nullptr, row, size, source.format}});
        }
        if (!staging_ || staging_->size() < needed) {
            staging_.reset(); // before the new one: pinned memory is scarce
            staging_ = engine_->allocate(needed, BufferKind::staging);
        }
        queue_->after(next.frame.ready);
        queue_->mark("download");
        for (std::size_t i = 0; i < places.size(); ++i) {
            next.pieces[i].rows.data = staging_->host() + places[i];
            queue_->download(next.pieces[i].source, next.pieces[i].rows);
        }
        next.done = queue_->fence(wake_);
        download_ = std::move(next);
    }

    bool show(const Download& arrived) {
        if (!computed(arrived.frame)) return false;
        arrived.done.wait();
        const auto began = Clock::now();
        const auto& frame = arrived.frame;
        const auto depth = frame.pixels.format.depth;
        if (!texture_.fits(arrived.fit.size, depth))
            texture_ = PictureTexture(arrived.fit.size, depth, frame.changed.empty());
        for (const auto& piece : arrived.pieces) upload(piece, arrived.fit.reduction, texture_.id());
        shown_ = shown_of(frame, arrived.fit);
        auto downloads = arrived.done.report().spans;
        double download_us = 0;
        for (const auto& span : downloads) download_us += span.microseconds;
        const auto texture_us = microseconds_since(began);
        times_.push_back(
            {frame.serial, download_us, texture_us, std::move(downloads), {{"texture", texture_us}}});
        return true;
    }

    static constexpr std::size_t kPieceAlignment = 64; // bytes, enough for every depth

    std::int64_t limit_;
    std::function<void()> wake_;
    std::shared_ptr<Engine> engine_; // before its queue and buffers
    std::shared_ptr<Buffer> staging_;
    std::unique_ptr<Queue> queue_;
    std::optional<Frame> waiting_;
    std::optional<Download> download_;
    PictureTexture texture_;
    Shown shown_;
    std::deque<HandOffTimes> times_;
};

} // namespace

std::unique_ptr<HandOff> make_host_upload(std::int64_t texture_limit, std::function<void()> wake) {
    return std::make_unique<HostUpload>(texture_limit, std::move(wake));
}

} // namespace kg::display
