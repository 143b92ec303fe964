// Repository structure: dependencies between folders form a hierarchy, and folders agree with their
// registries.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

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

/// The allowed includes of each folder (docs/architecture.md draws them). Dependencies are transitive.
const std::map<std::string, std::set<std::string>> kArrows{
    {"core", {}},
    {"filters", {"core"}},
    {"cpu", {"core"}},
    {"gpu", {"core"}},
    {"peers", {"cpu", "gpu"}},
    {"display", {"gpu"}},
    {"library", {"filters", "cpu", "gpu"}},
    {"measure", {"peers"}},
    {"app/io", {"core"}},
    {"app/process", {"app/process/engine", "app/io", "filters"}},
    {"app/process/engine", {"peers"}},
    {"python", {"app/process/engine", "filters"}},
    {"app/batch", {"app/process"}},
    {"app/editor", {"app/process"}},
    {"app/bench", {"app/process", "measure"}},
    {"app/bench/display", {"app/bench", "display"}},
    {"app/bench/slider", {"app/bench/display", "app/editor"}},
    {"app/cli", {"app/batch", "app/bench", "app/window"}},
    {"app/ui", {"app/editor", "app/batch", "app/bench", "display", "app/window"}},
    {"app/window", {"app/batch"}}, // the seam: app/window.hpp
    {"app", {"app/cli", "app/bench", "app/window"}}};

/// The top folder of a path such as "app/io/files/files.hpp"; empty for other libraries.
std::string room_of(const std::string& path) {
    std::string best;
    for (const auto& [room, arrows] : kArrows) {
        const bool is_seam = room == "app/window" && path == "app/window.hpp";
        if ((is_seam || path.starts_with(room + "/")) && room.size() > best.size()) best = room;
    }
    return best;
}

std::set<std::string> reachable(const std::string& room) {
    std::set<std::string> all{room};
    for (const auto& next : kArrows.at(room)) all.merge(reachable(next));
    return all;
}

/// True if this file may include this header of another library. Libraries not listed here are unrestricted.
bool may_include_library(const std::string& where, const std::string& include) {
    const auto room = room_of(where);
    const auto begins = [&](std::initializer_list<const char*> words) {
        return std::any_of(words.begin(), words.end(),
                           [&](const char* word) { return include.starts_with(word); });
    };
    const bool gl = room == "app/ui" || room == "display";
    if (begins({"cuda_gl_interop"})) return room == "display";
    if (begins({"cuda", "cub/", "cooperative_groups"}))
        return room == "gpu" || room == "display" || room == "peers" ||
               where.starts_with("core/image/host_device");
    if (begins({"opencv2/"})) return room == "app/io" || where == "peers/opencv.cpp";
    if (begins({"imgui", "implot"})) return room == "app/ui";
    if (begins({"epoxy/", "GL/", "EGL/", "GLFW/"})) return gl;
    if (begins({"X11/"})) return where.starts_with("app/ui/clipboard/");
    if (begins({"nanobind/", "Python.h"})) return room == "python";
    if (begins({"CLI/"})) return room == "app/cli";
    return true;
}

/// The reason why `where` may not include this; empty = it may.
std::string why_forbidden(const std::string& where, const std::string& include) {
    const auto to = room_of(include);
    if (!to.empty() && !reachable(room_of(where)).contains(to)) return where + " includes " + include;
    if (to.empty() && !may_include_library(where, include)) return where + " includes " + include;
    return {};
}

TEST(House, ArrowsPointOneWay) {
    static const std::set<std::string> sources{".hpp", ".cpp", ".cu", ".cuh"};
    std::map<std::string, int> files;
    for (const auto* folder :
         {"core", "filters", "cpu", "gpu", "peers", "display", "library", "measure", "app", "python"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            if (!sources.contains(entry.path().extension().string())) continue;
            const auto where = fs::relative(entry.path(), kRoot).string();
            ++files[room_of(where)];
            EXPECT_TRUE(room_of(where) != "app" || fs::path(where).parent_path() == "app")
                << where << ": a folder below app is a room of its own in kArrows";
            for (const auto& include : includes_of(entry.path()))
                EXPECT_EQ(why_forbidden(where, include), "");
        }
    for (const auto& [room, arrows] : kArrows) EXPECT_GT(files[room], 0) << room << " is empty";
}

/// The folders from which `folder` can be reached by includes.
std::set<std::string> users_of(const std::string& folder,
                               const std::map<std::string, std::set<std::string>>& users) {
    std::set<std::string> all;
    std::vector<std::string> next{folder};
    while (!next.empty()) {
        const auto of = users.find(next.back());
        next.pop_back();
        if (of == users.end()) continue;
        for (const auto& user : of->second)
            if (all.insert(user).second) next.push_back(user);
    }
    return all;
}

TEST(House, FoldersOfARoomPointOneWay) {
    for (const auto* room : {"core", "filters", "peers", "app/process", "app/batch", "app/bench", "app/ui"}) {
        std::map<std::string, std::set<std::string>> users; // of each folder
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / room)) {
            if (!entry.is_regular_file()) continue;
            const auto user = fs::relative(entry.path().parent_path(), kRoot).string();
            for (const auto& include : includes_of(entry.path()))
                if (const auto used = fs::path(include).parent_path().string();
                    used != user && used.starts_with(room))
                    users[used].insert(user);
        }
        for (const auto& [folder, direct] : users)
            EXPECT_FALSE(users_of(folder, users).contains(folder)) << folder << " includes itself by others";
    }
}

TEST(House, AForbiddenIncludeIsFoundInEveryRoom) {
    const std::map<std::string, std::string> wrong{{"core", "cpu/engine.hpp"},
                                                   {"filters", "cpu/engine.hpp"},
                                                   {"cpu", "gpu/engine.hpp"},
                                                   {"gpu", "display/presentation.hpp"},
                                                   {"peers", "measure/verify.hpp"},
                                                   {"display", "measure/verify.hpp"},
                                                   {"library", "peers/peers.hpp"},
                                                   {"measure", "app/process/job.hpp"},
                                                   {"app/io", "app/process/job.hpp"},
                                                   {"app/process", "app/editor/worker/worker.hpp"},
                                                   {"app/process/engine", "app/process/job.hpp"},
                                                   {"python", "app/process/job.hpp"},
                                                   {"app/batch", "app/editor/worker/worker.hpp"},
                                                   {"app/editor", "app/batch/run/job.hpp"},
                                                   {"app/bench", "app/editor/worker/worker.hpp"},
                                                   {"app/bench/display", "app/editor/worker/worker.hpp"},
                                                   {"app/bench/slider", "app/ui/shell/playground.hpp"},
                                                   {"app/cli", "app/ui/shell/playground.hpp"},
                                                   {"app/ui", "app/cli/command.hpp"},
                                                   {"app/window", "app/ui/shell/playground.hpp"},
                                                   {"app", "app/ui/shell/playground.hpp"}};
    for (const auto& [room, arrows] : kArrows) {
        const auto where = room == "app/window" ? "app/window.hpp" : room + "/any.cpp";
        ASSERT_TRUE(fs::exists(kRoot / wrong.at(room))) << wrong.at(room);
        EXPECT_NE(why_forbidden(where, wrong.at(room)), "") << room;
        EXPECT_EQ(why_forbidden(where, "core/support/error.hpp"), "") << room;
        EXPECT_EQ(why_forbidden(where, "vector"), "") << room;
    }
    EXPECT_NE(why_forbidden("app/editor/any.cpp", "imgui.h"), "");
    EXPECT_NE(why_forbidden("app/process/any.cpp", "opencv2/core.hpp"), "");
    EXPECT_NE(why_forbidden("gpu/any.cu", "epoxy/gl.h"), "");
    EXPECT_NE(why_forbidden("app/ui/any.cpp", "cuda_gl_interop.h"), "");
    EXPECT_NE(why_forbidden("filters/any.cpp", "nanobind/nanobind.h"), "");
}

void folder_agrees(const std::string& folder, const std::string& registry) {
    const auto list = text_of(kRoot / registry);
    ASSERT_FALSE(list.empty()) << registry;
    for (const auto& entry : fs::directory_iterator(kRoot / folder)) {
        const auto extension = entry.path().extension();
        if (extension != ".cpp" && extension != ".cu") continue;
        const auto stem = entry.path().stem().string();
        if (stem == "registry" || stem.ends_with("_absent")) continue; // it defines the same constant
        std::string constant = "k";
        for (std::size_t i = 0; i < stem.size(); ++i)
            if (stem[i] != '_')
                constant += i == 0 || stem[i - 1] == '_' ? static_cast<char>(std::toupper(stem[i])) : stem[i];
        EXPECT_NE(list.find("&" + constant), std::string::npos)
            << folder << "/" << stem << " is not in " << registry;
    }
}

/// The names that the files below the folder define, matched by the first group of `definition`, are those of
/// the entries in the list.
void definitions_agree(const std::string& folder, const std::regex& definition, const std::string& list,
                       const std::regex& entry) {
    std::set<std::string> defined, listed;
    const auto collect = [](const std::string& text, const std::regex& what, std::set<std::string>& names) {
        for (std::sregex_iterator i(text.begin(), text.end(), what), end; i != end; ++i)
            names.insert((*i)[1]);
    };
    for (const auto& file : fs::recursive_directory_iterator(kRoot / folder))
        if (file.path().extension() == ".cpp" && file.path().stem() != "registry")
            collect(text_of(file.path()), definition, defined);
    collect(text_of(kRoot / list), entry, listed);
    EXPECT_EQ(defined, listed) << folder << ", " << list;
    EXPECT_FALSE(defined.empty()) << folder;
}

TEST(House, FoldersAgreeWithTheirRegistries) {
    folder_agrees("cpu/algorithms", "cpu/algorithms/registry.cpp");
    folder_agrees("cpu/signals", "cpu/signals/registry.cpp");
    folder_agrees("cpu/banks", "cpu/banks/registry.cpp");
    folder_agrees("cpu/volumes", "cpu/volumes/registry.cpp");
    folder_agrees("gpu/algorithms", "gpu/algorithms/registry.cpp");
    folder_agrees("gpu/banks", "gpu/banks/registry.cpp");
    folder_agrees("gpu/signals", "gpu/signals/registry.cpp");
    folder_agrees("gpu/volumes", "gpu/volumes/registry.cpp");
    folder_agrees("filters/signals", "filters/signals/registry.cpp");
    folder_agrees("filters/banks", "filters/banks/registry.cpp");
    folder_agrees("filters/volumes", "filters/volumes/registry.cpp");
    folder_agrees("filters/named", "filters/named/registry.cpp");
    folder_agrees("peers", "peers/registry.cpp");
    definitions_agree("app/cli", std::regex(R"(\nconst Command k(\w+)Command)"), "app/cli/registry.cpp",
                      std::regex(R"(&k(\w+)Command)"));
    definitions_agree("app/ui/panels", std::regex(R"(make_(\w+)_panel\(\) \{)"), "app/ui/panels/registry.cpp",
                      std::regex(R"(PANEL\((\w+)\) *\\?\n)"));
    definitions_agree("app/io/codecs", std::regex(R"(\nconst Codec k(\w+)Codec)"),
                      "app/io/codecs/registry.cpp", std::regex(R"(&k(\w+)Codec)"));
    definitions_agree("app/io/codecs", std::regex(R"x(\nconst Codec k\w+Codec\{\s*"(\w+)")x"),
                      "app/io/formats.cpp", std::regex(R"x(\.id = "(\w+)")x"));
}

/// The functions that a source defines outside classes, but for tests.
std::set<std::string> functions_of(const fs::path& path) {
    static const std::regex head(R"(^[A-Za-z_][\w:<>,&* ]*[ &*]([a-z_]\w*)\()");
    std::ifstream file(path);
    std::set<std::string> names;
    for (std::string line; std::getline(file, line);)
        if (std::smatch found; std::regex_search(line, found, head)) names.insert(found[1]);
    return names;
}

TEST(House, HelpersOfTestsInOneFolderHaveDifferentNames) { // several sources are compiled as one
    for (const auto& folder : fs::directory_iterator(kRoot / "tests")) {
        const auto name = folder.path().filename();
        if (!folder.is_directory() || name == "support" || name == "gpu")
            continue; // those are compiled alone
        std::map<std::string, fs::path> defined;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".cpp")
                for (const auto& function : functions_of(entry.path())) {
                    const auto [at, is_new] = defined.emplace(function, entry.path());
                    EXPECT_TRUE(is_new) << entry.path() << ": " << function << " is also in " << at->second;
                }
    }
}

/// Code points of UTF-8.
std::size_t columns_of(const std::string& line) {
    return static_cast<std::size_t>(
        std::count_if(line.begin(), line.end(), [](char byte) { return (byte & 0xc0) != 0x80; }));
}

/// Fails for each line of the file that has more columns. Rows of Markdown's tables cannot be broken.
void expect_narrow(const fs::path& path, std::size_t columns, bool has_tables = false) {
    std::ifstream file(path);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (has_tables && line.starts_with('|')) continue;
        EXPECT_LE(columns_of(line), columns) << path << ":" << number;
    }
    EXPECT_GT(number, 0) << path;
}

TEST(House, LinesHaveAtMost110Columns) { // .clang-format does not break comments
    constexpr std::size_t kColumns = 110;
    const std::set<std::string> code{".cpp", ".hpp", ".cu", ".cuh", ".py", ".cmake", ".frag", ".vert"};
    const std::set<fs::path> longer{
        "measure/report/html/html_assets.cpp", // CONTRIBUTING.md gives the reasons
        "tests/io/image_errors_test.cpp"};
    for (const auto* file : {".ci/run", ".clang-format", ".clang-tidy", ".editorconfig", "CMakeLists.txt"})
        expect_narrow(kRoot / file, kColumns);
    for (const auto& entry : fs::directory_iterator(kRoot / "scripts"))
        if (entry.is_regular_file()) expect_narrow(entry.path(), kColumns);
    for (const auto* folder : {"app", "cmake", "core", "cpu", "display", "examples", "filters", "gpu",
                               "library", "measure", "peers", "python", "shaders", "tests"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
            if ((code.contains(entry.path().extension().string()) ||
                 entry.path().filename() == "CMakeLists.txt") &&
                !longer.contains(fs::relative(entry.path(), kRoot)))
                expect_narrow(entry.path(), kColumns);
}

TEST(House, DocumentsHaveAtMost120Columns) {
    constexpr std::size_t kColumns = 120;
    int documents = 0;
    const auto check = [&](const fs::path& path) {
        if (path.extension() != ".md") return;
        expect_narrow(path, kColumns, true);
        ++documents;
    };
    for (const auto& entry : fs::directory_iterator(kRoot)) check(entry.path());
    for (const auto* folder : {".github", "assets", "docs"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) check(entry.path());
    EXPECT_GT(documents, 20);
}

TEST(House, InterfacePromisesNameTestsThatExist) {
    std::set<std::string> tests;
    static const std::regex test(R"(\nTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / "tests")) {
        if (entry.path().extension() != ".cpp") continue;
        const auto text = text_of(entry.path());
        for (std::sregex_iterator i(text.begin(), text.end(), test), end; i != end; ++i)
            tests.insert((*i)[1].str() + "." + (*i)[2].str());
    }
    const auto promises = text_of(kRoot / "docs/interface-coverage.md");
    static const std::regex name(R"(`([A-Z]\w*\.\w+)`)");
    int named = 0;
    for (std::sregex_iterator i(promises.begin(), promises.end(), name), end; i != end; ++i, ++named)
        EXPECT_TRUE(tests.contains((*i)[1])) << (*i)[1];
    EXPECT_GT(named, 100);
}

} // namespace
