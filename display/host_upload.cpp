// From any engine to a texture through host memory. The engine downloads on its own time line into staging memory; the
// GL thread uploads from there once that is done, so it never waits for pixels to be computed or to travel.

#include "core/support/elapsed.hpp"
#include "display/hand_off.hpp"
#include "display/picture_texture.hpp"
#include "display/upload_rows.hpp"

#include <array>
#include <chrono>
#include <deque>
#include <exception>
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

/// Memory is kept for results of one size and depth.
struct Kind {
    Extent size; ///< of the whole picture
    Depth depth = Depth::u8;
    bool operator==(const Kind&) const = default;
};

struct Download {
    Frame frame; ///< keeps engine and source alive
    Fit fit;
    Kind kind;
    std::shared_ptr<PictureTexture> texture; ///< where it goes
    std::vector<Piece> pieces;
    Completion done;
    bool wanted = true; ///< false: it is only under way because it cannot be called back
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
        failure_ = nullptr;
        if (waiting_) frame.changed = changed_by_both(waiting_->pixels.memory, waiting_->changed, frame);
        waiting_ = std::move(frame);
        begin_download();
    }

    bool ready() override {
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        if (forget_unwanted()) begin_download();
        return download_ && download_->wanted && download_->done.ready();
    }

    bool poll() override {
        if (!ready()) return false;
        const auto arrived = std::move(*download_);
        download_.reset();
        const bool shows = show(arrived);
        try {
            begin_download();
        } catch (...) { // of the next one: this one is there
            if (!shows) throw;
            failure_ = std::current_exception();
        }
        return shows;
    }

    void rest() override {
        waiting_.reset();
        failure_ = nullptr;
        if (download_) download_->wanted = false;
        forget_unwanted();
    }

    void release() override {
        textures_ = {};
        texture_.reset();
        shown_ = {};
        if (!download_) staging_.reset();
    }

    GLuint texture() const override { return texture_ ? texture_->id() : 0; }
    const Shown& shown() const override { return shown_; }
    std::optional<HandOffTimes> take_times() override { return take_first(times_); }
    std::optional<DrawTimer::Drawn> take_gl_time() override { return timer_.take(); }

private:
    bool forget_unwanted() {
        if (!download_ || download_->wanted || !download_->done.ready()) return false;
        download_.reset();
        return true;
    }

    void begin_download() {
        if (download_ || !waiting_) return;
        Download next{std::move(*waiting_), {}, {}, {}, {}, {}};
        waiting_.reset();
        const auto& pixels = next.frame.pixels;
        next.fit = Fit::of({pixels.covers.width, pixels.covers.height}, limit_);
        next.kind = {shown_of(next.frame, next.fit).size, pixels.format.depth};
        next.texture = texture_for(next);
        lay_out(next);
        try {
            queue_->after(next.frame.ready);
            queue_->mark("download");
            for (const auto& piece : next.pieces) queue_->download(piece.source, piece.rows);
            next.done = queue_->fence(wake_);
        } catch (...) {
            wait_out(std::move(next));
            throw;
        }
        download_ = std::move(next);
    }

    /// Where the pieces go in staging memory, which is there afterwards, as the queue is.
    void lay_out(Download& next) {
        const auto& pixels = next.frame.pixels;
        if (engine_ != next.frame.engine) {
            queue_.reset();
            staging_.reset();
            engine_.reset();
            queue_ = next.frame.engine->queue(Priority::high);
            engine_ = next.frame.engine;
        }
        if (staged_ != next.kind) staging_.reset(); // a smaller picture needs less
        staged_ = next.kind;
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
        for (std::size_t i = 0; i < places.size(); ++i)
            next.pieces[i].rows.data = staging_->host() + places[i];
    }

    /// After a failure in the middle: what was begun still writes into staging memory, and must not be written over.
    void wait_out(Download failed) {
        failed.wanted = false;
        try {
            failed.done = queue_->fence(wake_);
            download_ = std::move(failed);
        } catch (...) {
            queue_.reset(); // waits
            engine_.reset();
        }
    }

    /// Samples of a picture take turns with the whole of it: each of the two has its own.
    std::shared_ptr<PictureTexture>& texture_of(const Frame& frame) {
        return textures_[frame.every > 1 ? 1 : 0];
    }

    std::shared_ptr<PictureTexture> texture_for(const Download& next) {
        const auto depth = next.frame.pixels.format.depth;
        const auto& kept = texture_of(next.frame);
        if (kept && kept->fits(next.fit.size, depth)) return kept;
        return std::make_shared<PictureTexture>(next.fit.size, depth, next.frame.changed.empty());
    }

    bool show(const Download& arrived) {
        if (!computed(arrived.frame)) return false;
        arrived.done.wait();
        const auto began = Clock::now();
        const auto& frame = arrived.frame;
        timer_.time(frame.serial, [&] {
            for (const auto& piece : arrived.pieces)
                upload_rows(piece.rows, arrived.fit.reduction, piece.texels, arrived.texture->id());
        });
        glFlush(); // else the time would hold what the window does until then
        if (kind_ != arrived.kind) textures_ = {};
        kind_ = arrived.kind;
        texture_ = texture_of(frame) = arrived.texture;
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
    std::exception_ptr failure_;                              // to be told with the next call
    std::array<std::shared_ptr<PictureTexture>, 2> textures_; // of the whole, of samples
    std::shared_ptr<PictureTexture> texture_;                 // the one on the screen
    Kind kind_, staged_;                                      // of the textures, of the staging memory
    Shown shown_;
    std::deque<HandOffTimes> times_;
    DrawTimer timer_;
};

} // namespace

std::unique_ptr<HandOff> make_host_upload(std::int64_t texture_limit, std::function<void()> wake) {
    return std::make_unique<HostUpload>(texture_limit, std::move(wake));
}

} // namespace kg::display
