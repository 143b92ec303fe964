#pragma once
// A folder of images, and sessions for it.

#include "app/batch/session/session.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/check.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace kg::testing {

namespace fs = std::filesystem;
using batch::BatchProgress;
using batch::BatchSettings;
using batch::Finding;
using batch::Session;

inline std::vector<Finding> in_order(const std::vector<Finding>& findings, batch::FindingOrder by,
                                     bool descending) {
    std::vector<Finding> all;
    for (const auto place : sorted(findings, by, descending)) all.push_back(findings[place]);
    return all;
}

class BatchSession : public ::testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(photos_ / "below");
        for (int i = 0; i < 9; ++i)
            write_image(photos_ / ("p" + std::to_string(i) + ".png"),
                        random_image({24 + i, 16}, {Depth::u8, 3}, static_cast<unsigned>(i)).view());
        write_image(photos_ / "below" / "deep.png", random_image({12, 12}, {Depth::u8, 3}, 77).view());
        write_file(photos_ / "notes.txt", "no image");
    }
    std::unique_ptr<Session> session() {
        return std::make_unique<Session>(Session::Setup{[this] { ++wakes_; }, {}, 2});
    }
    BatchSettings settings() const {
        BatchSettings settings{.inputs = {photos_}, .out = batch::preset_output({photos_})};
        settings.recipe.steps = {parse_step("gaussian:sigma=1")};
        return settings;
    }
    static EngineChoice cpu() { return {cpu::make_engine(2), {}}; }
    static void settle(const Session& session) {
        ASSERT_TRUE(eventually([&] { return !session.busy() && !session.scan()->busy; }));
    }
    /// The program may be in another place than where it was built.
    static std::string program() {
        const char* elsewhere = std::getenv("KERNELGLASS_PROGRAM");
        return elsewhere ? elsewhere : KG_PROGRAM;
    }
    static std::string bytes_of(const fs::path& path) { return read_file(path); }

    const TemporaryFolder temporary_{"session"};
    const fs::path photos_ = temporary_.path() / "photos";
    std::atomic<int> wakes_ = 0;
};

} // namespace kg::testing
