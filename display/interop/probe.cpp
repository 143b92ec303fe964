// Walks the stages of interop. The last five do what every image needs: a real presentation of
// a pattern large enough to span many pages, read back through OpenGL.

#include "display/interop/interop.hpp"
#include "display/interop/objects.hpp"
#include "display/renderer.hpp"
#include "gpu/runtime/access.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace kg::display {

namespace {

constexpr std::int64_t kPatternSide = 1024;

void check_device(const std::shared_ptr<Engine>& gpu) {
    if (!gpu)
        throw StageError({InteropStage::device, "There is no CUDA engine",
                          "Install NVIDIA's driver on a machine with its GPU"});
    if (const auto reason = gpu->usable(); !reason.empty())
        throw StageError({InteropStage::device, reason, ""});
    check_stage(InteropStage::device, cudaSetDevice(gpu::device_of(*gpu)), "cudaSetDevice");
}

void check_renderer() {
    const auto renderer = Renderer::current();
    if (renderer.is_nvidia()) return;
    throw StageError(
        {InteropStage::renderer,
         "OpenGL is drawn by " + renderer.name + " (" + renderer.vendor + "), not by the NVIDIA GPU",
         renderer_remedy(renderer)});
}

void check_gl_state() {
    try {
        drain_gl_errors();
    } catch (const Error& e) {
        throw StageError({InteropStage::gl_state, e.what(), ""});
    }
}

/// CUDA's numbers of the devices that draw in the current context.
std::vector<int> gl_devices() {
    std::array<int, 32> devices{};
    unsigned count = 0;
    check_stage(
        InteropStage::gl_devices,
        cudaGLGetDevices(&count, devices.data(), static_cast<unsigned>(devices.size()), cudaGLDeviceListAll),
        "cudaGLGetDevices");
    return {devices.begin(), devices.begin() + count};
}

void check_gl_devices(int device) {
    const auto drawing = gl_devices();
    if (std::ranges::find(drawing, device) != drawing.end()) return;
    const auto first = drawing.empty() ? std::string() : std::to_string(drawing.front());
    throw StageError(
        {InteropStage::gl_devices,
         "OpenGL draws on another GPU than CUDA device " + std::to_string(device) +
             (first.empty() ? "" : "; it draws on device " + first),
         first.empty() ? "Draw on the GPU that computes" : "Compute there with --device " + first});
}

void check_same_gpu(int device) {
    if (!epoxy_has_gl_extension("GL_EXT_memory_object")) return; // otherwise OpenGL cannot identify its GPU
    cudaDeviceProp properties{};
    check_stage(InteropStage::same_gpu, cudaGetDeviceProperties(&properties, device),
                "cudaGetDeviceProperties");
    GLint count = 0;
    glGetIntegerv(GL_NUM_DEVICE_UUIDS_EXT, &count);
    for (GLint i = 0; i < count; ++i) {
        std::array<GLubyte, GL_UUID_SIZE_EXT> uuid{};
        glGetUnsignedBytei_vEXT(GL_DEVICE_UUID_EXT, static_cast<GLuint>(i), uuid.data());
        if (std::memcmp(uuid.data(), properties.uuid.bytes, uuid.size()) == 0) return;
    }
    if (count == 0) return;
    throw StageError({InteropStage::same_gpu,
                      "OpenGL's GPU has another identity (UUID) than CUDA device " + std::to_string(device),
                      "Choose the GPU that draws with --device"});
}

/// All texels differ.
Image pattern() {
    Image image({kPatternSide, kPatternSide}, {Depth::u8, 4, 3});
    for (std::int64_t y = 0; y < kPatternSide; ++y)
        for (std::int64_t x = 0; x < kPatternSide; ++x) {
            const auto texel = static_cast<std::uint32_t>(y * kPatternSide + x) * 2654435761u;
            std::memcpy(image.view().row<std::byte>(y) + x * 4, &texel, sizeof texel);
        }
    return image;
}

void present_a_pattern(const std::shared_ptr<Engine>& gpu, InteropStages& stages) {
    const auto image = pattern();
    const auto pixels = allocate_view(*gpu, image.format(), whole(image.size()));
    const auto queue = gpu->queue();
    queue->upload(image.view(), pixels);
    const auto ready = queue->fence();
    ready.wait();
    const auto presentation = make_interop(gpu, stages, kPatternSide);
    presentation->present({gpu, pixels, ready, 1});
    presentation->poll();

    stages.enter(InteropStage::read_back);
    std::vector<std::uint32_t> texels(static_cast<std::size_t>(kPatternSide * kPatternSide));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glGetTextureImage(presentation->texture(), 0, GL_RGBA, GL_UNSIGNED_BYTE,
                      static_cast<GLsizei>(texels.size() * sizeof texels[0]), texels.data());
    std::size_t wrong = 0;
    for (std::int64_t y = 0; y < kPatternSide; ++y)
        for (std::int64_t x = 0; x < kPatternSide; ++x)
            wrong += texels[static_cast<std::size_t>(y * kPatternSide + x)] !=
                     image.view().row<std::uint32_t>(y)[x];
    if (const auto error = glGetError(); wrong > 0 || error != GL_NO_ERROR)
        throw StageError({InteropStage::read_back,
                          std::to_string(wrong) + " of " + std::to_string(texels.size()) +
                              " texels that CUDA wrote read back wrong (OpenGL error " +
                              std::to_string(error) + ")",
                          "A newer NVIDIA driver may help"});
}

} // namespace

std::optional<int> drawing_device() {
    if (!Renderer::current().is_nvidia())
        return {}; // CUDA has no devices of other vendors, and the query may fail there
    try {
        const auto drawing = gl_devices();
        return drawing.empty() ? std::optional<int>() : drawing.front();
    } catch (const StageError&) { // no CUDA driver: no device computes
        return {};
    }
}

void probe_interop(const std::shared_ptr<Engine>& gpu, InteropStages& stages) {
    auto stage = InteropStage::device;
    const auto enter = [&](InteropStage next) { stages.enter(stage = next); };
    try {
        enter(InteropStage::device);
        check_device(gpu);
        enter(InteropStage::renderer);
        check_renderer();
        enter(InteropStage::gl_state);
        check_gl_state();
        enter(InteropStage::gl_devices);
        check_gl_devices(gpu::device_of(*gpu));
        enter(InteropStage::same_gpu);
        check_same_gpu(gpu::device_of(*gpu));
        present_a_pattern(gpu, stages);
    } catch (const StageError&) {
        throw;
    } catch (const std::exception& e) { // from the engine: an upload or an allocation failed
        throw StageError({stage, e.what(), ""});
    }
}

} // namespace kg::display
