#include "app/io/image_file.hpp"

#include "app/io/codecs/codec.hpp"
#include "app/io/metadata/colour.hpp"
#include "app/io/fitting.hpp"
#include "app/io/limits.hpp"
#include "app/io/opening.hpp"
#include "app/io/metadata/orientation.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

namespace fs = std::filesystem;

struct Opened {
    const FileFormat* format;
    const io::Codec* codec;
    io::Header header;
};

Opened open(std::string_view bytes, int page) {
    const auto& format = io::format_of_file(bytes, page);
    const auto& codec = io::codec_of(format.id);
    auto header = codec.header({bytes, page});
    io::complete(header, page);
    return {&format, &codec, std::move(header)};
}

} // namespace

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
        if (!decoded.damage.empty()) image.notes.push_back(io::damage_note(decoded.damage));
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
