#include "tests/support/app/program.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <sstream>

#include <sys/wait.h>

namespace kg::testing {

namespace fs = std::filesystem;

/// A wait for something that the last background job does ends when the job ends, with exit code 99.
const std::string kPause = "pause() { grep -q '^State:.[^Z]' /proc/$!/status || exit 99; sleep 0.01; }\n";

int Program::shell(const std::string& line, const std::string& interpreter) {
    const auto script = folder_.string() + ".script", out = folder_.string() + ".out",
               err = folder_.string() + ".err",
               log = folder_.string() + ".log"; // beside the folder, which holds only the tests' files
    write_file(script, "cd '" + folder_.string() +
                           "' && K=${KERNELGLASS_PROGRAM:-'" KG_PROGRAM
                           "'}\nunset DISPLAY WAYLAND_DISPLAY\nexport KERNELGLASS_ERROR_LOG='" +
                           log + "'\nexport KERNELGLASS_COLD=16M\n" + kPause + line);
    const auto command = interpreter + " '" + script + "' >'" + out + "' 2>'" + err + "' </dev/null";
    const int status = std::system(command.c_str());
    out_ = read_file(out);
    err_ = read_file(err);
    codes_.clear();
    arguments_.clear();
    reason_codes_.clear();
    std::istringstream lines(fs::exists(log) ? read_file(log) : "");
    for (std::string logged; std::getline(lines, logged);) {
        const auto error = nlohmann::json::parse(logged);
        codes_.push_back(error.at("code").get<std::string>());
        arguments_.push_back(error.at("arguments").get<std::vector<std::string>>());
        reason_codes_.push_back(error.value("reason_code", ""));
    }
    for (const auto& file : {script, out, err, log}) fs::remove(file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void Program::expect_refused(std::span<const std::pair<const char*, const char*>> lines) {
    for (const auto& [line, code] : lines) {
        EXPECT_EQ(shell(line), 2) << line << out_;
        EXPECT_EQ(codes_, std::vector<std::string>{code}) << line << "\n" << err_;
        EXPECT_EQ(out_, "") << line;
    }
}

std::string Program::joined_codes() const {
    std::string joined;
    for (const auto& code : codes_) joined += (joined.empty() ? "" : ", ") + code;
    return joined;
}

std::map<std::string, std::string> Program::files_in(const std::string& folder) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(path(folder))) {
        const auto name = fs::relative(entry.path(), path(folder)).string();
        if (entry.is_regular_file() && !name.starts_with(".kernelglass/"))
            files[name] = read_file(entry.path());
    }
    return files;
}

bool Program::has(const std::string& tool) {
    return std::system(("command -v " + tool + " >/dev/null 2>&1").c_str()) == 0;
}

} // namespace kg::testing
