#include "app/io/metadata/made_by.hpp"

#include "app/io/codecs/png/png_chunks.hpp"
#include "app/io/formats.hpp"
#include "app/io/metadata/xmp.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

constexpr std::string_view kKeyword = "Kernelglass recipe";
constexpr const char *kProgram = "Program", *kText = "Recipe", *kJson = "RecipeJson";

constexpr const char* kAttribute = "kernelglassRecipe";

bool is_attribute(const Metadata::Attribute& attribute) { return attribute.name == kAttribute; }
bool is_ours(const Metadata::Chunk& chunk) { return io::is_text_under(chunk, kKeyword); }

/// Three parts: a line for the program, a line for the recipe as text, and the recipe as JSON.
std::string lines_of(const MadeBy& made) { return made.program + "\n" + made.text + "\n" + made.json; }

std::optional<MadeBy> from_lines(const std::string& lines) {
    const auto first = lines.find('\n');
    const auto second = first == lines.npos ? first : lines.find('\n', first + 1);
    if (second == lines.npos) return {};
    return MadeBy{lines.substr(0, first), lines.substr(first + 1, second - first - 1),
                  lines.substr(second + 1)};
}

} // namespace

std::optional<MadeBy> made_by(const Metadata& metadata) {
    if (const auto chunk = std::ranges::find_if(metadata.chunks, is_ours); chunk != metadata.chunks.end())
        if (auto made = from_lines(io::text_of(*chunk))) return made;
    if (const auto found = std::ranges::find_if(metadata.attributes, is_attribute);
        found != metadata.attributes.end())
        if (auto made = from_lines(found->data)) return made;
    auto properties = io::own_properties(metadata.xmp);
    if (properties[kJson].empty()) return {};
    return MadeBy{std::move(properties[kProgram]), std::move(properties[kText]),
                  std::move(properties[kJson])};
}

namespace io {

void drop_made_by(Metadata& metadata) {
    std::erase_if(metadata.chunks, is_ours);
    std::erase_if(metadata.attributes, is_attribute);
    if (own_properties(metadata.xmp).empty()) return; // the packet stays unchanged, even if it is damaged
    if (auto others = with_own_properties(metadata.xmp, {})) metadata.xmp = std::move(*others);
}

void add_made_by(Metadata& metadata, const MadeBy& made, const FileFormat& format, std::size_t most_xmp,
                 std::vector<std::string>& notes) {
    if (format.id == "exr") metadata.attributes.push_back({kAttribute, "string", lines_of(made)});
    if (!format.metadata) return;
    if (format.id == "png") {
        // Neither compressed nor in a language: both fields are empty.
        metadata.chunks.push_back({"iTXt", std::string(kKeyword) + std::string(5, '\0') + lines_of(made)});
        return;
    }
    OwnProperties own{{kProgram, made.program}, {kJson, made.json}};
    if (!made.text.empty()) own[kText] = made.text;
    auto packet = with_own_properties(metadata.xmp, own);
    if (!packet)
        notes.push_back("the image's XMP cannot be understood, so that the recipe is not written into it");
    else if (packet->size() > most_xmp)
        notes.push_back("the recipe is larger than " + std::string(format.title) + " can hold: left out");
    else metadata.xmp = std::move(*packet);
}

} // namespace io

} // namespace kg
