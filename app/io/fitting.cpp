#include "app/io/fitting.hpp"

#include "app/io/metadata/made_by.hpp"
#include "app/io/metadata/metadata.hpp"
#include "app/io/metadata/png_colour.hpp"
#include "app/io/pixels.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <thread>
#include <type_traits>
#include <utility>

namespace kg::io {

bool holds_premultiplied(const FileFormat& format, const Metadata& metadata) {
    return format.premultiplied || (metadata.associated_alpha && codec_of(format.id).room.associated_alpha);
}

PixelFormat fitted_format(const PixelFormat& pixels, const FileFormat& format, const WriteOptions& options,
                          std::vector<std::string>& notes) {
    if (!format.writes[static_cast<std::size_t>(pixels.depth)])
        throw Error("format-cannot-hold", "{} does not hold {}", format.title, name(pixels.depth));
    if (pixels.alpha >= 0 && pixels.alpha != pixels.channels - 1)
        throw Error("unsupported-channels", "its alpha is not the last channel");
    if (pixels.alpha < 0 && pixels.channels % 2 == 0)
        throw Error("unsupported-channels", "it has {} channels without alpha", pixels.channels);
    auto fitted = pixels;
    if (pixels.alpha >= 0 && !format.alpha) {
        notes.push_back(std::string(format.title) + " holds no alpha: left out");
        fitted.alpha = -1;
        fitted.premultiplied = false;
        --fitted.channels;
    } else if (pixels.alpha >= 0) {
        fitted.premultiplied = holds_premultiplied(format, options.metadata ? *options.metadata : Metadata());
    }
    if (options.depth && *options.depth != fitted.depth) fitted.depth = *options.depth, fitted.scale = 1.0f;
    return fitted;
}

Image fitted(const ConstImageView& pixels, const PixelFormat& to) {
    if (pixels.format.channels != to.channels)
        return without_alpha(converted(pixels, to.depth, false).view());
    if (pixels.format.premultiplied != to.premultiplied || pixels.format.depth != to.depth)
        return converted(pixels, to.depth, to.premultiplied);
    return {};
}

namespace {

/// Replaces the gamma and primaries of PNG by an equivalent profile, if the format has room for one. Without
/// them the samples would have another meaning.
void translate_colour(Metadata& metadata, const FileFormat& format, bool grey,
                      std::vector<std::string>& notes) {
    if (codec_of(format.id).room.chunks) return;
    auto profile = metadata.icc.empty() ? profile_of_chunks(metadata, grey) : std::string();
    // Chunks can be dropped if they declare sRGB, the default of every format, or if a profile overrides
    // them.
    const bool redundant = !metadata.icc.empty() || unknown_coding(metadata).empty();
    if (redundant || !profile.empty()) drop_colour_chunks(metadata);
    if (profile.empty()) return;
    if (format.metadata) metadata.icc = std::move(profile);
    notes.push_back(
        format.metadata
            ? "the gamma or primaries that the PNG names are written as a colour profile"
            : std::string(format.title) +
                  " cannot store the gamma or primaries that the PNG names: left out, so that the "
                  "image will look different; linear light converts it to sRGB");
}

std::string names_of(const std::vector<Metadata::Attribute>& attributes) {
    constexpr std::size_t kLongest = 200;
    std::string names;
    for (const auto& attribute : attributes)
        if (names.size() < kLongest) names += (names.empty() ? "" : ", ") + attribute.name;
    return names;
}

} // namespace

Metadata fitted_metadata(const WriteOptions& options, const FileFormat& format, Extent size, bool grey,
                         std::vector<std::string>& notes) {
    auto kept = options.metadata ? *options.metadata : Metadata();
    drop_made_by(kept);
    if (options.strip) kept = stripped(kept);
    translate_colour(kept, format, grey, notes);
    std::string lost;
    const auto need = [&](bool room, auto& data, const std::string& what) {
        if (room || data == std::remove_cvref_t<decltype(data)>()) return;
        lost += (lost.empty() ? "" : ", ") + what;
        data = {};
    };
    const auto& room = codec_of(format.id).room;
    need(format.metadata, kept.exif, "EXIF");
    need(format.metadata, kept.icc, "colour profile");
    need(format.metadata, kept.xmp, "XMP");
    need(room.photoshop, kept.photoshop, "IPTC");
    need(room.comments, kept.comments, "comment");
    need(room.density, kept.density, "density");
    need(room.chunks, kept.chunks, "text or colour data of PNG");
    need(room.attributes, kept.attributes, "attributes of OpenEXR (" + names_of(kept.attributes) + ")");
    if (!lost.empty()) notes.push_back(std::string(format.title) + " holds no " + lost + ": left out");
    auto cleaned = clean(kept, size, notes);
    if (options.made_by && !options.no_recipe && !options.strip)
        add_made_by(cleaned, *options.made_by, format, room.xmp_bytes, notes);
    return cleaned;
}

EncodeSettings settings_of(const WriteOptions& options, std::string_view format_word,
                           const Metadata& metadata) {
    constexpr int kQuality = 95;
    const int quality = options.jpeg_quality.value_or(kQuality);
    if (quality < 1 || quality > 100) throw Error("bad-quality", "JPEG quality goes from 1 to 100");
    if (format_word.starts_with('.')) format_word.remove_prefix(1);
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    return {.extension = format_word,
            .jpeg_quality = quality,
            .metadata = &metadata,
            .threads = options.threads > 0 ? options.threads : std::max(1, cores)};
}

} // namespace kg::io
