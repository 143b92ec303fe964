#include "app/cli/terminal/error_log.hpp"

#include "app/cli/flags/switches.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <exception>
#include <fstream>

namespace kg {

void log_error(const Error& error) noexcept try {
    const auto* file = std::getenv("KERNELGLASS_ERROR_LOG");
    if (!file) return;
    auto arguments = nlohmann::ordered_json::array();
    for (const auto& argument : error.arguments()) arguments.push_back(argument);
    nlohmann::ordered_json line{{"code", error.code()}, {"arguments", arguments}, {"message", error.what()}};
    if (!error.reason_code().empty()) line["reason_code"] = error.reason_code();
    std::ofstream(file, std::ios::app | std::ios::binary) << document_line(line);
} catch (const std::exception&) { // the log must not change how the program ends, even without memory
}

} // namespace kg
