// An image that this program's CUDA code computed: filtered where it lies, and shown as an OpenGL texture
// without passing through host memory. Exits with 77 where there is no GPU or no OpenGL.

#include <kernelglass/display/display_image.hpp>
#include <kernelglass/display/egl_device.hpp>
#include <kernelglass/display/read_back.hpp>
#include <kernelglass/gpu/runtime/access.hpp>
#include <kernelglass/kernelglass.hpp>

#include <cstdio>
#include <thread>

int main() try {
    const auto engine = kg::make_engines("cuda").engine; // throws Unavailable
    constexpr kg::Extent kSize{1920, 1080};
    constexpr kg::PixelFormat kFormat{kg::Depth::u8, 4, 3}; // the last channel is alpha
    constexpr std::size_t kPitch = 1920 * 4, kBytes = kPitch * 1080;

    void* memory = nullptr; // the program's own, filled by its own work
    if (cudaMalloc(&memory, kBytes) != cudaSuccess || cudaMemset(memory, 100, kBytes) != cudaSuccess ||
        cudaDeviceSynchronize() != cudaSuccess)
        throw kg::Error("cuda-failed", "CUDA gave no memory");
    const auto buffer = kg::gpu::wrap_memory(memory, kBytes, std::shared_ptr<void>(memory, cudaFree));

    const auto recipe = kg::parse_recipe("gaussian:sigma=3", "given as text");
    const auto request = kg::request_for(recipe, kSize, kFormat);
    const kg::BufferView source{buffer, 0, kPitch, kFormat, kg::whole(kSize)};
    const auto result = kg::allocate_view(*engine, request.out, kg::whole(kSize));
    const kg::Item item{source, result};
    const auto queue = engine->queue();
    queue->run(kg::plan(*engine, request), {&item, 1});
    const auto ready = queue->fence(); // nothing waits for it but the texture

    const kg::display::EglDevice context; // a window has an OpenGL context of its own
    const auto mode = kg::display::DisplayMode::automatic;
    kg::display::DisplayImage image(std::make_shared<kg::display::DisplayRoute>(mode, engine));
    image.present({engine, result, ready, 1});
    while (!image.poll()) std::this_thread::yield(); // a window polls once a frame

    const auto texels = kg::display::read_texture(image.texture(), kSize, kg::Depth::u8);
    std::size_t wrong = 0;
    for (std::int64_t y = 0; y < kSize.height; ++y)
        for (std::int64_t x = 0; x < kSize.width * 4; ++x)
            wrong += texels.view().row<std::uint8_t>(y)[x] != 100; // a blur keeps a constant image
    std::printf("%s, by %s: %zu of %zu samples of the texture are wrong\n", engine->device().name.c_str(),
                image.is_interop() ? "interop" : "host upload", wrong, kBytes);
    return wrong == 0 ? 0 : 1;
} catch (const kg::Unavailable& error) {
    std::printf("skipped: %s\n", error.what());
    return 77;
} catch (const kg::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
}
