#include "app/io/codecs/png/png_chunks.hpp"

#include <algorithm>
#include <array>

#include <zlib.h>

namespace kg::io {

namespace {

std::uint32_t big_endian(std::string_view bytes) {
    std::uint32_t value = 0;
    for (const char c : bytes.substr(0, 4)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
}

/// True if the checksum matches. libpng checks the critical chunks (their first letter is a capital); the
/// others are read here and need the same check.
bool is_sound(std::string_view type, std::string_view data, std::string_view sum) {
    if (type[0] >= 'A' && type[0] <= 'Z') return true;
    const auto counted = crc32_z(0, reinterpret_cast<const Bytef*>(type.data()), type.size());
    return crc32_z(counted, reinterpret_cast<const Bytef*>(data.data()), data.size()) == big_endian(sum);
}

/// Calls visit(type, data, sound) for each complete chunk up to IEND, without the data of pixels.
template <typename Visit>
void for_chunks(const ByteSource& file, Visit visit) {
    for (std::uint64_t at = 8; at + 12 <= file.size();) {
        const auto start = file.read_string(at, 8);
        const std::uint64_t length = big_endian(start);
        const auto type = start.substr(4);
        if (length > file.size() - at - 12 || type == "IEND") return;
        const auto rest = type == "IDAT" ? std::string() : file.read_string(at + 8, length + 4);
        const auto data = std::string_view(rest).substr(0, rest.empty() ? 0 : length);
        visit(type, data, is_sound(type, data, std::string_view(rest).substr(data.size())));
        at += length + 12;
    }
}

bool is_xmp(std::string_view type, std::string_view data) {
    return type == "iTXt" && data.starts_with(kPngXmp);
}

/// Inflates at most 16 MiB; empty if it is longer or damaged.
std::string inflated(std::string_view compressed) {
    constexpr uLongf kMost = uLongf{16} << 20;
    auto size = kMost;
    std::string text(size, '\0');
    if (uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                   reinterpret_cast<const Bytef*>(compressed.data()), compressed.size()) != Z_OK)
        return {};
    text.resize(size);
    return text;
}

/// The text of an iTXt chunk. Its keyword is followed by compression flag and method, then by language and
/// translated keyword, each terminated by a zero.
std::string international_text(std::string_view data) {
    const auto flags = data.find('\0');
    if (flags == data.npos || data.size() < flags + 3) return {};
    const auto language = data.find('\0', flags + 3);
    const auto keyword = language == data.npos ? data.npos : data.find('\0', language + 1);
    if (keyword == data.npos) return {};
    const auto text = data.substr(keyword + 1);
    if (data[flags + 1] == 0) return std::string(text);
    return data[flags + 1] == 1 && data[flags + 2] == 0 ? inflated(text) : std::string();
}

/// Chunks that are copied unchanged.
constexpr std::array<std::string_view, 7> kKept{"gAMA", "cHRM", "sRGB", "cICP", "tEXt", "zTXt", "iTXt"};
/// Chunks that are understood here or by libpng, and tIME, which is outdated.
constexpr std::array<std::string_view, 13> kUnderstood{"IHDR", "PLTE", "IDAT", "IEND", "tRNS", "iCCP", "eXIf",
                                                       "pHYs", "tIME", "acTL", "fcTL", "fdAT", "hIST"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& types, std::string_view type) {
    return std::ranges::find(types, type) != types.end();
}

/// Distinct chunk names for a message, "chunks bKGD, sBIT", up to a limit.
class Names {
public:
    void add(std::string_view type) {
        if (std::ranges::find(types_, type) == types_.end() && types_.size() < 10) types_.emplace_back(type);
    }
    std::size_t count() const { return types_.size(); }
    std::string text() const {
        std::string all = count() == 1 ? "chunk" : "chunks";
        const char* separator = " ";
        for (const auto& type : types_) all += separator + type, separator = ", ";
        return all;
    }

private:
    std::vector<std::string> types_;
};

} // namespace

PngChunks read_png_chunks(const ByteSource& file) {
    PngChunks chunks;
    auto& metadata = chunks.metadata;
    Names lost, wrong;
    bool xmp_lost = false;
    for_chunks(file, [&](std::string_view type, std::string_view data, bool sound) {
        if (!sound) return wrong.add(type);
        if (type == "eXIf") metadata.exif = data;
        if (type == "pHYs" && data.size() == 9)
            metadata.density = {static_cast<double>(big_endian(data)),
                                static_cast<double>(big_endian(data.substr(4))), data[8] == 1};
        chunks.animated |= type == "acTL" && big_endian(data) > 1;
        if (is_xmp(type, data)) {
            metadata.xmp = international_text(data);
            xmp_lost |= metadata.xmp.empty();
        } else if (among(kKept, type)) metadata.chunks.push_back({std::string(type), std::string(data)});
        else if (!among(kUnderstood, type)) lost.add(type);
    });
    if (lost.count() > 0)
        chunks.not_kept = "its " + lost.text() + (lost.count() == 1 ? " is" : " are") + " not kept";
    if (wrong.count() > 0)
        chunks.damage = "its " + wrong.text() +
                        (wrong.count() == 1 ? " does not match its checksum and is left out"
                                            : " do not match their checksums and are left out");
    if (xmp_lost)
        chunks.damage += (chunks.damage.empty() ? "" : "; ") +
                         std::string("its XMP cannot be read and is left out");
    return chunks;
}

bool is_text_under(const Metadata::Chunk& chunk, std::string_view keyword) {
    const std::string_view data = chunk.data;
    return chunk.type.ends_with("Xt") && data.substr(0, data.find('\0')) == keyword;
}

std::string text_of(const Metadata::Chunk& chunk) {
    if (chunk.type == "iTXt") return international_text(chunk.data);
    const auto text =
        std::string_view(chunk.data).substr(std::min(chunk.data.find('\0'), chunk.data.size() - 1) + 1);
    if (chunk.type == "tEXt") return std::string(text);
    return text.starts_with('\0') ? inflated(text.substr(1)) : std::string(); // deflate, the only method
}

} // namespace kg::io
