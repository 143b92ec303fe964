#pragma once
// Can CUDA write OpenGL's textures on this machine? Asked once at the start, stage by stage, so that a "no" comes with
// its reason and a remedy instead of a black picture.

#include "core/plan/engine.hpp"
#include "core/support/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kg::display {

/// In the order they are passed. The last five are passed again for every picture, all but read_back.
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
    constexpr std::string_view names[] = {"device",       "renderer", "gl-state", "gl-devices", "same-gpu",
                                          "registration", "map",      "write",    "unmap",      "read-back"};
    return names[static_cast<int>(stage)];
}

/// What went wrong where, in a sentence, and what a person can do about it.
struct Failure {
    InteropStage stage;
    std::string sentence,
        remedy; ///< without a full stop; the remedy may be part of the sentence and empty here
};

class StageError : public Error {
public:
    explicit StageError(Failure failure) : Error(words(failure)), failure_(std::move(failure)) {}
    static std::string words(const Failure& failure) {
        return failure.remedy.empty() ? failure.sentence : failure.sentence + ". " + failure.remedy;
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

/// Every stage goes through here before its work, so that a test can make each of them fail.
class InteropStages {
public:
    explicit InteropStages(std::optional<Fault> fault = {}) : fault_(fault) {}
    /// Throws StageError if this is where the test wants a failure.
    void enter(InteropStage stage);

private:
    std::optional<Fault> fault_;
    int passed_ = 0;
};

/// What is known about who draws.
struct Renderer {
    std::string vendor, name;
    static Renderer current(); ///< of the current context
    bool is_nvidia() const;
    bool is_software() const;
};

/// What is known about where the program runs.
struct Surroundings {
    bool wsl = false;           ///< Linux inside Windows
    bool offload_asked = false; ///< to draw on the NVIDIA GPU of a laptop with two
    static Surroundings current();
};

/// What helps when CUDA cannot write what this renderer draws.
std::string renderer_remedy(const Renderer& renderer, const Surroundings& around = Surroundings::current());

/// Walks all stages. Throws StageError at the first that fails. Needs the GL context that will draw to be current.
void probe_interop(const std::shared_ptr<Engine>& gpu, InteropStages& stages);

} // namespace kg::display
