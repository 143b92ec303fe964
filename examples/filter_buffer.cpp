// Filters an image in the program's own memory. The GPU computes where there is one, otherwise the CPU.

#include <kernelglass/kernelglass.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

int main(int count, char** words) try {
    const char* recipe = count > 1 ? words[1] : "box:size=3 | border=zero";
    constexpr kg::Extent kSize{7, 5};
    std::vector<std::uint8_t> pixels(7 * 5, 0); // grey, row after row
    pixels[2 * 7 + 3] = 225;

    const auto engines = kg::make_engines(); // once: the first use of a GPU takes a third of a second
    const auto filtered = kg::filter_image(engines, recipe, kg::view_of(pixels.data(), kSize, 1));

    const auto result = filtered.image.view(); // rows are result.pitch bytes apart
    for (std::int64_t y = 0; y < result.size.height; ++y) {
        for (std::int64_t x = 0; x < result.size.width; ++x)
            std::printf("%4d", result.row<std::uint8_t>(y)[x]);
        std::printf("\n");
    }
    std::fprintf(stderr, "Kernelglass %s, engine %s, algorithm %s\n", kg::version().data(),
                 filtered.engine->device().id.c_str(), filtered.algorithm.c_str());
    if (!filtered.notice.empty()) std::fprintf(stderr, "%s\n", filtered.notice.c_str());
} catch (const kg::Error& error) {
    std::fprintf(stderr, "%s (%s)\n", error.what(), error.code().c_str());
    return 1;
}
