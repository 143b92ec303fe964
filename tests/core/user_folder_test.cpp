#include "core/support/user_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace kg {
namespace {

/// HOME and one variable of the program's environment; at the end they are as before.
class UserFolder : public ::testing::Test {
protected:
    UserFolder() {
        if (const char* home = std::getenv("HOME")) home_ = home;
    }
    ~UserFolder() override {
        set("HOME", home_ ? home_->c_str() : nullptr);
        set(kVariable, nullptr);
    }
    static void set(const char* variable, const char* value) {
        if (value) setenv(variable, value, 1);
        else unsetenv(variable);
    }
    static std::string folder(const char* variable, const char* home) {
        set(kVariable, variable);
        set("HOME", home);
        return user_folder(kVariable, ".local/state").string();
    }

private:
    static constexpr auto kVariable = "KG_TEST_HOME";
    std::optional<std::string> home_;
};

TEST_F(UserFolder, IsInTheFolderOfTheVariableElseInHome) {
    EXPECT_EQ(folder("/state", "/home/a"), "/state/kernelglass");
    EXPECT_EQ(folder(nullptr, "/home/a"), "/home/a/.local/state/kernelglass");
}

TEST_F(UserFolder, OnlyAbsolutePathsCount) {
    EXPECT_EQ(folder("state", "/home/a"), "/home/a/.local/state/kernelglass");
    EXPECT_EQ(folder("", "/home/a"), "/home/a/.local/state/kernelglass");
    EXPECT_EQ(folder("state", "home"), "");
    EXPECT_EQ(folder(nullptr, nullptr), "");
}

} // namespace
} // namespace kg
