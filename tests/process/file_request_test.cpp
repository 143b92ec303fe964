// Requests for output files: what a format cannot hold, and the memory of converted pixels.

#include "app/process/file/file_request.hpp"
#include "core/image/image_memory.hpp"
#include "tests/process/support/loaded.hpp"
#include "tests/support/app/error_words.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"

#include <cstdlib>
#include <memory>

namespace kg::testing {
namespace {

TEST(FileRequest, SignedResultsNeedValuesBelowZero) {
    struct Case {
        const char *depth, *format, *code, *message;
    };
    for (const auto& [depth, format, code, message] : {
             Case{"u8", "tif", "depth-cannot-hold-signed",
                  "signed keep leaves values below 0 as they are, which u8 cannot hold; choose depth f32 or "
                  "f16, "
                  "or signed clamp, half or absolute"},
             Case{"f32", "png", "format-cannot-hold-signed",
                  "signed keep leaves values below 0 as they are, which PNG cannot hold; write .tif, .exr or "
                  ".pfm, or choose signed clamp, half or absolute"},
         }) {
        Recipe recipe;
        recipe.steps = {parse_step("sobel")};
        recipe.sign = SignedMode::keep;
        recipe.depth = parse_depth(depth);
        const auto asking = [&] {
            auto image = loaded(random_image({4, 3}, {Depth::u8, 3}, 1));
            file_request(image, recipe, format);
        };
        EXPECT_EQ(code_of(asking), code);
        EXPECT_EQ(error_words(asking), message);
    }
}

class UsualMemory final : public ImageMemorySource {
public:
    std::shared_ptr<std::byte> take(std::size_t bytes) override {
        constexpr std::size_t kAlignment = 64;
        const auto whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
        return {static_cast<std::byte*>(std::aligned_alloc(kAlignment, whole)), std::free};
    }
};

TEST(FileRequest, ConvertedPixelsAreInTheMemoryOfTheSource) {
    UsualMemory memory;
    Recipe recipe;
    recipe.steps = {parse_step("box")};
    recipe.light = Light::linear;
    const PixelFormat premultiplied{Depth::u8, 4, 3, false, true};
    auto image = loaded(random_image({40, 30}, premultiplied, 1));
    const auto request = file_request(image, recipe, "png", &memory).request;
    EXPECT_EQ(request.in.depth, Depth::f32);
    EXPECT_TRUE(is_from_source(std::as_const(image.pixels).view().data));
}

} // namespace
} // namespace kg::testing
