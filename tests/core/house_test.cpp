// The house stays in order: arrows between rooms point one way, and folders agree with their registries.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;
const fs::path kRoot = KG_SOURCE_DIR;

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::set<std::string> includes_of(const fs::path& path) {
    static const std::regex include(R"(#\s*include\s*[<"]([^>"]+)[>"])");
    const auto text = text_of(path);
    std::set<std::string> all;
    for (std::sregex_iterator i(text.begin(), text.end(), include), end; i != end; ++i) all.insert((*i)[1]);
    return all;
}

TEST(House, ArrowsPointOneWay) {
    const std::map<std::string, std::set<std::string>> rooms{
        {"core", {"core"}},
        {"filters", {"filters", "core"}},
        {"cpu", {"cpu", "core"}},
        {"gpu", {"gpu", "core"}},
        {"display", {"display", "gpu", "core"}},
        {"measure", {"measure", "cpu", "gpu", "core"}},
        {"app", {"app", "measure", "display", "filters", "cpu", "gpu", "core"}}};
    int files = 0;
    for (const auto& [room, may] : rooms) {
        if (!fs::exists(kRoot / room)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / room)) {
            static const std::set<std::string> sources{".hpp", ".cpp", ".cu", ".cuh"};
            if (!sources.contains(entry.path().extension().string())) continue;
            ++files;
            for (const auto& include : includes_of(entry.path())) {
                const auto first = include.substr(0, include.find('/'));
                const auto where = fs::relative(entry.path(), kRoot).string();
                if (rooms.contains(first)) {
                    EXPECT_TRUE(may.contains(first)) << where << " includes " << include;
                }
                const bool in_io = where.starts_with("app/io/") || where == "peers/opencv.cpp";
                const bool in_window = where.starts_with("app/shell/") || where.starts_with("app/panels/");
                const bool in_gl = in_window || room == "display";
                if (first == "opencv2") {
                    EXPECT_TRUE(in_io) << where << " includes " << include;
                }
                if (include.starts_with("imgui") || include.starts_with("implot")) {
                    EXPECT_TRUE(in_window) << where << " includes " << include;
                }
                if (first == "epoxy" || first == "GL" || first == "EGL" || first == "GLFW") {
                    EXPECT_TRUE(in_gl) << where << " includes " << include;
                }
                if (include.starts_with("cuda_gl_interop")) {
                    EXPECT_EQ(room, "display") << where << " includes " << include;
                }
            }
        }
    }
    EXPECT_GT(files, 40);
}

void folder_agrees(const std::string& folder, const std::string& registry) {
    const auto list = text_of(kRoot / registry);
    ASSERT_FALSE(list.empty()) << registry;
    for (const auto& entry : fs::directory_iterator(kRoot / folder)) {
        const auto extension = entry.path().extension();
        if (extension != ".cpp" && extension != ".cu") continue;
        const auto stem = entry.path().stem().string();
        if (stem == "registry") continue;
        std::string constant = "k";
        for (std::size_t i = 0; i < stem.size(); ++i)
            if (stem[i] != '_')
                constant += i == 0 || stem[i - 1] == '_' ? static_cast<char>(std::toupper(stem[i])) : stem[i];
        EXPECT_NE(list.find("&" + constant), std::string::npos)
            << folder << "/" << stem << " is not in " << registry;
    }
}

/// Every file that defines what `definition` finds, a name in its first group, is in the registry, and the other way round.
void definitions_agree(const std::string& folder, const std::regex& definition, const std::regex& entry) {
    std::set<std::string> defined, listed;
    const auto collect = [](const std::string& text, const std::regex& what, std::set<std::string>& names) {
        for (std::sregex_iterator i(text.begin(), text.end(), what), end; i != end; ++i)
            names.insert((*i)[1]);
    };
    for (const auto& file : fs::directory_iterator(kRoot / folder))
        if (file.path().extension() == ".cpp" && file.path().stem() != "registry")
            collect(text_of(file.path()), definition, defined);
    collect(text_of(kRoot / folder / "registry.cpp"), entry, listed);
    EXPECT_EQ(defined, listed) << folder;
    EXPECT_FALSE(defined.empty()) << folder;
}

TEST(House, FoldersAgreeWithTheirRegistries) {
    folder_agrees("cpu/algorithms", "cpu/algorithms/registry.cpp");
    folder_agrees("gpu/algorithms", "gpu/algorithms/registry.cpp");
    folder_agrees("filters/named", "filters/named/registry.cpp");
    folder_agrees("measure/peers", "peers/registry.cpp");
    definitions_agree("app/commands", std::regex(R"(\nconst Command k(\w+)Command)"),
                      std::regex(R"(&k(\w+)Command)"));
    definitions_agree("app/panels", std::regex(R"(make_(\w+)_panel\(\) \{)"),
                      std::regex(R"(PANEL\((\w+)\) *\\?\n)"));
}

} // namespace
