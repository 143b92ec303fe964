#include "app/io/opening.hpp"

#include "app/io/metadata/colour.hpp"
#include "app/io/metadata/metadata.hpp"
#include "app/io/metadata/orientation.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kg {

namespace {
constexpr std::string_view kDamaged = "damaged: ";
} // namespace

namespace io {

namespace {

/// Embeds a profile for Adobe RGB that only EXIF declares. Few programs read it there, and it is lost with
/// EXIF.
void take_colour_of_exif(Header& header) {
    auto& metadata = header.metadata;
    const bool has_colour_chunks = std::ranges::any_of(metadata.chunks, [](const auto& chunk) {
        return !chunk.type.ends_with("Xt"); // not a text, so about colour
    });
    const bool rgb = header.pixels.channels >= 3 && header.original.empty();
    if (!metadata.icc.empty() || has_colour_chunks || !rgb || !declares_adobe_rgb(metadata.exif)) return;
    metadata.icc = adobe_rgb_profile();
    header.details.emplace_back("its EXIF declares Adobe RGB, which becomes its colour profile");
}

} // namespace

std::string printable(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < 32 || c > 126; }, '?');
    return text;
}

Error in_context(const std::string& what, const Error& error) {
    const auto message = printable(error.what());
    if (message == error.what()) return error.after(what + ": ");
    return Error(error.code(), "{}", message).after(what + ": ");
}

Error in_context(const std::string& what, const FileError& error) {
    const auto& name = error.name();
    if (!what.ends_with(" " + name)) return in_context(what, static_cast<const Error&>(error));
    return Error(error.code(), "{}: {}", name, printable(error.reason()))
        .after(what.substr(0, what.size() - name.size()));
}

const FileFormat& format_of_file(std::string_view start, int page) {
    if (start.empty()) throw Error("empty-file", "the file is empty");
    const auto* format = format_of_bytes(start);
    if (!format)
        throw Error("not-an-image",
                    "it is not an image, or of a format that is not read (see `kernelglass list formats`)");
    if (page < 1) throw Error("bad-page", "pages are counted from 1");
    return *format;
}

void complete(Header& header, int page) {
    take_colour_of_exif(header);
    if (page > header.pages) throw Error("no-such-page", "it has no page {}, only {}", page, header.pages);
}

std::string_view depth_note(Depth stored) {
    switch (stored) {
    case Depth::u8: return {};
    case Depth::u16: return "16-bit";
    case Depth::f16: return "16-bit float";
    case Depth::f32: return "float";
    }
    return {};
}

std::vector<std::string> notes_of(const Header& header, int page) {
    std::vector<std::string> notes;
    if (const auto depth = depth_note(header.stored); !depth.empty()) notes.emplace_back(depth);
    if (!header.original.empty()) notes.push_back(header.original);
    if (header.pages > 1)
        notes.push_back("page " + std::to_string(page) + " of " + std::to_string(header.pages));
    std::ranges::transform(header.notes, std::back_inserter(notes), printable);
    return notes;
}

std::string damage_note(const std::string& damage) {
    return damage.empty() ? damage : std::string(kDamaged) + printable(damage);
}

LoadedImage image_of(Header header, const FileFormat& format, int page) {
    LoadedImage image;
    image.notes = notes_of(header, page);
    image.format = format.id;
    image.original = std::move(header.original);
    image.stored = header.stored;
    image.page = page;
    image.pages = header.pages;
    image.orientation = header.orientation;
    image.linear = header.linear;
    image.metadata = std::move(header.metadata);
    image.details = std::move(header.details);
    if (auto& density = image.metadata.density; exchanges_axes(header.orientation))
        std::swap(density.x, density.y);
    return image;
}

} // namespace io

bool is_damage_note(std::string_view note) { return note.starts_with(kDamaged); }

bool is_plain_note(const LoadedImage& image, std::string_view note) {
    return note == io::depth_note(image.stored) || (!note.empty() && note == image.original);
}

} // namespace kg
