#include "app/batch/session/session_command.hpp"

#include <string>
#include <utility>

namespace kg::batch {

namespace {

constexpr std::size_t kMostInputsTyped = 20;

std::string_view name(OnExists on_exists) {
    switch (on_exists) {
    case OnExists::fail: return "fail";
    case OnExists::skip: return "skip";
    case OnExists::overwrite: return "overwrite";
    case OnExists::rename: return "rename";
    }
    return {};
}

} // namespace

CommandText command_of(const BatchSettings& settings, std::string_view engine, const ReadOptions& read,
                       const std::filesystem::path& folder) {
    const auto options = options_for(settings);
    const auto out = std::filesystem::absolute(settings.out).string();
    CommandLine line(folder);
    line.word("kernelglass"), line.word("batch");
    if (settings.inputs.size() <= kMostInputsTyped) {
        for (const auto& input : settings.inputs) line.word(std::filesystem::absolute(input).string());
        line.word(out);
    } else {
        std::string names; // which may contain line feeds
        for (const auto& input : settings.inputs) names += std::filesystem::absolute(input).string() + '\0';
        line.file_flag("--files-from", "inputs.list", std::move(names));
        line.word("-0");
        line.flag("-o", out);
    }
    if (settings.recursive) line.word("-r");
    line.recipe(options.recipe);
    if (!options.write.format.empty()) line.flag("--format", options.write.format);
    if (options.write.jpeg_quality) line.flag("--quality", std::to_string(*options.write.jpeg_quality));
    if (options.on_exists != OnExists::fail) line.flag("--on-exists", name(options.on_exists));
    line.computed_by(engine, options.algorithm);
    if (read.max_pixels) line.flag("--max-pixels", std::to_string(*read.max_pixels));
    return std::move(line).take();
}

} // namespace kg::batch
