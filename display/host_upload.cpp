// From any engine to a texture through host memory. The engine downloads on its own time line into staging memory; the
// GL thread uploads from there once that is done, so it never waits for pixels to be computed or to travel.

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
struct Download {
    Frame frame; ///< keeps engine and source alive
    Fit fit;
    ImageView rows; ///< full width, only the rows that are shown
    Completion done;
};

/// The rows that are shown, as a picture of its own. Nothing else of a picture over the limit needs to travel.
BufferView shown_rows(const BufferView& pixels, const Fit& fit) {
    auto rows = pixels;
    rows.pitch *= static_cast<std::size_t>(fit.reduction);
    rows.covers = {0, 0, pixels.covers.width, fit.size.height};
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

void upload_band(GLuint texture, GLenum type, std::int64_t first, std::int64_t count, std::int64_t width,
                 const void* texels) {
    glTextureSubImage2D(texture, 0, 0, static_cast<GLint>(first), static_cast<GLsizei>(width),
                        static_cast<GLsizei>(count), GL_RGBA, type, texels);
}

/// Texels that are not the pixels as they are go through a band that stays in cache.
void upload(const ConstImageView& rows, const Fit& fit, GLuint texture) {
    constexpr std::size_t kBandBytes = std::size_t{1} << 20;
    const auto packing = Packing::of(rows.format, fit.reduction);
    const auto type = TexelFormat::of(rows.format.depth).type;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (const auto state : {GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS})
        glPixelStorei(state, 0);
    if (packing.is_identity()) {
        upload_band(texture, type, 0, fit.size.height, fit.size.width, rows.data);
    } else {
        const auto texel_row = static_cast<std::size_t>(fit.size.width) * 4 * bytes(rows.format.depth);
        const auto band = std::max<std::int64_t>(1, static_cast<std::int64_t>(kBandBytes / texel_row));
        std::vector<std::byte> texels;
        for (std::int64_t y = 0; y < fit.size.height; y += band) {
            const auto count = std::min(band, fit.size.height - y);
            pack(rows, packing, y, count, fit.size.width, texels);
            upload_band(texture, type, y, count, fit.size.width, texels.data());
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
        const auto from = shown_rows(pixels, next.fit);
        const auto pitch = static_cast<std::size_t>(from.covers.width) * bytes_per_pixel(from.format);
        const auto needed = pitch * static_cast<std::size_t>(from.covers.height);
        if (!staging_ || staging_->size() < needed) {
            staging_.reset(); // before the new one: pinned memory is scarce
            staging_ = engine_->allocate(needed, BufferKind::staging);
        }
        next.rows = {staging_->host(), pitch, {from.covers.width, from.covers.height}, from.format};
        queue_->after(next.frame.ready);
        queue_->mark("download");
        queue_->download(from, next.rows);
        next.done = queue_->fence(wake_);
        download_ = std::move(next);
    }

    bool show(const Download& arrived) {
        if (!computed(arrived.frame)) return false;
        arrived.done.wait();
        const auto began = Clock::now();
        const auto& frame = arrived.frame;
        const auto depth = frame.pixels.format.depth;
        if (!texture_.fits(arrived.fit.size, depth)) texture_ = PictureTexture(arrived.fit.size, depth);
        upload(arrived.rows, arrived.fit, texture_.id());
        shown_ = {frame.serial,
                  {frame.pixels.covers.width, frame.pixels.covers.height},
                  arrived.fit.size,
                  arrived.fit.reduction,
                  frame.pixels.format};
        double download_us = 0;
        for (const auto& span : arrived.done.report().spans) download_us += span.microseconds;
        times_.push_back({frame.serial, download_us,
                          std::chrono::duration<double, std::micro>(Clock::now() - began).count()});
        return true;
    }

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
