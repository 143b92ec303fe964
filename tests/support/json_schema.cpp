#include "tests/support/json_schema.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace kg::testing {

namespace {

using Json = nlohmann::json;
using Faults = std::vector<std::string>;

bool has_type(const Json& value, const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    return type == value.type_name();
}

class Validator {
public:
    explicit Validator(const Json& root) : root_(root) {}

    Faults faults(const Json& schema, const Json& value, const std::string& where) const {
        Faults found;
        const auto fault = [&](const std::string& what) { found.push_back(where + ": " + what); };
        const auto add = [&](Faults more) { found.insert(found.end(), more.begin(), more.end()); };
        for (const auto& [keyword, rule] : schema.items()) {
            if (kWords.contains(keyword)) continue;
            if (keyword == "type") {
                const auto types = rule.is_array() ? rule : Json::array({rule});
                if (!std::ranges::any_of(types, [&](const Json& type) { return has_type(value, type); }))
                    fault("is " + value.dump().substr(0, 40) + ", not " + rule.dump());
            } else if (keyword == "const") {
                if (value != rule) fault("is not " + rule.dump());
            } else if (keyword == "enum") {
                if (std::ranges::find(rule, value) == rule.end()) fault("is not one of " + rule.dump());
            } else if (keyword == "minimum") {
                if (value.is_number() && value < rule) fault("is below " + rule.dump());
            } else if (keyword == "maximum") {
                if (value.is_number() && value > rule) fault("is above " + rule.dump());
            } else if (keyword == "required") {
                for (const auto& name : rule)
                    if (value.is_object() && !value.contains(name.get<std::string>()))
                        fault("lacks " + name.dump());
            } else if (keyword == "properties") {
                for (const auto& [name, inside] : rule.items())
                    if (value.is_object() && value.contains(name))
                        add(faults(inside, value.at(name), where + "." + name));
            } else if (keyword == "items") {
                for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
                    add(faults(rule, value[i], where + "[" + std::to_string(i) + "]"));
            } else if (keyword == "$ref") {
                add(faults(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, where));
            } else if (keyword == "anyOf") {
                if (std::ranges::none_of(rule,
                                         [&](const Json& one) { return faults(one, value, where).empty(); }))
                    fault("is none of what anyOf allows");
            } else if (keyword == "if") {
                const auto* branch = faults(rule, value, where).empty() ? "then" : "else";
                if (schema.contains(branch)) add(faults(schema.at(branch), value, where));
            } else {
                fault("the schema uses " + keyword + ", which this validator does not support");
            }
        }
        return found;
    }

private:
    /// Keywords without an effect on validation.
    inline static const std::set<std::string> kWords{"$schema",     "$id",  "$defs", "title",
                                                     "description", "then", "else"};
    const Json& root_;
};

} // namespace

std::vector<std::string> schema_faults(std::string_view schema, std::string_view document) {
    const auto rules = Json::parse(schema);
    return Validator(rules).faults(rules, Json::parse(document), "$");
}

} // namespace kg::testing
