// kernelglass info FILE...: describes images without decoding them.

#include "app/cli/command.hpp"
#include "app/cli/flags/image_flags.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/process/file/recipe_record.hpp"
#include "core/support/error.hpp"
#include "filters/recipe_file.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>
#include <optional>

namespace kg {

namespace {

struct InfoOptions {
    std::vector<std::string> files;
    ReadOptions read;
    Switches switches;
};

std::string channels_of(const PixelFormat& pixels) {
    const bool alpha = pixels.alpha >= 0;
    const bool grey = pixels.channels - (alpha ? 1 : 0) == 1;
    return std::string(grey ? "grey" : "RGB") + (alpha ? " + alpha" : "");
}

std::string orientation_text(int orientation) {
    constexpr const char* kOrientations[] = {"",
                                             "",
                                             "mirrored left to right",
                                             "rotated by 180 degrees",
                                             "mirrored top to bottom",
                                             "mirrored and rotated left",
                                             "rotated right",
                                             "mirrored and rotated right",
                                             "rotated left"};
    return orientation >= 2 && orientation <= 8 ? kOrientations[orientation] : "";
}

/// The origin recorded in a file. `recipe` is empty if it cannot be parsed; the notes then give the reason.
struct Making {
    std::string program, recipe;
};

std::optional<Making> making_of(const std::string& file, ImageInfo& info) {
    if (!info.made_by) return {};
    Making making{program_of(*info.made_by), {}};
    try {
        making.recipe = to_text(recipe_of(*info.made_by, input_name(file)));
    } catch (const Error& error) {
        info.notes.emplace_back(error.what());
    }
    return making;
}

nlohmann::ordered_json document_of(const std::string& file, const ImageInfo& info,
                                   const std::optional<Making>& making) {
    nlohmann::ordered_json made_by;
    if (making) made_by = {{"program", making->program}, {"recipe", making->recipe}};
    return {{"file", file},
            {"format", info.format},
            {"width", info.size.width},
            {"height", info.size.height},
            {"channels", info.pixels.channels},
            {"alpha", info.pixels.alpha >= 0},
            {"premultiplied", info.pixels.premultiplied},
            {"depth", name(info.stored)},
            {"linear", info.linear},
            {"stored_as", info.original},
            {"pages", info.pages},
            {"orientation", info.orientation},
            {"profile", info.icc_name},
            {"exif", info.exif},
            {"xmp", info.xmp},
            {"made_by", made_by},
            {"notes", info.notes},
            {"damage", info.damage}};
}

/// The recipe shortened for one line; --json prints all of it.
std::string shown(const std::string& recipe) {
    constexpr std::size_t kLongest = 200;
    if (recipe.empty()) return "a recipe that cannot be read";
    return recipe.size() <= kLongest ? recipe : recipe.substr(0, kLongest) + "...";
}

void print(const std::string& file, const ImageInfo& info, const std::optional<Making>& making) {
    std::cout << heading_name(file, "standard input") << ": " << info.title << ", " << info.size.width
              << " x " << info.size.height << ", " << channels_of(info.pixels) << ", " << name(info.stored);
    if (!info.original.empty()) std::cout << ", stored as " << info.original;
    if (info.linear) std::cout << ", linear light";
    if (info.pixels.premultiplied) std::cout << ", premultiplied alpha";
    if (info.pages > 1) std::cout << ", " << info.pages << " pages";
    if (const auto text = orientation_text(info.orientation); !text.empty()) std::cout << ", shown " << text;
    if (!info.icc_name.empty()) std::cout << ", profile " << info.icc_name;
    if (info.exif) std::cout << ", EXIF";
    if (info.xmp) std::cout << ", XMP";
    if (making) std::cout << ", made by " << making->program << ": " << shown(making->recipe);
    std::cout << '\n';
}

int info(const InfoOptions& o) {
    refuse_shared_stream(o.files);
    nlohmann::ordered_json document{{"schema", "kernelglass-info/1"},
                                    {"files", nlohmann::ordered_json::array()}};
    std::size_t failed = 0;
    for (const auto& file : o.files) try {
            auto found = file == kStandardStream
                             ? probe(read_standard_image(o.read), input_name(file), o.read)
                             : probe(std::filesystem::path(file), o.read);
            const auto making = making_of(file, found);
            if (o.switches.json) document["files"].push_back(document_of(file, found, making));
            else print(file, found, making);
            if (!found.damage.empty()) o.switches.warning(input_name(file) + ": " + found.damage);
            if (o.switches.verbose)
                for (const auto& note : found.notes) o.switches.detail(input_name(file) + ": " + note);
        } catch (const Error& error) {
            print_error(error);
            document["files"].push_back({{"file", file}, {"error", error.what()}, {"code", error.code()}});
            ++failed;
        }
    if (o.switches.json) std::cout << document_text(document);
    return failed == 0 ? kDone : failed < o.files.size() ? kSomeFailed : kUsage;
}

Action declare_info(CLI::App& app) {
    const auto o = std::make_shared<InfoOptions>();
    app.add_option("FILE", o->files, "Images; - is standard input")->required()->type_name("FILE");
    add_page_flag(app, o->read);
    add_max_pixels_flag(app, o->read);
    o->switches.add_to(app);
    return [o] { return info(*o); };
}

} // namespace

extern const Command kInfoCommand;
const Command kInfoCommand{
    "info",
    "Show size, depth, channels, profile, pages and recipe of images",
    "The size is that of the upright image, as filters see it. Pixels are not decoded, so damage to them is "
    "not detected, except that a JPEG or PNM ends early. The exit code is 1 if some files cannot be "
    "read and 2 if none can.",
    {{"kernelglass info photo.jpg", "print one line about an image"},
     {"kernelglass info --json *.tif", "print all properties as JSON"}},
    declare_info,
    false,
    "Put a name with spaces in quotation marks"};

} // namespace kg
