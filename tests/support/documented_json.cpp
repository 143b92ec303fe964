#include "tests/support/documented_json.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <regex>
#include <set>

namespace kg::testing {

namespace {

using Json = nlohmann::json;

struct Key {
    std::set<std::string> types; ///< includes "null" if it is allowed
    bool optional = false;
};
using Schema = std::map<std::string, Key>; ///< by path

std::string type_of(const Json& value) { return value.is_array() ? "list" : value.type_name(); }

class Checker {
public:
    explicit Checker(const std::string& wanted) {
        std::ifstream lines(KG_SOURCE_DIR "/docs/json.md");
        const std::regex row(R"(\| `([^`]+)` \| ([a-z]+)( or null)?(, optional)? \|.*)");
        bool here = false;
        for (std::string line; std::getline(lines, line);) {
            std::smatch match;
            if (line.starts_with("## ")) here = line.substr(3) == wanted;
            else if (std::regex_match(line, match, row)) {
                if (!here) continue;
                auto& key = schema_[match[1]];
                key.types.insert(match[2]);
                if (match[3].matched) key.types.insert("null");
                key.optional = match[4].matched;
            } else if (here && line.starts_with("| `")) {
                faults.push_back("not understood: " + line);
            }
        }
        if (schema_.empty()) faults.push_back("docs/json.md does not know " + wanted);
    }

    void check(const Json& value, const std::string& path) {
        if (value.is_array()) {
            for (const auto& item : value)
                if (item.is_object()) check(item, path + "[]");
            return;
        }
        if (!value.is_object()) return;
        const auto prefix = path.empty() ? "" : path + ".";
        for (const auto& [name, member] : value.items()) {
            const auto found = schema_.find(prefix + name);
            if (found == schema_.end()) {
                faults.push_back(prefix + name + " is not documented");
                continue;
            }
            if (!found->second.types.contains(type_of(member)))
                faults.push_back(prefix + name + " is a " + type_of(member));
            check(member, prefix + name);
        }
        for (const auto& [name, key] : schema_) { // direct members of this object
            if (!name.starts_with(prefix) || name.find_first_of(".[", prefix.size()) != std::string::npos)
                continue;
            if (!key.optional && !value.contains(name.substr(prefix.size())))
                faults.push_back(name + " is missing");
        }
    }

    std::vector<std::string> faults;

private:
    Schema schema_;
};

} // namespace

std::vector<std::string> undocumented(std::string_view document, const std::string& schema) {
    Checker checker(schema);
    const auto json = Json::parse(document);
    if (json.value("schema", "") != schema)
        checker.faults.push_back("the document's schema is not " + schema);
    checker.check(json, "");
    return checker.faults;
}

} // namespace kg::testing
