// From any engine to a texture through host memory. The engine downloads on its own time line into staging
// memory; the GL thread uploads from there once that is done, so it never waits for computation or transfer.

#include "core/support/elapsed.hpp"
#include "display/image_texture.hpp"
#include "display/presentation.hpp"
#include "display/upload_rows.hpp"

#include <array>
#include <chrono>
#include <deque>
#include <exception>
#include <vector>

namespace kg::display {

namespace {

using Clock = std::chrono::steady_clock;

/// Rows of the image in host memory, without padding: GL's unpack state cannot express every engine's pitch.
struct Region {
    Rect texels;
    BufferView source; ///< only the rows that are shown
    ImageView rows;
};

/// Memory is kept for results of one size and depth.
struct Kind {
    Extent size; ///< size of the whole image
    Depth depth = Depth::u8;
    bool operator==(const Kind&) const = default;
};

struct Download {
    Frame frame; ///< keeps engine and source alive
    Fit fit;
    Kind kind;
    std::shared_ptr<ImageTexture> texture; ///< destination
    std::vector<Region> regions;
    Completion done;
    bool wanted = true; ///< false: obsolete, but the download in flight cannot be cancelled
};

/// The rows of these texels, as an image of its own. Other rows of an image over the limit are not
/// transferred.
BufferView shown_rows(const BufferView& pixels, const Fit& fit, const Rect& texels) {
    const std::int64_t n = fit.reduction;
    const auto width = (texels.width - 1) * n + 1, height = (texels.height - 1) * n + 1;
    auto rows = pixels.crop({pixels.covers.x + texels.x * n, pixels.covers.y + texels.y * n, width, height});
    rows.pitch *= static_cast<std::size_t>(n);
    rows.covers = {0, 0, width, texels.height};
    return rows;
}

class HostUpload final : public Presentation {
public:
    HostUpload(std::int64_t texture_limit, std::function<void()> wake)
        : limit_(texture_limit), wake_(std::move(wake)) {}

    ~HostUpload() override {
        if (!download_) return;
        try {
            download_->done.wait(); // the engine still writes into our staging memory
        } catch (...) {             // a failed result: nothing is left to show it to
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
        } catch (...) { // failure of the next result: this one is ready
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
    std::optional<PresentationTimes> take_times() override { return take_first(times_); }
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
            for (const auto& region : next.regions) queue_->download(region.source, region.rows);
            next.done = queue_->fence(wake_);
        } catch (...) {
            wait_out(std::move(next));
            throw;
        }
        download_ = std::move(next);
    }

    /// Assigns the regions places in staging memory and allocates memory and queue if necessary.
    void lay_out(Download& next) {
        const auto& pixels = next.frame.pixels;
        if (engine_ != next.frame.engine) {
            queue_.reset();
            staging_.reset();
            engine_.reset();
            queue_ = next.frame.engine->queue(Priority::high);
            engine_ = next.frame.engine;
        }
        if (staged_ != next.kind) staging_.reset(); // a smaller image needs less
        staged_ = next.kind;
        std::size_t needed = 0;
        std::vector<std::size_t> places;
        for (const auto& texels : texels_of(next.frame, next.fit)) {
            auto source = shown_rows(pixels, next.fit, texels);
            const auto row = static_cast<std::size_t>(source.covers.width) * bytes_per_pixel(source.format);
            const Extent size{source.covers.width, source.covers.height};
            places.push_back(needed);
            needed += (row * static_cast<std::size_t>(size.height) + kRegionAlignment - 1) /
                      kRegionAlignment * kRegionAlignment;
            next.regions.push_back({texels, source, {nullptr, row, size, source.format}});
        }
        if (!staging_ || staging_->size() < needed) {
            staging_.reset(); // before the new one: pinned memory is scarce
            staging_ = engine_->allocate(needed, BufferKind::staging);
        }
        for (std::size_t i = 0; i < places.size(); ++i)
            next.regions[i].rows.data = staging_->host() + places[i];
    }

    /// After a failure in the middle: the downloads already begun still write into staging memory, which must
    /// not be reused yet.
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

    /// Samples of an image alternate with the whole of it: each of the two has its own texture.
    std::shared_ptr<ImageTexture>& texture_of(const Frame& frame) {
        return textures_[frame.every > 1 ? 1 : 0];
    }

    std::shared_ptr<ImageTexture> texture_for(const Download& next) {
        const auto depth = next.frame.pixels.format.depth;
        const auto& kept = texture_of(next.frame);
        if (kept && kept->fits(next.fit.size, depth)) return kept;
        return std::make_shared<ImageTexture>(next.fit.size, depth, next.frame.changed.empty());
    }

    bool show(const Download& arrived) {
        if (!computed(arrived.frame)) return false;
        arrived.done.wait();
        const auto began = Clock::now();
        const auto& frame = arrived.frame;
        timer_.time(frame.serial, [&] {
            for (const auto& region : arrived.regions)
                upload_rows(region.rows, arrived.fit.reduction, region.texels, arrived.texture->id());
        });
        glFlush(); // otherwise the time would include the window's work until the next flush
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

    static constexpr std::size_t kRegionAlignment = 64; // bytes, enough for every depth

    std::int64_t limit_;
    std::function<void()> wake_;
    std::shared_ptr<Engine> engine_; // before its queue and buffers
    std::shared_ptr<Buffer> staging_;
    std::unique_ptr<Queue> queue_;
    std::optional<Frame> waiting_;
    std::optional<Download> download_;
    std::exception_ptr failure_;                            // reported by the next call
    std::array<std::shared_ptr<ImageTexture>, 2> textures_; // for the whole image, for samples
    std::shared_ptr<ImageTexture> texture_;                 // the one on the screen
    Kind kind_, staged_;                                    // kinds of the textures and of the staging memory
    Shown shown_;
    std::deque<PresentationTimes> times_;
    DrawTimer timer_;
};

} // namespace

std::unique_ptr<Presentation> make_host_upload(std::int64_t texture_limit, std::function<void()> wake) {
    return std::make_unique<HostUpload>(texture_limit, std::move(wake));
}

} // namespace kg::display
