#include "display/display_image.hpp"

#include "display/interop.hpp"
#include "display/image_texture.hpp"
#include "gpu/engine.hpp"

namespace kg::display {

DisplayMode display_mode(std::string_view word) {
    if (word == "auto") return DisplayMode::automatic;
    if (word == "interop") return DisplayMode::interop;
    if (word == "host") return DisplayMode::host;
    throw Error("--display takes auto, interop or host, not " + std::string(word));
}

DisplayRoute::DisplayRoute(DisplayMode mode, std::shared_ptr<Engine> gpu, std::optional<Fault> fault)
    : mode_(mode), gpu_(std::move(gpu)), stages_(fault) {
    if (mode == DisplayMode::host) return;
    try {
        probe_interop(gpu_, stages_);
        interop_ = true;
    } catch (const StageError& e) {
        if (mode == DisplayMode::interop)
            throw Unavailable("CUDA cannot write OpenGL's textures here (stage " +
                              std::string(name(e.failure().stage)) + "): " + e.what() +
                              ". Or leave --display at auto");
        failure_ = e.failure();
    }
}

bool DisplayRoute::interop_for(Engine& engine) const { return interop_ && same_device(engine, *gpu_); }

void DisplayRoute::fall_back(const Failure& failure) {
    if (!interop_) return; // another image of this context has reported it already
    interop_ = false;
    fell_back_ = true;
    failure_ = failure;
    news_ = "From now on images travel through host memory, which is slower: CUDA could not write one into "
            "OpenGL's texture. Stage " +
            std::string(name(failure.stage)) + ": " + StageError::text(failure) + ".";
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

DisplayImage::DisplayImage(std::shared_ptr<DisplayRoute> route, DisplayOptions options)
    : route_(std::move(route)), options_(std::move(options)) {
    if (options_.texture_limit <= 0) options_.texture_limit = largest_texture();
}

void DisplayImage::present(Frame frame) {
    const bool known = latest_ ? latest_->serial == frame.serial
                               : texture() != 0 && shown().serial == frame.serial;
    if (known) return;
    engine_ = frame.engine;
    if (frame.changed.empty()) so_far_ = {};
    else so_far_ = {frame.pixels.memory, changed_by_both(so_far_.memory, so_far_.changed, frame)};
    latest_ = std::move(frame);
    attempt([this] {
        hand_over(*latest_);
        return false;
    });
}

bool DisplayImage::ready() {
    return attempt([this] { return paths_.ready(); });
}

bool DisplayImage::poll() {
    const bool changed = attempt([this] { return paths_.poll(); });
    if (!latest_) return changed;
    const bool is_there = changed && latest_->serial == shown().serial;
    if (is_there || (latest_->ready.ready() && !computed(*latest_))) latest_.reset();
    return changed;
}

void DisplayImage::give_up() {
    latest_.reset();
    paths_.give_up();
}

template <typename Step>
bool DisplayImage::attempt(Step step) {
    try {
        try {
            return step();
        } catch (const StageError& e) {
            route_->fall_back(e.failure());
            if (latest_) hand_over(*latest_);
            return false;
        }
    } catch (
        ...) { // memory is short, or the engine is broken: the old image stays, what was to come is given up
        give_up();
        throw;
    }
}

void DisplayImage::hand_over(const Frame& frame) {
    if (!route_->has_interop()) paths_.close(Path::interop);
    const auto path = route_->interop_for(*frame.engine) ? Path::interop : Path::host;
    paths_.present(frame, so_far_.changed, path, [&] {
        return path == Path::interop ? make_interop(frame.engine, route_->stages(), options_.texture_limit)
                                     : make_host_upload(options_.texture_limit, options_.wake);
    });
}

Badge DisplayImage::badge() const {
    if (!engine_) return {};
    auto badge = route_->badge(*engine_);
    const auto now = shown();
    if (const auto reduction = now.reduction / now.every; texture() != 0 && reduction > 1) {
        const auto n = std::to_string(reduction);
        badge.text += ", shown 1:" + n;
        badge.explanation += " The image is larger than a texture can be here (" +
                             std::to_string(options_.texture_limit) +
                             " pixels wide or high), so one pixel in " + n + " of one row in " + n +
                             " is shown; saving still writes all of them.";
        badge.warning = true;
    }
    return badge;
}

} // namespace kg::display
