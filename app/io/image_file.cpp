#include "app/io/image_file.hpp"

#include "app/io/codecs/codec.hpp"
#include "app/io/colour.hpp"
#include "app/io/limits.hpp"
#include "app/io/made_by.hpp"
#include "app/io/metadata.hpp"
#include "app/io/orientation.hpp"
#include "app/io/pixels.hpp"
#include "app/io/png_colour.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <type_traits>
#include <utility>

namespace kg {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDamaged = "damaged: ";

/// Reasons and notes may quote a hostile file; what does not print would upset terminals and JSON.
std::string printable(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < 32 || c > 126; }, '?');
    return text;
}

/// Runs the work on a file; whatever goes wrong becomes a sentence that begins with what could not be done.
template <typename Work>
auto in_words(const std::string& what, Work work) {
    try {
        return work();
    } catch (const Error& error) {
        throw Error(what + ": " + printable(error.what()));
    } catch (const std::bad_alloc&) {
        throw Error(what + ": there is not enough memory for it");
    } catch (const std::exception& error) {
        throw Error(what + ": it is damaged: " + printable(error.what()));
    }
}

struct Opened {
    const FileFormat* format;
    const io::Codec* codec;
    io::Header header;
};

/// Cameras say Adobe RGB in EXIF alone, which few programs look for, and which is lost where EXIF is.
void take_colour_of_exif(io::Header& header) {
    auto& metadata = header.metadata;
    const bool png_says = std::ranges::any_of(metadata.chunks, [](const auto& chunk) {
        return !chunk.type.ends_with("Xt"); // no text, so about colour
    });
    const bool rgb = header.pixels.channels >= 3 && header.original.empty();
    if (!metadata.icc.empty() || png_says || !rgb || !io::says_adobe_rgb(metadata.exif)) return;
    metadata.icc = adobe_rgb_profile();
    header.details.emplace_back("its EXIF says Adobe RGB, which becomes its colour profile");
}

Opened open(std::string_view bytes, int page) {
    if (bytes.empty()) throw Error("the file is empty");
    const auto* format = format_of_bytes(bytes);
    if (!format)
        throw Error("it is not a picture, or of a format that is not read (see `kernelglass list formats`)");
    if (page < 1) throw Error("pages are counted from 1");
    const auto& codec = io::codec_of(format->id);
    auto header = codec.header({bytes, page});
    take_colour_of_exif(header);
    if (page > header.pages)
        throw Error("it has no page " + std::to_string(page) + ", only " + std::to_string(header.pages));
    return {format, &codec, std::move(header)};
}

/// Empty where it is what one expects.
std::string_view depth_note(Depth stored) {
    switch (stored) {
    case Depth::u8: return {};
    case Depth::u16: return "16-bit";
    case Depth::f16: return "16-bit float";
    case Depth::f32: return "float";
    }
    return {};
}

std::vector<std::string> notes_of(const io::Header& header, int page) {
    std::vector<std::string> notes;
    if (const auto depth = depth_note(header.stored); !depth.empty()) notes.emplace_back(depth);
    if (!header.original.empty()) notes.push_back(header.original);
    if (header.pages > 1)
        notes.push_back("page " + std::to_string(page) + " of " + std::to_string(header.pages));
    std::ranges::transform(header.notes, std::back_inserter(notes), printable);
    return notes;
}

/// What of the picture the format can hold, ready for its codec; says what had to go.
Image fitted(const ConstImageView& picture, const FileFormat& format, std::vector<std::string>& notes) {
    const auto& pixels = picture.format;
    if (!format.writes[static_cast<std::size_t>(pixels.depth)])
        throw Error(std::string(format.title) + " does not hold " + std::string(name(pixels.depth)));
    if (pixels.alpha >= 0 && pixels.alpha != pixels.channels - 1)
        throw Error("its alpha is not the last channel");
    if (pixels.alpha < 0 && pixels.channels % 2 == 0)
        throw Error("it has " + std::to_string(pixels.channels) + " channels without alpha");
    if (pixels.alpha >= 0 && !format.alpha) {
        notes.push_back(std::string(format.title) + " holds no alpha: left out");
        const auto straight = io::with_premultiplied(picture, false);
        return io::without_alpha(straight.view());
    }
    if (pixels.alpha >= 0 && pixels.premultiplied != format.premultiplied)
        return io::with_premultiplied(picture, format.premultiplied);
    return {};
}

/// Without PNG's own gamma and primaries its samples mean something else: a profile says the same, where there is room.
void translate_colour(Metadata& metadata, const FileFormat& format, bool grey,
                      std::vector<std::string>& notes) {
    if (io::codec_of(format.id).room.chunks) return;
    auto profile = metadata.icc.empty() ? io::profile_of_chunks(metadata, grey) : std::string();
    // Nothing is lost with chunks that say sRGB, which every format means, or that a profile has overruled.
    const bool redundant = !metadata.icc.empty() || io::unknown_coding(metadata).empty();
    if (redundant || !profile.empty()) io::drop_colour_chunks(metadata);
    if (profile.empty()) return;
    if (format.metadata) metadata.icc = std::move(profile);
    notes.push_back(format.metadata
                        ? "the gamma or primaries that the PNG names are written as a colour profile"
                        : std::string(format.title) +
                              " cannot say the gamma or primaries that the PNG names: left out, so that the "
                              "picture will look different; linear light converts it to sRGB");
}

std::string names_of(const std::vector<Metadata::Attribute>& attributes) {
    constexpr std::size_t kLongest = 200;
    std::string names;
    for (const auto& attribute : attributes)
        if (names.size() < kLongest) names += (names.empty() ? "" : ", ") + attribute.name;
    return names;
}

Metadata fitted(const WriteOptions& options, const FileFormat& format, const ConstImageView& picture,
                std::vector<std::string>& notes) {
    auto kept = options.metadata ? *options.metadata : Metadata();
    io::drop_made_by(kept);
    if (options.strip) kept = io::stripped(kept);
    translate_colour(kept, format, picture.format.channels < 3, notes);
    std::string lost;
    const auto need = [&](bool room, auto& part, const std::string& what) {
        if (room || part == std::remove_cvref_t<decltype(part)>()) return;
        lost += (lost.empty() ? "" : ", ") + what;
        part = {};
    };
    const auto& room = io::codec_of(format.id).room;
    need(format.metadata, kept.exif, "EXIF");
    need(format.metadata, kept.icc, "colour profile");
    need(format.metadata, kept.xmp, "XMP");
    need(room.photoshop, kept.photoshop, "IPTC");
    need(room.comments, kept.comments, "comment");
    need(room.density, kept.density, "density");
    need(room.chunks, kept.chunks, "text or colour data of PNG");
    need(room.attributes, kept.attributes, "attributes of OpenEXR (" + names_of(kept.attributes) + ")");
    if (!lost.empty()) notes.push_back(std::string(format.title) + " holds no " + lost + ": left out");
    auto cleaned = io::clean(kept, picture.size, notes);
    if (options.made_by && !options.no_recipe && !options.strip)
        io::add_made_by(cleaned, *options.made_by, format, room.xmp_bytes, notes);
    return cleaned;
}

} // namespace

ReadLimits picture_limits(std::string_view name, const ReadOptions& options) {
    return {.whole_files = options.max_pixels.has_value(),
            .of_file = "a picture",
            .way_out = "; `--max-pixels N` opens more",
            .check_start = [name = std::string(name)](std::string_view start) {
                if (!start.empty() && !format_of_bytes(start))
                    in_words("cannot open " + name, [&] { open(start, 1); }); // says so
            }};
}

Picture decode_picture(std::string_view bytes, std::string_view name, const ReadOptions& options) {
    return in_words("cannot open " + std::string(name), [&] {
        auto [format, codec, header] = open(bytes, options.page);
        io::check_size(header.size, header.pixels, bytes.size(), options);
        auto decoded = codec->decode({bytes, options.page}, header);
        Picture picture;
        picture.image = io::upright(std::move(decoded.image), header.orientation);
        picture.notes = notes_of(header, options.page);
        if (!decoded.damage.empty())
            picture.notes.push_back(std::string(kDamaged) + printable(decoded.damage));
        picture.format = format->id;
        picture.original = header.original;
        picture.stored = header.stored;
        picture.page = options.page;
        picture.pages = header.pages;
        picture.orientation = header.orientation;
        picture.linear = header.linear;
        picture.metadata = std::move(header.metadata);
        picture.details = std::move(header.details);
        if (auto& density = picture.metadata.density; io::turns(header.orientation))
            std::swap(density.x, density.y);
        return picture;
    });
}

Picture read_picture(const fs::path& path, const ReadOptions& options) {
    auto picture = decode_picture(read_file(path, picture_limits(quoted(path), options)), quoted(path),
                                  options);
    picture.path = path;
    return picture;
}

bool is_damage_note(std::string_view note) { return note.starts_with(kDamaged); }

bool is_plain_note(const Picture& picture, std::string_view note) {
    return note == depth_note(picture.stored) || (!note.empty() && note == picture.original);
}

PictureInfo probe(std::string_view bytes, std::string_view name, const ReadOptions& options) {
    return in_words("cannot open " + std::string(name), [&] {
        const auto [format, codec, header] = open(bytes, options.page);
        PictureInfo info;
        info.format = format->id;
        info.title = header.title.empty() ? format->title : header.title;
        info.size = io::upright(header.size, header.orientation);
        info.pixels = header.pixels;
        info.stored = header.stored;
        info.original = header.original;
        info.pages = header.pages;
        info.orientation = header.orientation;
        info.linear = header.linear;
        info.icc_name = icc_name(header.metadata.icc);
        info.exif = !header.metadata.exif.empty();
        info.xmp = !header.metadata.xmp.empty();
        info.made_by = made_by(header.metadata);
        info.notes = notes_of(header, options.page);
        info.notes.insert(info.notes.end(), header.details.begin(), header.details.end());
        return info;
    });
}

PictureInfo probe(const fs::path& path, const ReadOptions& options) {
    return probe(read_file(path, picture_limits(quoted(path), options)), quoted(path), options);
}

Encoded encode_picture(const ConstImageView& picture, std::string_view format_word, std::string_view name,
                       const WriteOptions& options) {
    return in_words("cannot write " + std::string(name), [&] {
        const auto& format = format_of(format_word);
        const int quality = options.jpeg_quality.value_or(95);
        if (quality < 1 || quality > 100) throw Error("JPEG quality goes from 1 to 100");
        std::vector<std::string> notes;
        const auto changed = fitted(picture, format, notes);
        const auto metadata = fitted(options, format, picture, notes);
        if (format_word.starts_with('.')) format_word.remove_prefix(1);
        auto encoded = io::codec_of(format.id).encode(changed.empty() ? picture : changed.view(),
                                                      {format_word, quality, &metadata});
        encoded.notes.insert(encoded.notes.begin(), notes.begin(), notes.end());
        std::ranges::transform(encoded.notes, encoded.notes.begin(), printable);
        return encoded;
    });
}

std::vector<std::string> write_picture(const fs::path& path, const ConstImageView& picture,
                                       const WriteOptions& options) {
    const auto format = options.format.empty() ? path.extension().string() : options.format;
    auto encoded = encode_picture(picture, format, quoted(path), options);
    write_file(path, encoded.bytes);
    return std::move(encoded.notes);
}

} // namespace kg
