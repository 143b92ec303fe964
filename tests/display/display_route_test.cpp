// Which presentation path is taken, and how it is reported.

#include "display/renderer.hpp"
#include "tests/display/display_fixture.hpp"

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

TEST_F(Display, BadgesNameThePathAndTheReason) {
    const auto engine = cpu::make_engine(1);
    DisplayImage asked(host_route());
    EXPECT_EQ(asked.badge().text, ""); // nothing presented, so no badge
    expect_shown(asked, engine, {Depth::u8, 1}, {4, 4});
    EXPECT_EQ(asked.badge().text, "host upload");
    EXPECT_NE(asked.badge().explanation.find("--display host"), std::string::npos);
    EXPECT_FALSE(asked.badge().warning);

    DisplayImage automatic(std::make_shared<DisplayRoute>(DisplayMode::automatic, nullptr));
    expect_shown(automatic, engine, {Depth::u8, 1}, {4, 4});
    EXPECT_EQ(automatic.badge().text, "host upload");
    EXPECT_NE(automatic.badge().explanation.find("host memory"), std::string::npos);
    EXPECT_FALSE(automatic.badge().warning);
}

TEST_F(Display, ForcedInteropThatCannotBeThrows) {
    EXPECT_THROW(DisplayRoute(DisplayMode::interop, nullptr), Unavailable);
    EXPECT_THROW(DisplayRoute(DisplayMode::interop, gpu::make_engine(), Fault{InteropStage::device}),
                 Unavailable);
    try {
        DisplayRoute(DisplayMode::interop, nullptr);
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), "interop-stage-failed");
        ASSERT_EQ(e.arguments().size(), 2u);
        EXPECT_EQ(e.arguments()[0], name(InteropStage::device));
        EXPECT_EQ(e.what(), "CUDA cannot write OpenGL's textures here (stage device): " + e.arguments()[1] +
                                ". Use --display auto to fall back to host upload");
    }
}

TEST_F(Display, AFailureThatIsNoSurpriseIsNoNews) {
    DisplayRoute host(DisplayMode::host, nullptr), automatic(DisplayMode::automatic, nullptr);
    host.fall_back({InteropStage::map, "Mapping failed", ""});
    automatic.fall_back({InteropStage::map, "Mapping failed", ""});
    EXPECT_FALSE(host.take_news().has_value());
    EXPECT_FALSE(automatic.take_news().has_value());
    EXPECT_EQ(automatic.failure()->stage, InteropStage::device); // why it never started
}

TEST(DisplayWords, ModesAreParsed) {
    EXPECT_EQ(display_mode("auto"), DisplayMode::automatic);
    EXPECT_EQ(display_mode("interop"), DisplayMode::interop);
    EXPECT_EQ(display_mode("host"), DisplayMode::host);
    try {
        display_mode("fast");
        ADD_FAILURE() << "there is no such mode";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), "bad-value");
        EXPECT_STREQ(e.what(), "--display takes auto, interop or host, not fast");
    }
}

TEST(DisplayWords, RemediesFitTheRenderer) {
    const Renderer llvmpipe{"Mesa", "llvmpipe (LLVM 15.0.6, 256 bits)"},
        intel{"Intel", "Mesa Intel(R) UHD Graphics 630"},
        nvidia{"NVIDIA Corporation", "NVIDIA H200/PCIe/SSE2"};
    EXPECT_TRUE(llvmpipe.is_software());
    EXPECT_FALSE(intel.is_software());
    EXPECT_FALSE(intel.is_nvidia());
    EXPECT_TRUE(nvidia.is_nvidia());
    const auto prints = [](const Renderer& renderer, const Surroundings& around, const char* what) {
        return renderer_remedy(renderer, around).find(what) != std::string::npos;
    };
    EXPECT_TRUE(prints(llvmpipe, {}, "Install NVIDIA's OpenGL libraries"));
    EXPECT_TRUE(prints(intel, {}, "__NV_PRIME_RENDER_OFFLOAD=1"));
    EXPECT_TRUE(prints(intel, {.wsl = false, .offload_asked = true}, "did not take effect"));
    EXPECT_FALSE(prints(nvidia, {}, "__NV_PRIME_RENDER_OFFLOAD=1")); // it draws already
    EXPECT_TRUE(prints(nvidia, {}, "newer NVIDIA driver"));
    for (const auto& renderer : {llvmpipe, intel, nvidia})
        EXPECT_TRUE(prints(renderer, {.wsl = true, .offload_asked = true}, "WSL2"));
}

} // namespace
