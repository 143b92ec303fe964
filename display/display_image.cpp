#include "display/display_image.hpp"

#include "display/interop.hpp"
#include "display/picture_texture.hpp"

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
    if (!interop_) return; // another image of this context has met it already
    interop_ = false;
    fell_back_ = true;
    failure_ = failure;
    news_ = "From now on pictures travel through host memory, which is slower: CUDA could not write one into "
            "OpenGL's texture. Stage " +
            std::string(name(failure.stage)) + ": " + StageError::words(failure) + ".";
}

Badge DisplayRoute::badge(Engine& engine) const {
    if (interop_for(engine))
        return {"interop", "CUDA writes the picture straight into OpenGL's texture.", false};
    const std::string host = "host upload";
    if (mode_ == DisplayMode::host)
        return {host, "Pictures travel through host memory, as --display host asks.", false};
    if (engine.device().id != "cuda")
        return {host,
                "This picture is computed in host memory and uploaded from there: there is no shorter way.",
                false};
    if (failure_)
        return {host,
                std::string(fell_back_ ? "CUDA has stopped writing" : "CUDA does not write") +
                    " OpenGL's texture here, so pictures travel through host memory. Stage " +
                    std::string(name(failure_->stage)) + ": " + StageError::words(*failure_) + ".",
                true};
    return {host,
            "This picture is on another GPU than the one that draws, so it travels through host memory.",
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
    return attempt([this] { return ways_.ready(); });
}

bool DisplayImage::poll() {
    const bool changed = attempt([this] { return ways_.poll(); });
    if (!latest_) return changed;
    const bool is_there = changed && latest_->serial == shown().serial;
    if (is_there || (latest_->ready.ready() && !computed(*latest_))) latest_.reset();
    return changed;
}

void DisplayImage::give_up() {
    latest_.reset();
    ways_.give_up();
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
        ...) { // memory is short, or the engine is broken: the old picture stays, what was to come is given up
        give_up();
        throw;
    }
}

void DisplayImage::hand_over(const Frame& frame) {
    if (!route_->has_interop()) ways_.close(Way::interop);
    const auto way = route_->interop_for(*frame.engine) ? Way::interop : Way::host;
    ways_.present(frame, so_far_.changed, way, [&] {
        return way == Way::interop ? make_interop(frame.engine, route_->stages(), options_.texture_limit)
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
        badge.explanation += " The picture is larger than a texture can be here (" +
                             std::to_string(options_.texture_limit) + " pixels a side), so one pixel in " +
                             n + " of one row in " + n + " is shown; saving still writes all of them.";
        badge.warning = true;
    }
    return badge;
}

} // namespace kg::display
