#include "filters/preset_text.hpp"

namespace kg {

Values preset_values(std::string_view id, std::span<const std::string_view> parts) {
    Values given;
    for (const auto part : parts.subspan(1)) {
        const auto equals = part.find('=');
        if (equals == std::string_view::npos)
            throw Error("no-value", "{}: parameters are written key=value, not {}", id, in_quotes(part));
        if (!given.emplace(part.substr(0, equals), part.substr(equals + 1)).second)
            throw Error("given-twice", "{}: {} is given twice", id, part.substr(0, equals));
    }
    return given;
}

void expect_complete(std::string_view id, std::span<const Parameter> parameters, const Values& values) {
    std::vector<std::string_view> missing;
    std::string example(id);
    for (const auto& parameter : parameters)
        if (!values.contains(parameter.id)) {
            missing.push_back(parameter.id);
            example += ":" + std::string(parameter.id) + "=NUMBER";
        }
    if (!missing.empty())
        throw Error("no-value", "{}: {} {} needed, as in {}", id, listed(missing),
                    missing.size() == 1 ? "is" : "are", example);
}

} // namespace kg
