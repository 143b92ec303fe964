// kernelglass info FILE...: what pictures are, without decoding them.

#include "app/cli/command.hpp"
#include "app/cli/flags/picture_flags.hpp"
#include "app/cli/flags/streams.hpp"
#include "app/cli/flags/switches.hpp"
#include "app/process/recipe_record.hpp"
#include "core/support/error.hpp"
#include "filters/recipe_file.hpp"

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

std::string turned(int orientation) {
    constexpr const char* kWays[] = {"",
                                     "",
                                     "mirrored left to right",
                                     "turned by 180 degrees",
                                     "mirrored top to bottom",
                                     "mirrored and turned left",
                                     "turned right",
                                     "mirrored and turned right",
                                     "turned left"};
    return orientation >= 2 && orientation <= 8 ? kWays[orientation] : "";
}

/// What the file says of its making; the recipe is empty where it is not understood, and the reason then among the notes.
struct Making {
    std::string program, recipe;
};

std::optional<Making> making_of(const std::string& file, PictureInfo& info) {
    if (!info.made_by) return {};
    Making making{program_of(*info.made_by), {}};
    try {
        making.recipe = to_text(recipe_of(*info.made_by, input_name(file)));
    } catch (const Error& error) {
        info.notes.emplace_back(error.what());
    }
    return making;
}

nlohmann::ordered_json document_of(const std::string& file, const PictureInfo& info,
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
            {"notes", info.notes}};
}

/// On a line among others; --json has it whole.
std::string shown(const std::string& recipe) {
    constexpr std::size_t kLongest = 200;
    if (recipe.empty()) return "a recipe that is not understood";
    return recipe.size() <= kLongest ? recipe : recipe.substr(0, kLongest) + "...";
}

void print(const std::string& file, const PictureInfo& info, const std::optional<Making>& making) {
    std::cout << heading_name(file, "standard input") << ": " << info.title << ", " << info.size.width
              << " x " << info.size.height << ", " << channels_of(info.pixels) << ", " << name(info.stored);
    if (!info.original.empty()) std::cout << ", stored as " << info.original;
    if (info.linear) std::cout << ", linear light";
    if (info.pixels.premultiplied) std::cout << ", premultiplied alpha";
    if (info.pages > 1) std::cout << ", " << info.pages << " pages";
    if (const auto way = turned(info.orientation); !way.empty()) std::cout << ", shown " << way;
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
                             ? probe(read_standard_picture(o.read), input_name(file), o.read)
                             : probe(std::filesystem::path(file), o.read);
            const auto making = making_of(file, found);
            if (o.switches.json) document["files"].push_back(document_of(file, found, making));
            else print(file, found, making);
            if (o.switches.verbose)
                for (const auto& note : found.notes) o.switches.detail(input_name(file) + ": " + note);
        } catch (const Error& error) {
            print_message(error.what());
            document["files"].push_back({{"file", file}, {"error", error.what()}});
            ++failed;
        }
    if (o.switches.json) std::cout << document_text(document);
    return failed == 0 ? kDone : failed < o.files.size() ? kSomeFailed : kUsage;
}

Action declare(CLI::App& app) {
    const auto o = std::make_shared<InfoOptions>();
    app.add_option("FILE", o->files, "Pictures; - is standard input")->required()->type_name("FILE");
    add_page_flag(app, o->read);
    add_max_pixels_flag(app, o->read);
    o->switches.add_to(app);
    return [o] { return info(*o); };
}

} // namespace

extern const Command kInfoCommand;
const Command kInfoCommand{"info",
                           "Say what pictures are: size, depth, channels, profile, pages, recipe",
                           "Sizes are those of the upright picture, as filters see it. Nothing is decoded, "
                           "so a file may be damaged further "
                           "in. The exit code is 1 if some files could not be read and 2 if none could.",
                           {{"kernelglass info photo.jpg", "one line about a picture"},
                            {"kernelglass info --json *.tif", "all that is known, for a program"}},
                           declare,
                           false,
                           "A name with spaces needs quotation marks"};

} // namespace kg
