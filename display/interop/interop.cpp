// CUDA writes the texture: the filters write private memory on their own streams; once a result is ready, a
// separate stream maps the texture, a short kernel packs the pixels into it, and it is unmapped. Mapping
// waits for all OpenGL work before it and delays all after it, whichever texture that uses (some 330 us on an
// H200 at any size, before the pack), so it happens for new results only and never around a filter. Order is
// kept on the GPU: no thread waits.

#include "display/interop/interop.hpp"

#include "core/support/elapsed.hpp"
#include "display/interop/objects.hpp"
#include "display/interop/pack.hpp"
#include "display/renderer.hpp"
#include "gpu/engine.hpp"
#include "gpu/runtime/access.hpp"

#include <chrono>
#include <deque>

namespace kg::display {

namespace {

using Clock = std::chrono::steady_clock;

/// A presentation that the GPU may not have finished: keeps the objects used by its kernel alive.
struct Flight {
    Frame frame;
    std::shared_ptr<RegisteredTexture> texture;
    std::optional<Surface> surface;
    Completion done;
    double submit_us = 0;
    std::vector<TimedSpan> submit_parts;
};

/// Times each step of a presentation, on the GPU's clock and on this thread's.
class Steps {
public:
    Steps(Queue& queue, std::vector<TimedSpan>& submit) : queue_(queue), submit_(submit) {}
    void begin(std::string name) {
        end();
        queue_.mark(name);
        submit_.push_back({std::move(name), 0});
        began_ = Clock::now();
    }
    void end() {
        if (began_) submit_.back().microseconds = microseconds_since(*began_);
        began_.reset();
    }

private:
    Queue& queue_;
    std::vector<TimedSpan>& submit_;
    std::optional<Clock::time_point> began_; // start of the last step, if it has not ended
};

class Interop final : public Presentation {
public:
    /// With three presentations in flight the GPU cannot keep up: newer results replace the one that waits.
    static constexpr std::size_t kFlights = 3;

    Interop(std::shared_ptr<Engine> gpu, InteropStages& stages, std::int64_t texture_limit)
        : gpu_(std::move(gpu)), stages_(stages), limit_(texture_limit), queue_(gpu_->queue(Priority::high)) {}

    ~Interop() override { settle(); }

    void present(Frame frame) override {
        if (waiting_) frame.changed = changed_by_both(waiting_->pixels.memory, waiting_->changed, frame);
        waiting_ = std::move(frame);
    }

    bool ready() override {
        retire();
        return waiting_ && flights_.size() < kFlights && waiting_->ready.ready();
    }

    bool poll() override {
        if (!ready()) return false;
        auto frame = std::move(*waiting_);
        waiting_.reset();
        if (!computed(frame)) return false;
        forward(std::move(frame));
        return true;
    }

    void rest() override {
        waiting_.reset();
        retire();
    }

    void release() override {
        texture_.reset(); // a kernel that may still write it keeps it alive
        shown_ = {};
    }

    GLuint texture() const override { return texture_ ? texture_->texture().id() : 0; }
    const Shown& shown() const override { return shown_; }
    std::optional<PresentationTimes> take_times() override {
        retire();
        return take_first(times_);
    }
    std::optional<DrawTimer::Drawn> take_gl_time() override { return timer_.take(); }

private:
    void forward(Frame frame) {
        const auto began = Clock::now();
        const auto format = frame.pixels.format;
        const auto depth = format.depth;
        const Extent size{frame.pixels.covers.width, frame.pixels.covers.height};
        const auto fit = Fit::of(size, limit_);
        const auto next = shown_of(frame, fit);
        auto target = texture_;
        std::vector<TimedSpan> submit_parts;
        auto stage = InteropStage::registration;
        const auto pass = [&](InteropStage s) { stages_.enter(stage = s); };
        try {
            // CUDA's calls about OpenGL report errors of earlier OpenGL calls as their own
            drain_gl_errors();
            check_stage(stage, cudaSetDevice(gpu::device_of(*gpu_)), "cudaSetDevice");
            if (!target || !target->texture().fits(fit.size, depth)) {
                pass(InteropStage::registration);
                const auto registering = Clock::now();
                target = std::make_shared<RegisteredTexture>(
                    ImageTexture(fit.size, depth, frame.changed.empty()));
                submit_parts.push_back({"register", microseconds_since(registering)});
            }
            const auto stream = gpu::stream_of(*queue_);
            auto& flight = flights_.emplace_back(
                Flight{std::move(frame), target, {}, {}, 0, std::move(submit_parts)});
            Steps steps(*queue_, flight.submit_parts);
            queue_->after(flight.frame.ready);
            timer_.time(flight.frame.serial, [&] { // OpenGL does nothing else between the two stamps
                steps.begin("map");
                pass(InteropStage::map);
                MappedTexture mapped(target->registration(), stream);
                steps.begin("pack");
                pass(InteropStage::write);
                flight.surface.emplace(mapped.array());
                const auto& source = flight.frame.pixels;
                for (const auto& texels : texels_of(flight.frame, fit))
                    check_stage(InteropStage::write,
                                pack_to_surface(gpu::device_pointer(source), source.pitch, depth,
                                                Packing::of(format, fit.reduction), texels,
                                                flight.surface->get(), stream),
                                "the kernel that writes the texture");
                steps.begin("unmap");
                pass(InteropStage::unmap);
                mapped.unmap();
                steps.end();
            });
            glFlush(); // otherwise the second stamp would wait for the window's next flush
            flight.done = queue_->fence();
            flight.submit_us = microseconds_since(began);
        } catch (const StageError&) {
            settle();
            throw;
        } catch (const std::exception& e) { // an engine's error, or exhausted memory
            settle();
            throw StageError({stage, e.what(), renderer_remedy(Renderer::current())});
        }
        texture_ = std::move(target);
        shown_ = next;
    }

    /// Releases the objects of finished presentations and records their cost.
    void retire() {
        while (!flights_.empty() && flights_.front().done.ready()) {
            auto& flight = flights_.front();
            auto spans = flight.done.report().spans;
            double device_us = 0;
            for (const auto& span : spans) device_us += span.microseconds;
            times_.push_back({flight.frame.serial, device_us, flight.submit_us, std::move(spans),
                              std::move(flight.submit_parts)});
            flights_.pop_front();
        }
    }

    /// Waits for the stream before objects used by a kernel are destroyed. Only at the end, or after a
    /// failure.
    void settle() noexcept {
        try {
            queue_->fence().wait();
        } catch (...) { // the failure is known already, or nobody is left to report it to
        }
        cudaGetLastError();
        flights_.clear();
    }

    std::shared_ptr<Engine> gpu_; // before its queue
    InteropStages& stages_;
    std::int64_t limit_;
    std::unique_ptr<Queue> queue_;
    std::shared_ptr<RegisteredTexture> texture_; // the one on the screen
    std::optional<Frame> waiting_;
    std::deque<Flight> flights_;
    Shown shown_;
    std::deque<PresentationTimes> times_;
    DrawTimer timer_;
};

} // namespace

std::unique_ptr<Presentation> make_interop(std::shared_ptr<Engine> gpu, InteropStages& stages,
                                           std::int64_t texture_limit) {
    return std::make_unique<Interop>(std::move(gpu), stages, texture_limit);
}

bool same_device(Engine& engine, Engine& gpu) {
    return &engine == &gpu || (gpu::is_cuda(engine) && gpu::device_of(engine) == gpu::device_of(gpu));
}

} // namespace kg::display
