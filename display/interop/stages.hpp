#pragma once
// The stages of CUDA's writes to OpenGL's textures, and the error of a stage that failed: a failure gives its
// reason and a remedy instead of a black image.

#include "core/support/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kg::display {

/// In the order they are passed. The last five are passed again for every image, except read_back.
enum class InteropStage : std::uint8_t {
    device,
    renderer,
    gl_state,
    gl_devices,
    same_gpu,
    registration,
    map,
    write,
    unmap,
    read_back
};
inline constexpr int kInteropStages = 10;

constexpr std::string_view name(InteropStage stage) {
    constexpr std::string_view names[kInteropStages] = {"device",   "renderer",     "gl-state", "gl-devices",
                                                        "same-gpu", "registration", "map",      "write",
                                                        "unmap",    "read-back"};
    return names[static_cast<int>(stage)];
}

/// The stage that failed, a message, and its remedy.
struct Failure {
    InteropStage stage;
    std::string message;
    /// Without a full stop; empty if the message includes the remedy.
    std::string remedy;
};

class StageError : public Error {
public:
    explicit StageError(Failure failure)
        : Error("interop-stage-failed", "{}", text(failure)), failure_(std::move(failure)) {}
    static std::string text(const Failure& failure) {
        return failure.remedy.empty() ? failure.message : failure.message + ". " + failure.remedy;
    }
    const Failure& failure() const { return failure_; }

private:
    Failure failure_;
};

/// For tests: the stage fails when it has been passed `after` times. The probe passes each stage once.
struct Fault {
    InteropStage stage;
    int after = 0;
};

/// Every stage calls enter() before its work, so that a test can make each of them fail.
class InteropStages {
public:
    explicit InteropStages(std::optional<Fault> fault = {}) : fault_(fault) {}
    /// Throws StageError if a test requested a failure here.
    void enter(InteropStage stage) {
        if (!fault_ || fault_->stage != stage || passed_++ < fault_->after) return;
        throw StageError({stage, "A test made the stage " + std::string(name(stage)) + " fail",
                          "Nothing is wrong with this machine"});
    }

private:
    std::optional<Fault> fault_;
    int passed_ = 0;
};

} // namespace kg::display
