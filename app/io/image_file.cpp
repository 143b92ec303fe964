#include "app/io/image_file.hpp"

#include "app/io/codecs/codec.hpp"
#include "app/io/context.hpp"
#include "app/io/fitting.hpp"
#include "app/io/limits.hpp"
#include "app/io/metadata/colour.hpp"
#include "app/io/metadata/metadata.hpp"
#include "app/io/metadata/orientation.hpp"
#include "app/io/opening.hpp"
#include "app/io/signals/formats.hpp"
#include "app/io/tensors/tensor_file.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kg {

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

/// Encodes with `encode` or `write_rows`, whichever the codec has.
Encoded encoded(const Codec& codec, const ConstImageView& image, const EncodeSettings& settings) {
    if (codec.encode) return codec.encode(image, settings);
    StringSink file;
    const auto writer = codec.write_rows(file, image.size, image.format, settings);
    writer->write(image);
    auto notes = writer->finish();
    return {file.take(), std::move(notes)};
}

} // namespace

const FileFormat& format_of_file(std::string_view start, int page) {
    if (start.empty()) throw Error("empty-file", "the file is empty");
    const auto* format = format_of_bytes(start);
    if (!format && (io::is_wav_file(start) || is_tensor_file(start))) {
        const auto* const command = io::is_wav_file(start) ? "signal" : "bank";
        throw Error("not-an-image",
                    "it is not an image but {}: see `kernelglass {} --help`, or open it in the window with "
                    "`kernelglass --workspace {} FILE`",
                    io::is_wav_file(start) ? "a signal (WAV)" : "an array", command, command);
    }
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
    case Depth::f16: return "half float";
    case Depth::f32: return "float";
    case Depth::f64: break; // only between steps
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
    return damage.empty() ? damage : "damaged: " + printable(damage);
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

namespace {

namespace fs = std::filesystem;

struct OpenedFile {
    const FileFormat* format;
    const io::Codec* codec;
    io::Header header;
};

OpenedFile open(std::string_view bytes, int page) {
    const auto& format = io::format_of_file(bytes, page);
    const auto& codec = io::codec_of(format.id);
    auto header = codec.header({bytes, page});
    io::complete(header, page);
    return {&format, &codec, std::move(header)};
}

} // namespace

bool is_plain_note(const LoadedImage& image, std::string_view note) {
    return note == io::depth_note(image.stored) || (!note.empty() && note == image.original);
}

bool is_loss_note(std::string_view note) { return note.ends_with(" not kept"); }

ReadLimits image_limits(std::string_view name, const ReadOptions& options) {
    return {.whole_files = options.max_pixels.has_value(),
            .of_file = "an image",
            .remedy = "; `--max-pixels N` opens more",
            .check_start = [name = std::string(name)](std::string_view start) {
                if (!start.empty() && !format_of_bytes(start))
                    io::with_context("cannot open " + name, [&] { open(start, 1); }); // throws
            }};
}

LoadedImage decode_image(std::string_view bytes, std::string_view name, const ReadOptions& options) {
    return io::with_context("cannot open " + std::string(name), [&] {
        auto [format, codec, header] = open(bytes, options.page);
        io::check_size(header.size, header.pixels, bytes.size(), options);
        auto decoded = codec->decode({bytes, options.page, options.memory}, header);
        const auto orientation = header.orientation;
        auto image = io::image_of(std::move(header), *format, options.page);
        image.pixels = io::upright(std::move(decoded.image), orientation, options.memory);
        image.damage = io::damage_note(decoded.damage);
        return image;
    });
}

LoadedImage read_image(const fs::path& path, const ReadOptions& options) {
    auto image = decode_image(read_file(path, image_limits(quoted(path), options)), quoted(path), options);
    image.path = path;
    return image;
}

ImageInfo probe(std::string_view bytes, std::string_view name, const ReadOptions& options) {
    return io::with_context("cannot open " + std::string(name), [&] {
        const auto [format, codec, header] = open(bytes, options.page);
        ImageInfo info;
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
        info.notes = io::notes_of(header, options.page);
        info.notes.insert(info.notes.end(), header.details.begin(), header.details.end());
        info.damage = io::damage_note(header.damage);
        return info;
    });
}

ImageInfo probe(const fs::path& path, const ReadOptions& options) {
    return probe(read_file(path, image_limits(quoted(path), options)), quoted(path), options);
}

Encoded encode_image(const ConstImageView& image, std::string_view format_word, std::string_view name,
                     const WriteOptions& options) {
    return io::with_context("cannot write " + std::string(name), [&] {
        const auto& format = format_of(format_word);
        std::vector<std::string> notes;
        const auto pixels = io::fitted_format(image.format, format, options, notes);
        const auto changed = io::fitted(image, pixels);
        const auto metadata = io::fitted_metadata(options, format, image.size, image.format.channels < 3,
                                                  notes);
        auto encoded = io::encoded(io::codec_of(format.id), changed.empty() ? image : changed.view(),
                                   io::settings_of(options, format_word, metadata));
        encoded.notes.insert(encoded.notes.begin(), notes.begin(), notes.end());
        std::ranges::transform(encoded.notes, encoded.notes.begin(), io::printable);
        return encoded;
    });
}

std::vector<std::string> write_image(const fs::path& path, const ConstImageView& image,
                                     const WriteOptions& options) {
    const auto format = options.format.empty() ? path.extension().string() : options.format;
    auto encoded = encode_image(image, format, quoted(path), options);
    write_file(path, encoded.bytes);
    return std::move(encoded.notes);
}

} // namespace kg
