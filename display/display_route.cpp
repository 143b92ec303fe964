#include "display/display_route.hpp"

#include "display/interop/interop.hpp"
#include "gpu/engine.hpp"

namespace kg::display {

DisplayMode display_mode(std::string_view word) {
    if (word == "auto") return DisplayMode::automatic;
    if (word == "interop") return DisplayMode::interop;
    if (word == "host") return DisplayMode::host;
    throw Error("bad-value", "--display takes auto, interop or host, not {}", word);
}

DisplayRoute::DisplayRoute(DisplayMode mode, std::shared_ptr<Engine> gpu, std::optional<Fault> fault)
    : mode_(mode), gpu_(std::move(gpu)), stages_(fault) {
    if (mode == DisplayMode::host) return;
    try {
        probe_interop(gpu_, stages_);
        interop_ = true;
    } catch (const StageError& e) {
        if (mode == DisplayMode::interop)
            throw Unavailable(e.code(),
                              "CUDA cannot write OpenGL's textures here (stage {}): {}. Use --display "
                              "auto to fall back to host upload",
                              name(e.failure().stage), e.what());
        failure_ = e.failure();
    }
}

bool DisplayRoute::interop_for(Engine& engine) const { return interop_ && same_device(engine, *gpu_); }

std::unique_ptr<Presentation> DisplayRoute::make(Path path, const std::shared_ptr<Engine>& engine,
                                                 const DisplayOptions& options) {
    return path == Path::interop ? make_interop(engine, stages_, options.texture_limit)
                                 : make_host_upload(options.texture_limit, options.wake);
}

void DisplayRoute::fall_back(const Failure& failure) {
    if (!interop_) return; // another image of this context has reported it already
    interop_ = false;
    fell_back_ = true;
    failure_ = failure;
    news_ = Error("interop-failed",
                  "From now on images travel through host memory, which is slower: CUDA could not write one "
                  "into OpenGL's texture. Stage {}: {}.",
                  name(failure.stage), StageError::text(failure));
}

Badge DisplayRoute::badge(Engine& engine) const {
    if (interop_for(engine))
        return {"interop", "CUDA writes the image straight into OpenGL's texture.", false};
    const std::string host = "host upload";
    if (mode_ == DisplayMode::host)
        return {host, "Images travel through host memory, as --display host asks.", false};
    if (!gpu::is_cuda(engine))
        return {host,
                "This image is computed in host memory and uploaded from there; there is no shorter path.",
                false};
    if (failure_)
        return {host,
                std::string(fell_back_ ? "CUDA has stopped writing" : "CUDA does not write") +
                    " OpenGL's texture here, so images travel through host memory. Stage " +
                    std::string(name(failure_->stage)) + ": " + StageError::text(*failure_) + ".",
                true};
    return {host, "This image is on another GPU than the one that draws, so it travels through host memory.",
            true};
}

} // namespace kg::display
