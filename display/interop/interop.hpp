#pragma once
// Interop: CUDA writes the texture. No CUDA type appears here, so that builds without CUDA have the same
// interface.

#include "display/interop/stages.hpp"
#include "display/presentation.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace kg::display {

/// Checks once, at the start, whether CUDA can write OpenGL's textures on this machine. Throws StageError at
/// the first stage that fails. The GL context that will draw must be current.
void probe_interop(const std::shared_ptr<Engine>& gpu, InteropStages& stages);

/// For results on `gpu`'s device. present() and poll() throw StageError; the texture of the last good result
/// stays.
std::unique_ptr<Presentation> make_interop(std::shared_ptr<Engine> gpu, InteropStages& stages,
                                           std::int64_t texture_limit);

/// True if this engine's buffers are on the device of `gpu`.
bool same_device(Engine& engine, Engine& gpu);

/// The CUDA device that draws in the current context; empty if none does.
std::optional<int> drawing_device();

/// Textures registered with CUDA now, in the whole process; 0 after the last image is gone.
int live_registrations();
/// Number of registrations since the start of the process: each is expensive.
std::uint64_t registrations_made();

} // namespace kg::display
