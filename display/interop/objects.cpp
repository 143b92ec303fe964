#include "display/interop/objects.hpp"

#include "display/interop/interop.hpp"
#include "display/renderer.hpp"

#include <atomic>

namespace kg::display {

namespace {

std::atomic<int> registrations{0};
std::atomic<std::uint64_t> made{0};

std::string remedy(cudaError_t status) {
    if (status == cudaErrorMemoryAllocation) return "Close other images or other programs that use the GPU";
    if (status == cudaErrorInsufficientDriver) return "Install a newer NVIDIA driver";
    return renderer_remedy(Renderer::current());
}

} // namespace

void check_stage(InteropStage stage, cudaError_t status, const char* call) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    throw StageError({stage,
                      std::string(call) + " answered " + cudaGetErrorName(status) + " (" +
                          std::to_string(static_cast<int>(status)) + "): " + cudaGetErrorString(status),
                      remedy(status)});
}

Registration::Registration(GLuint texture) {
    drain_gl_errors(); // registering reports errors of earlier GL calls as its own
    check_stage(InteropStage::registration,
                cudaGraphicsGLRegisterImage(&resource_, texture, GL_TEXTURE_2D,
                                            cudaGraphicsRegisterFlagsSurfaceLoadStore),
                "cudaGraphicsGLRegisterImage");
    ++registrations, ++made;
}

Registration::Registration(const PixelBuffer& buffer) {
    drain_gl_errors();
    check_stage(InteropStage::registration,
                cudaGraphicsGLRegisterBuffer(&resource_, buffer.id(), cudaGraphicsRegisterFlagsWriteDiscard),
                "cudaGraphicsGLRegisterBuffer");
    ++registrations, ++made;
}

Registration::~Registration() {
    if (cudaGraphicsUnregisterResource(resource_) != cudaSuccess) cudaGetLastError();
    --registrations;
}

MappedTexture::MappedTexture(const Registration& registration, cudaStream_t stream)
    : resource_(registration.get()), stream_(stream) {
    check_stage(InteropStage::map, cudaGraphicsMapResources(1, &resource_, stream_),
                "cudaGraphicsMapResources");
    if (const auto status = cudaGraphicsSubResourceGetMappedArray(&array_, resource_, 0, 0);
        status != cudaSuccess) {
        cudaGraphicsUnmapResources(1, &resource_, stream_);
        check_stage(InteropStage::map, status, "cudaGraphicsSubResourceGetMappedArray");
    }
}

MappedTexture::~MappedTexture() {
    if (resource_ && cudaGraphicsUnmapResources(1, &resource_, stream_) != cudaSuccess) cudaGetLastError();
}

void MappedTexture::unmap() {
    auto resource = std::exchange(resource_, nullptr);
    check_stage(InteropStage::unmap, cudaGraphicsUnmapResources(1, &resource, stream_),
                "cudaGraphicsUnmapResources");
}

Surface::Surface(cudaArray_t array) {
    cudaResourceDesc description{};
    description.resType = cudaResourceTypeArray;
    description.res.array.array = array;
    check_stage(InteropStage::write, cudaCreateSurfaceObject(&surface_, &description),
                "cudaCreateSurfaceObject");
}

Surface::~Surface() {
    if (surface_ != 0 && cudaDestroySurfaceObject(surface_) != cudaSuccess) cudaGetLastError();
}

int live_registrations() { return registrations; }
std::uint64_t registrations_made() { return made; }

} // namespace kg::display
